#ifndef APIMACHINERY_TYPES_DURATION_H_
#define APIMACHINERY_TYPES_DURATION_H_

#include <compare>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>

#include "absl/time/time.h"

namespace kube {

// A duration in an API object, in nanoseconds: up to 292 years. In JSON it is a string, "1h30m0s".
// apimachinery: `metav1.Duration`.
//
//   const Duration timeout = absl::Minutes(5);  // from absl::Duration
//   const absl::Duration period = timeout.ToAbslDuration();
//
// The zero value is "0s"; there is no null. Thread-compatible.
class Duration {
 public:
  constexpr Duration() = default;

  // Truncates to whole nanoseconds. Durations that do not fit become the longest one.
  template <std::same_as<absl::Duration> T>
  Duration(T duration)  // NOLINT(google-explicit-constructor)
      : nanoseconds_(absl::ToInt64Nanoseconds(duration)) {}
  absl::Duration ToAbslDuration() const { return absl::Nanoseconds(nanoseconds_); }

  static constexpr Duration FromNanoseconds(int64_t nanoseconds) {
    Duration duration;
    duration.nanoseconds_ = nanoseconds;
    return duration;
  }
  constexpr int64_t ToNanoseconds() const { return nanoseconds_; }

  constexpr bool IsZero() const { return nanoseconds_ == 0; }

  // Returns a text such as "1h30m0.5s", "300ms" or "0s", which ParseDuration accepts. Go:
  // `time.Duration.String`.
  std::string ToString() const;

  friend constexpr bool operator==(Duration a, Duration b) = default;
  friend constexpr std::strong_ordering operator<=>(Duration a, Duration b) = default;
  template <typename H>
  friend H AbslHashValue(H h, Duration duration) {
    return H::combine(std::move(h), duration.nanoseconds_);
  }
  friend std::ostream& operator<<(std::ostream& out, Duration duration);

 private:
  int64_t nanoseconds_ = 0;
};
static_assert(sizeof(Duration) == 8);

}  // namespace kube

#endif  // APIMACHINERY_TYPES_DURATION_H_
