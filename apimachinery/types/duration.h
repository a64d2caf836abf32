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

// A span of time of an API object, in nanoseconds: up to 292 years. Go: metav1.Duration. It is a
// string in JSON, "1h30m0s".
//
//   config.sync_period = absl::Minutes(5);             // from absl::Duration
//   absl::Duration period = config.sync_period.ToAbslDuration();
//
// The zero value is "0s", there is no null. Thread-compatible.
class Duration {
 public:
  constexpr Duration() = default;

  // Below a nanosecond the rest is cut off, towards zero; what is too long becomes the longest.
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

  // "1h30m0.5s", "300ms", "0s". (time.Duration.String) ParseDuration reads it again.
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
