#ifndef APIMACHINERY_BASE_MONOTONIC_TIME_H_
#define APIMACHINERY_BASE_MONOTONIC_TIME_H_

#include "absl/time/time.h"

namespace kube::base {

// A point on the monotonic clock of a Runtime; deadlines and timers use it.
//
// The clock never goes back and has no relation to the calendar: use Runtime::WallNow() for the
// time of day. Points of two runtimes cannot be compared. Go's time.Time carries both readings;
// here the type says which clock is meant. A thread-compatible value.
class MonotonicTime {
 public:
  // The clock's epoch, an arbitrary point.
  constexpr MonotonicTime() = default;
  explicit constexpr MonotonicTime(absl::Duration since_epoch) : since_epoch_(since_epoch) {}

  // Returns the point later than every other: "no deadline".
  static constexpr MonotonicTime Infinite() { return MonotonicTime(absl::InfiniteDuration()); }

  constexpr absl::Duration since_epoch() const { return since_epoch_; }
  constexpr bool is_infinite() const { return since_epoch_ == absl::InfiniteDuration(); }

  friend MonotonicTime operator+(MonotonicTime t, absl::Duration d) {
    return MonotonicTime(t.since_epoch_ + d);
  }
  friend MonotonicTime operator-(MonotonicTime t, absl::Duration d) {
    return MonotonicTime(t.since_epoch_ - d);
  }
  friend absl::Duration operator-(MonotonicTime a, MonotonicTime b) {
    return a.since_epoch_ - b.since_epoch_;
  }
  friend constexpr bool operator==(MonotonicTime a, MonotonicTime b) {
    return a.since_epoch_ == b.since_epoch_;
  }
  friend constexpr bool operator!=(MonotonicTime a, MonotonicTime b) { return !(a == b); }
  friend constexpr bool operator<(MonotonicTime a, MonotonicTime b) {
    return a.since_epoch_ < b.since_epoch_;
  }
  friend constexpr bool operator>(MonotonicTime a, MonotonicTime b) { return b < a; }
  friend constexpr bool operator<=(MonotonicTime a, MonotonicTime b) { return !(b < a); }
  friend constexpr bool operator>=(MonotonicTime a, MonotonicTime b) { return !(a < b); }

 private:
  absl::Duration since_epoch_ = absl::ZeroDuration();
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_MONOTONIC_TIME_H_
