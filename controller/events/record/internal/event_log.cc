#include "controller/events/record/internal/event_log.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/patch/strategic_merge_patch.h"
#include "apimachinery/types/time.h"
#include "controller/events/record/internal/event_keys.h"

namespace kube::record::internal {

namespace corev1 = api::core::v1;

EventLog::Seen EventLog::SeenOf(const corev1::Event& event) {
  return {.count = event.count,
          .first_timestamp = event.first_timestamp,
          .name = event.metadata.name,
          .resource_version = event.metadata.resource_version};
}

absl::StatusOr<std::string> EventLog::Observe(corev1::Event& event, absl::string_view key) {
  absl::StatusOr<std::string> patch = std::string();
  if (const Seen* const last = seen_.Get(key); last != nullptr && last->count > 0) {
    event.metadata.name = last->name;
    event.metadata.resource_version = last->resource_version;
    event.first_timestamp = last->first_timestamp;
    event.count = last->count + 1;
    corev1::Event before = event;
    before.count = 0;
    before.last_timestamp = Time::FromUnixSeconds(0);
    before.message = "";
    patch = patch::MakeStrategicMergePatch(before, event);
  }
  seen_.Add(key, SeenOf(event));
  return patch;
}

void EventLog::UpdateState(const corev1::Event& stored) {
  // As in client-go, uses the event's own key even for combined events, for which it has no effect.
  seen_.Add(EventKey(stored), SeenOf(stored));
}

}  // namespace kube::record::internal
