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

// A point in time of an API object, in whole seconds. Go: metav1.Time.
//
//   pod.metadata.deletion_timestamp = Time::FromUnixSeconds(1767225600);
//   lease.spec.renewed = now;                        // from absl::Time, the fraction is cut off
//   absl::Duration age = now - pod.metadata.creation_timestamp.ToAbslTime();
//   if (pod.metadata.creation_timestamp.IsZero()) ...  // not created yet
//
// The zero value is 0001-01-01T00:00:00Z, as in Go, and means "not set": null in JSON, an empty
// message on the wire. In memory Go keeps what it read with its nanoseconds, but never writes them;
// this class drops them at once. Thread-compatible.
class Time {
 public:
  constexpr Time() = default;

  // Cut to the second before. Infinite times become the first and the last there are.
  template <std::same_as<absl::Time> T>
  Time(T time) : Time(FromAbslTime(time)) {}  // NOLINT(google-explicit-constructor)

  // Seconds since 1970. All values have a meaning; like Go's, the last 62135596800 seconds wrap
  // around. (time.Unix)
  static constexpr Time FromUnixSeconds(int64_t seconds) {
    return Time(Rep{text::UnixToYear1(seconds)});
  }
  constexpr int64_t ToUnixSeconds() const { return text::Year1ToUnix(rep_.seconds); }

  // Infinite in neither direction. The zero time is in year 1: ask IsZero first.
  absl::Time ToAbslTime() const;

  constexpr bool IsZero() const { return rep_.seconds == 0; }

  // "2006-01-02T15:04:05Z", always UTC; for the zero time too. ParseTime reads it again up to year
  // 9999.
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

// For the codecs: what internal/time_text.h reads and writes.
struct TimeAccess {
  static constexpr Time Make(int64_t year1_seconds) { return Time(Time::Rep{year1_seconds}); }
  static constexpr int64_t Get(Time time) { return time.rep_.seconds; }
};

}  // namespace internal
}  // namespace kube

#endif  // APIMACHINERY_TYPES_TIME_H_
