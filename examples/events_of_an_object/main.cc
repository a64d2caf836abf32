// events_of_an_object POD [--namespace NS]: records an event about a pod, and lists all events
// about it, as `kubectl describe` does at its end.
//
//   TYPE    REASON     FROM                   MESSAGE
//   Normal  Scheduled  default-scheduler      assigned to node-0
//   Normal  Inspected  example.com/inspector  alice looked at it
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/signal_context.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/flags.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "controller/events/event_broadcaster.h"
#include "controller/events/event_object.h"
#include "controller/events/event_recorder.h"
#include "controller/events/event_sink.h"
#include "controller/events/event_types.h"

namespace corev1 = kube::api::core::v1;
namespace eventsv1 = kube::api::events::v1;
namespace events = kube::events;

namespace {

// Writes events to the server, and remembers the result of the last attempt: a broadcaster only
// logs that an event was refused.
class CheckedSink final : public events::EventSink {
 public:
  explicit CheckedSink(kube::rest::Client client)
      : sink_(events::NewEventSink(std::move(client))) {}

  absl::StatusOr<eventsv1::Event> Create(const kube::Context& ctx,
                                         const eventsv1::Event& event) override {
    return Remember(sink_->Create(ctx, event));
  }
  absl::StatusOr<eventsv1::Event> Patch(const kube::Context& ctx, const eventsv1::Event& event,
                                        absl::string_view data) override {
    return Remember(sink_->Patch(ctx, event, data));
  }

  // To be called when the broadcaster has been shut down.
  absl::Status status() const { return status_; }

 private:
  absl::StatusOr<eventsv1::Event> Remember(absl::StatusOr<eventsv1::Event> result) {
    status_ = result.status();
    return result;
  }

  const std::shared_ptr<events::EventSink> sink_;
  absl::Status status_;
};

absl::Status RecordEvent(const kube::kubernetes::Clientset& client, const corev1::Pod& pod) {
  const auto sink = std::make_shared<CheckedSink>(client.client());
  events::EventBroadcaster broadcaster(sink);
  KUBE_RETURN_IF_ERROR(broadcaster.StartRecordingToSink().status());
  const std::unique_ptr<events::EventRecorder> recorder =
      broadcaster.NewRecorder(events::KindsOf<corev1::PodClient>(), "example.com/inspector");
  recorder->Eventf(pod, nullptr, events::kEventTypeNormal, "Inspected", "Inspect",
                   "%s looked at it", "alice");
  KUBE_RETURN_IF_ERROR(broadcaster.Shutdown(absl::Seconds(5)));  // writes the event
  return sink->status();
}

absl::Status Run(const kube::Context& ctx, const std::string& name) {
  KUBE_ASSIGN_OR_RETURN(
      kube::clientcmd::LoadedConfig loaded,
      kube::clientcmd::LoadDefaultConfigAndNamespace(kube::clientcmd::FlagOptions()));
  KUBE_ASSIGN_OR_RETURN(const auto client, kube::kubernetes::Clientset::Make(loaded.config));
  const std::string& ns = loaded.chosen_namespace.name;
  KUBE_ASSIGN_OR_RETURN(const corev1::Pod pod, client.CoreV1().Pods(ns).Get(ctx, name));
  KUBE_RETURN_IF_ERROR(RecordEvent(client, pod));

  // Becomes the field selector of a list. With a uid, it would leave out the events of earlier pods
  // of this name.
  KUBE_ASSIGN_OR_RETURN(const corev1::EventList list,
                        client.CoreV1().Events(ns).Search(
                            ctx, {.kind = "Pod", .namespace_ = ns, .name = pod.metadata.name}));
  std::cout << "TYPE\tREASON\tFROM\tMESSAGE\n";
  for (const corev1::Event& event : list.items) {
    // Events have one or the other, depending on which of the two APIs they were written in.
    const auto& from =
        event.source.component.empty() ? event.reporting_component : event.source.component;
    std::cout << event.type << "\t" << event.reason << "\t" << from << "\t" << event.message
              << "\n";
  }
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<char*> arguments = kube::clientcmd::ParseCommandLine(argc, argv);
  if (arguments.size() != 2) {
    std::cerr << "usage: events_of_an_object POD\n";
    return 2;
  }
  const kube::Context ctx = kube::WithTimeout(kube::SignalContext(), absl::Seconds(30));
  const absl::Status status = Run(ctx, arguments[1]);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
