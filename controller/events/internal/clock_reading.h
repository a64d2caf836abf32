#ifndef CONTROLLER_EVENTS_INTERNAL_CLOCK_READING_H_
#define CONTROLLER_EVENTS_INTERNAL_CLOCK_READING_H_

#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"

namespace kube::events::internal {

// A reading of both clocks, like Go's `time.Time`. Timestamps use `wall`, durations use
// `monotonic`.
struct ClockReading {
  absl::Time wall = {};
  base::MonotonicTime monotonic = {};

  // Reads the clocks of the calling thread's runtime.
  static ClockReading Now() {
    base::Runtime& runtime = base::Runtime::Current();
    return {.wall = runtime.WallNow(), .monotonic = runtime.Now()};
  }
};

}  // namespace kube::events::internal

#endif  // CONTROLLER_EVENTS_INTERNAL_CLOCK_READING_H_
