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

// Writes an event. True: done with it, be it written or given up. False: it could not be reached
// whoever is to have it; the count is to be written another time.
using WriteEvent = absl::FunctionRef<bool(const api::events::v1::Event&)>;

// The patch that gives the stored event the series of `event`. (createPatchBytesForSeries)
absl::StatusOr<std::string> PatchOfSeries(const api::events::v1::Event& event);

// Knows the events of the last minutes, and counts those that come again. It asks no clock
// and sends nothing. Thread-compatible.
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
    // What is to be written: a new event, or with its first series. Nothing: it was counted.
    std::optional<api::events::v1::Event> write = {};
    // What had to be forgotten for it with a count that was not written.
    std::optional<api::events::v1::Event> forgotten = {};
  };
  Observed Observe(const api::events::v1::Event& event, const ClockReading& now);

  // Writes every series. (refreshExistingEventSeries)
  void Refresh(WriteEvent write);

  // Forgets those that were quiet for longer than `quiet`; series when they are written.
  // (finishSeries)
  void Finish(base::MonotonicTime now, absl::Duration quiet, WriteEvent write);

  // Writes the series whose count has not been.
  void Flush(WriteEvent write);

  size_t size() const { return known_.size(); }

 private:
  struct Known {
    api::events::v1::Event event;
    base::MonotonicTime last_observed;
    bool unwritten = false;  // the count is not
  };

  LruCache<Known> known_;
};

}  // namespace kube::events::internal

#endif  // CONTROLLER_EVENTS_INTERNAL_EVENT_SERIES_H_
