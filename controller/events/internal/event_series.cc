#include "controller/events/internal/event_series.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/patch/strategic_merge_patch.h"
#include "controller/events/internal/clock_reading.h"

namespace kube::events::internal {

namespace corev1 = api::core::v1;
namespace eventsv1 = api::events::v1;

namespace {

constexpr absl::string_view kSeparator("\0", 1);

std::string KeyOf(const corev1::ObjectReference& object) {
  return absl::StrJoin(
      {object.kind.view(), object.namespace_.view(), object.name.view(), object.uid.view(),
       object.api_version.view(), object.resource_version.view(), object.field_path.view()},
      kSeparator);
}

// Returns the key of a series: everything but the note and the times. It includes the object's
// resource version, so a changed object gets a new event. (client-go: `getKey`)
std::string KeyOf(const eventsv1::Event& event) {
  const std::string regarding = KeyOf(event.regarding);
  const std::string related =
      event.related != nullptr ? KeyOf(*event.related) : KeyOf(corev1::ObjectReference());
  return absl::StrJoin({event.type.view(), event.action.view(), event.reason.view(),
                        event.reporting_controller.view(), event.reporting_instance.view(),
                        absl::string_view(regarding), absl::string_view(related)},
                       kSeparator);
}

}  // namespace

absl::StatusOr<std::string> PatchOfSeries(const eventsv1::Event& event) {
  eventsv1::Event before = event;
  before.series.reset();
  return patch::MakeStrategicMergePatch(before, event);
}

EventSeries::Observed EventSeries::Observe(const eventsv1::Event& event, const ClockReading& now) {
  const std::string key = KeyOf(event);
  Known* const known = known_.Get(key);
  if (known == nullptr) {
    Observed observed = {.write = event};
    std::optional<Known> evicted =
        known_.Add(key, {.event = event, .last_observed = now.monotonic});
    if (evicted.has_value() && evicted->unwritten) observed.forgotten = std::move(evicted->event);
    return observed;
  }
  known->last_observed = now.monotonic;
  const bool is_first = known->event.series == nullptr;
  eventsv1::EventSeries& series = is_first ? known->event.series.emplace() : *known->event.series;
  series.count = is_first ? 2 : series.count + 1;
  series.last_observed_time = now.wall;
  known->unwritten = !is_first;
  return is_first ? Observed{.write = known->event} : Observed{};
}

void EventSeries::Refresh(WriteEvent write) {
  known_.EraseIf([write](Known& known) {
    if (known.event.series != nullptr && write(known.event)) known.unwritten = false;
    return false;
  });
}

void EventSeries::Finish(base::MonotonicTime now, absl::Duration quiet, WriteEvent write) {
  known_.EraseIf([now, quiet, write](Known& known) {
    if (now - known.last_observed <= quiet) return false;
    return known.event.series == nullptr || write(known.event);
  });
}

void EventSeries::Flush(WriteEvent write) {
  known_.EraseIf([write](Known& known) {
    if (known.unwritten && write(known.event)) known.unwritten = false;
    return false;
  });
}

}  // namespace kube::events::internal
