#ifndef CONTROLLER_EVENTS_INTERNAL_EVENT_SERIES_H_
#define CONTROLLER_EVENTS_INTERNAL_EVENT_SERIES_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/monotonic_time.h"
#include "controller/events/internal/clock_reading.h"
#include "controller/events/internal/lru_cache.h"

namespace kube::events::internal {

// Writes an event. Returns true if the event is finished, whether written or given up, and false if
// the destination could not be reached, so that the count must be written later.
using WriteEvent = absl::FunctionRef<bool(const api::events::v1::Event&)>;

// Returns the patch that gives the stored event the series of `event`.
// (client-go: `createPatchBytesForSeries`)
absl::StatusOr<std::string> PatchOfSeries(const api::events::v1::Event& event);

// Remembers the events of the last minutes and counts repetitions. Reads no clock and does no I/O.
// Thread-compatible.
//
//   new --Observe: write it--> single --Observe: write a series of 2--> series --Observe: count-+
//                                |                                      |  ^--------------------+
//                              quiet                                  quiet: write the count
//                                v                                      v
//                               gone                                   gone
class EventSeries {
 public:
  explicit EventSeries(size_t max_events) : known_(max_events) {}

  struct Observed {
    // The event to write: a new one, or one with a new series. Empty if it was only counted.
    std::optional<api::events::v1::Event> write = {};
    // The event that was evicted to make room and whose count was not written yet.
    std::optional<api::events::v1::Event> forgotten = {};
  };
  Observed Observe(const api::events::v1::Event& event, const ClockReading& now);

  // Writes all series. (client-go: `refreshExistingEventSeries`)
  void Refresh(WriteEvent write);

  // Removes events without a repetition for longer than `quiet`; series once they have been
  // written. (client-go: `finishSeries`)
  void Finish(base::MonotonicTime now, absl::Duration quiet, WriteEvent write);

  // Writes the series whose counts have not been written.
  void Flush(WriteEvent write);

  size_t size() const { return known_.size(); }

 private:
  struct Known {
    api::events::v1::Event event;
    base::MonotonicTime last_observed;
    bool unwritten = false;  // the count is not written yet
  };

  LruCache<Known> known_;
};

}  // namespace kube::events::internal

#endif  // CONTROLLER_EVENTS_INTERNAL_EVENT_SERIES_H_
