#ifndef APIMACHINERY_TYPES_TIME_H_
#define APIMACHINERY_TYPES_TIME_H_

#include <compare>
#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "apimachinery/base/text/time_text.h"

namespace kube {

namespace internal {
struct TimeAccess;
}  // namespace internal

// A point in time in an API object, in whole seconds. apimachinery: `metav1.Time`.
//
//   pod.metadata.deletion_timestamp = Time::FromUnixSeconds(1767225600);
//   pod.status.start_time = now;  // from absl::Time; the fraction is cut off
//   const absl::Duration age = now - pod.metadata.creation_timestamp.ToAbslTime();
//   const bool is_created = !pod.metadata.creation_timestamp.IsZero();
//
// The zero value is 0001-01-01T00:00:00Z, as in Go, and means "not set": null in JSON, an empty
// message in protobuf. Go keeps the nanoseconds that it has read in memory, but never writes them;
// this class drops them when it reads. Thread-compatible.
class Time {
 public:
  constexpr Time() = default;

  // Rounds down to a whole second. Infinite times become the earliest and the latest time.
  template <std::same_as<absl::Time> T>
  Time(T time) : Time(FromAbslTime(time)) {}  // NOLINT(google-explicit-constructor)

  // Returns the time of seconds since 1970. All values are accepted; like in Go, the last
  // 62135596800 of them wrap around to the earliest times. Go: `time.Unix`.
  static constexpr Time FromUnixSeconds(int64_t seconds) {
    return Time(Rep{text::UnixToYear1(seconds)});
  }
  constexpr int64_t ToUnixSeconds() const { return text::Year1ToUnix(rep_.seconds); }

  // Returns a finite time, unless the seconds have wrapped around. The zero time is in year 1:
  // check IsZero first.
  absl::Time ToAbslTime() const;

  constexpr bool IsZero() const { return rep_.seconds == 0; }

  // Returns a text such as "2006-01-02T15:04:05Z", always in UTC, also for the zero time. ParseTime
  // accepts it up to the year 9999.
  std::string ToString() const;

  friend constexpr bool operator==(Time a, Time b) { return a.rep_.seconds == b.rep_.seconds; }
  friend constexpr std::strong_ordering operator<=>(Time a, Time b) {
    return a.rep_.seconds <=> b.rep_.seconds;
  }
  template <typename H>
  friend H AbslHashValue(H h, Time time) {
    return H::combine(std::move(h), time.rep_.seconds);
  }
  friend std::ostream& operator<<(std::ostream& out, Time time);

 private:
  friend struct internal::TimeAccess;

  struct Rep {
    int64_t seconds = 0;  // since year 1
  };

  explicit constexpr Time(Rep rep) : rep_(rep) {}
  static Time FromAbslTime(absl::Time time);

  Rep rep_;
};
static_assert(sizeof(Time) == 8);

namespace internal {

// For the codecs: converts from and to the form of apimachinery/base/text/time_text.h.
struct TimeAccess {
  static constexpr Time Make(int64_t year1_seconds) { return Time(Time::Rep{year1_seconds}); }
  static constexpr int64_t Get(Time time) { return time.rep_.seconds; }
};

}  // namespace internal
}  // namespace kube

#endif  // APIMACHINERY_TYPES_TIME_H_
