#include "controller/events/record/event_broadcaster.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "controller/events/event_object.h"
#include "controller/events/internal/event_hub.h"
#include "controller/events/internal/event_metrics.h"
#include "controller/events/internal/event_name.h"
#include "controller/events/record/event_recorder.h"
#include "controller/events/record/event_sink.h"
#include "controller/events/record/internal/sink_writer.h"

namespace kube::record {

namespace corev1 = api::core::v1;

namespace {

using Hub = events::internal::EventHub<corev1::Event>;

class HubRecorder final : public EventRecorder {
 public:
  HubRecorder(std::shared_ptr<Hub> hub, events::ObjectKinds kinds, corev1::EventSource source)
      : hub_(std::move(hub)), kinds_(std::move(kinds)), source_(std::move(source)) {}

  void Record(const events::EventObject& object, const Map<String>& annotations,
              absl::string_view type, absl::string_view reason,
              absl::string_view message) override {
    absl::StatusOr<corev1::ObjectReference> reference = events::GetReference(kinds_, object);
    if (!reference.ok()) {
      log::Error(reference.status(), "Could not construct reference, will not report event",
                 {{"eventType", type}, {"reason", reason}, {"message", message}});
      return;
    }
    if (!events::internal::IsEventType(type)) {
      log::Error(absl::OkStatus(), "Unsupported event type", {{"eventType", type}});
      return;
    }
    auto event = std::make_shared<corev1::Event>(MakeEvent(*std::move(reference)));
    event->metadata.annotations = annotations;
    event->type = type;
    event->reason = reason;
    event->message = message;
    if (absl::Status status = hub_->Publish(std::move(event)); !status.ok()) {
      log::Error(status, "Unable to record event (will not retry!)");
    }
  }

 private:
  corev1::Event MakeEvent(corev1::ObjectReference object) const {
    const absl::Time now = base::WallNow();
    corev1::Event event;
    event.metadata.name = events::internal::GenerateEventName(object.name.view(), now);
    event.metadata.namespace_ = object.namespace_.empty() ? String("default") : object.namespace_;
    event.involved_object = std::move(object);
    event.first_timestamp = now;
    event.last_timestamp = now;
    event.count = 1;
    event.source = source_;
    event.reporting_component = source_.component;
    event.reporting_instance = source_.host;
    return event;
  }

  const std::shared_ptr<Hub> hub_;
  const events::ObjectKinds kinds_;
  const corev1::EventSource source_;
};

void LogEvent(int verbosity, const corev1::Event& event) {
  const corev1::ObjectReference& object = event.involved_object;
  KUBE_VLOG(verbosity, "Event occurred",
            {"object", log::KRef(object.namespace_.view(), object.name.view())},
            {"fieldPath", object.field_path.view()}, {"kind", object.kind.view()},
            {"apiVersion", object.api_version.view()}, {"type", event.type.view()},
            {"reason", event.reason.view()}, {"message", event.message.view()});
}

}  // namespace

EventBroadcaster::EventBroadcaster(BroadcasterOptions options)
    : options_(std::move(options)),
      hub_(std::make_shared<Hub>(options_.queue_length,
                                 events::internal::EventMetrics(*options_.metrics))) {}

EventBroadcaster::~EventBroadcaster() { hub_->ShutdownNow(); }

absl::StatusOr<int64_t> EventBroadcaster::StartRecordingToSink(std::shared_ptr<EventSink> sink) {
  auto writer = std::make_unique<internal::SinkWriter>(
      std::move(sink),
      internal::SinkWriterOptions{.correlator = options_.correlator,
                                  .sleep_duration = options_.sleep_duration,
                                  .max_tries = options_.max_tries},
      hub_->metrics());
  return hub_->Start("event-sink",
                     [writer = std::move(writer)](const Context& ctx, Hub::Queue& queue) {
                       for (auto event = queue.Pop(ctx); event.ok(); event = queue.Pop(ctx)) {
                         writer->Write(ctx, **event);
                       }
                     });
}

absl::StatusOr<int64_t> EventBroadcaster::StartStructuredLogging(int verbosity) {
  return StartEventWatcher([verbosity](const std::shared_ptr<const corev1::Event>& event) {
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

std::unique_ptr<EventRecorder> EventBroadcaster::NewRecorder(events::ObjectKinds kinds,
                                                             corev1::EventSource source) {
  return std::make_unique<HubRecorder>(hub_, std::move(kinds), std::move(source));
}

absl::Status EventBroadcaster::Shutdown(absl::Duration timeout) {
  return Shutdown(WithTimeout(Context(), timeout));
}

absl::Status EventBroadcaster::Shutdown(const Context& ctx) { return hub_->Shutdown(ctx); }

}  // namespace kube::record
