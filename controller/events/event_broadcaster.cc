#include "controller/events/event_broadcaster.h"

#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "controller/events/event_object.h"
#include "controller/events/event_recorder.h"
#include "controller/events/event_sink.h"
#include "controller/events/internal/event_hub.h"
#include "controller/events/internal/event_metrics.h"
#include "controller/events/internal/event_name.h"
#include "controller/events/internal/series_writer.h"

namespace kube::events {

namespace corev1 = api::core::v1;
namespace eventsv1 = api::events::v1;

namespace {

using Hub = internal::EventHub<eventsv1::Event>;

class HubRecorder final : public EventRecorder {
 public:
  HubRecorder(std::shared_ptr<Hub> hub, ObjectKinds kinds, absl::string_view controller,
              absl::string_view instance)
      : hub_(std::move(hub)),
        kinds_(std::move(kinds)),
        controller_(controller),
        instance_(instance) {}

  void Record(const EventObject& regarding, const EventObject& related, absl::string_view type,
              absl::string_view reason, absl::string_view action, absl::string_view note) override {
    RecordAnnotated(regarding, related, {}, type, reason, action, note);
  }

  void RecordAnnotated(const EventObject& regarding, const EventObject& related,
                       const Map<String>& annotations, absl::string_view type,
                       absl::string_view reason, absl::string_view action,
                       absl::string_view note) override {
    absl::StatusOr<corev1::ObjectReference> reference = GetReference(kinds_, regarding);
    if (!reference.ok()) {
      log::Error(reference.status(), "Could not construct reference, will not report event",
                 {{"eventType", type}, {"reason", reason}, {"message", note}});
      return;
    }
    if (!internal::IsEventType(type)) {
      log::Error(absl::OkStatus(), "Unsupported event type", {{"eventType", type}});
      return;
    }
    auto event = std::make_shared<eventsv1::Event>(MakeEvent(*std::move(reference)));
    // As in client-go, an event without the related object is better than no event.
    if (absl::StatusOr<corev1::ObjectReference> other = GetReference(kinds_, related); other.ok()) {
      event->related.emplace() = *std::move(other);
    }
    event->metadata.annotations = annotations;
    event->type = type;
    event->reason = reason;
    event->action = action;
    event->note = note;
    if (absl::Status status = hub_->Publish(std::move(event)); !status.ok()) {
      log::Error(status, "Unable to record event (will not retry!)");
    }
  }

 private:
  eventsv1::Event MakeEvent(corev1::ObjectReference regarding) const {
    const absl::Time now = base::WallNow();
    eventsv1::Event event;
    event.metadata.name = internal::GenerateEventName(regarding.name.view(), now);
    event.metadata.namespace_ =
        regarding.namespace_.empty() ? String("default") : regarding.namespace_;
    event.regarding = std::move(regarding);
    event.event_time = now;
    event.reporting_controller = controller_;
    event.reporting_instance = instance_;
    return event;
  }

  const std::shared_ptr<Hub> hub_;
  const ObjectKinds kinds_;
  const String controller_;
  const String instance_;
};

// Returns the name of the host, or "" if it has none. (Go: `os.Hostname`)
std::string HostName() {
  char name[256] = {};
  if (gethostname(name, sizeof(name) - 1) != 0) return "";
  return name;
}

void LogEvent(int verbosity, const eventsv1::Event& event) {
  const corev1::ObjectReference& object = event.regarding;
  KUBE_VLOG(verbosity, "Event occurred",
            {"object", log::KRef(object.namespace_.view(), object.name.view())},
            {"kind", object.kind.view()}, {"apiVersion", object.api_version.view()},
            {"type", event.type.view()}, {"reason", event.reason.view()},
            {"action", event.action.view()}, {"note", event.note.view()});
}

}  // namespace

EventBroadcaster::EventBroadcaster(std::shared_ptr<EventSink> sink, BroadcasterOptions options)
    : sink_(std::move(sink)),
      options_(std::move(options)),
      hub_(std::make_shared<Hub>(options_.queue_length,
                                 internal::EventMetrics(*options_.metrics))) {}

EventBroadcaster::~EventBroadcaster() { hub_->ShutdownNow(); }

absl::StatusOr<int64_t> EventBroadcaster::StartRecordingToSink() {
  KUBE_CHECK(sink_ != nullptr) << "broadcaster has no sink";
  auto writer = std::make_unique<internal::SeriesWriter>(
      sink_,
      internal::SeriesWriterOptions{.sleep_duration = options_.sleep_duration,
                                    .max_tries = options_.max_tries,
                                    .max_series = options_.max_series,
                                    .finish_time = options_.finish_time,
                                    .refresh_time = options_.refresh_time},
      hub_->metrics());
  return hub_->Start("event-sink",
                     [writer = std::move(writer)](const Context& ctx, Hub::Queue& queue) {
                       writer->Run(ctx, queue);
                     });
}

absl::StatusOr<int64_t> EventBroadcaster::StartStructuredLogging(int verbosity) {
  return StartEventWatcher([verbosity](const std::shared_ptr<const eventsv1::Event>& event) {
    LogEvent(verbosity, *event);
  });
}

absl::StatusOr<int64_t> EventBroadcaster::StartEventWatcher(EventHandler handler) {
  return hub_->Start("event-watcher",
                     [handler = std::move(handler)](const Context& ctx, Hub::Queue& queue) {
                       for (auto event = queue.Pop(ctx); event.ok(); event = queue.Pop(ctx)) {
                         handler(*event);
                       }
                     });
}

void EventBroadcaster::StopWatching(int64_t id) { hub_->Stop(id); }

std::unique_ptr<EventRecorder> EventBroadcaster::NewRecorder(ObjectKinds kinds,
                                                             absl::string_view reporting_controller,
                                                             const RecorderOptions& options) {
  return std::make_unique<HubRecorder>(hub_, std::move(kinds), reporting_controller,
                                       options.reporting_instance.empty()
                                           ? absl::StrCat(reporting_controller, "-", HostName())
                                           : options.reporting_instance);
}

absl::Status EventBroadcaster::Shutdown(absl::Duration timeout) {
  return Shutdown(WithTimeout(Context(), timeout));
}

absl::Status EventBroadcaster::Shutdown(const Context& ctx) { return hub_->Shutdown(ctx); }

}  // namespace kube::events
