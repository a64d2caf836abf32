#ifndef APIMACHINERY_TYPES_MICRO_TIME_H_
#define APIMACHINERY_TYPES_MICRO_TIME_H_

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
struct MicroTimeAccess;
}  // namespace internal

// A point in time in an API object, in microseconds, for leases and events. apimachinery:
// `metav1.MicroTime`.
//
//   lease.spec.renew_time = now;  // from absl::Time
//   const absl::Time renewed = lease.spec.renew_time->ToAbslTime();
//
// The zero value is 0001-01-01T00:00:00Z, as in Go, and means "not set": null in JSON, an empty
// message in protobuf. JSON requires exactly six digits for the fraction of the second.
// Thread-compatible.
class MicroTime {
 public:
  constexpr MicroTime() = default;

  // Rounds down to a whole microsecond. Infinite times become the earliest and the latest time.
  template <std::same_as<absl::Time> T>
  MicroTime(T time) : MicroTime(FromAbslTime(time)) {}  // NOLINT(google-explicit-constructor)

  // Returns the time of a protobuf Timestamp: seconds since 1970 and nanoseconds, which may have
  // any value and sign. Truncates the nanoseconds to whole microseconds.
  static constexpr MicroTime FromUnix(int64_t seconds, int32_t nanos) {
    int64_t year1 = text::UnixToYear1(seconds);
    int32_t micros = nanos / 1000;
    // `micros` is between -2147483 and 2147483 here, so `carry` is between -3 and 2.
    const int32_t carry = micros / 1'000'000 - (micros % 1'000'000 < 0 ? 1 : 0);
    micros -= carry * 1'000'000;
    year1 = static_cast<int64_t>(static_cast<uint64_t>(year1) + static_cast<uint64_t>(carry));
    return MicroTime(text::MicroSeconds{year1, micros});
  }

  // Return the second at or before the time, and the nanoseconds since that second (0 to
  // 999999000).
  constexpr int64_t ToUnixSeconds() const { return text::Year1ToUnix(rep_.seconds); }
  constexpr int32_t Nanos() const { return rep_.micros * 1000; }

  // Returns a finite time, unless the seconds have wrapped around (see Time::FromUnixSeconds). The
  // zero time is in year 1: check IsZero first.
  absl::Time ToAbslTime() const;

  constexpr bool IsZero() const { return rep_ == text::MicroSeconds{}; }

  // Returns a text such as "2006-01-02T15:04:05.000000Z", always in UTC, also for the zero time.
  // ParseMicroTime accepts it up to the year 9999.
  std::string ToString() const;

  friend constexpr bool operator==(const MicroTime& a, const MicroTime& b) = default;
  friend constexpr std::strong_ordering operator<=>(const MicroTime& a,
                                                    const MicroTime& b) = default;
  template <typename H>
  friend H AbslHashValue(H h, const MicroTime& time) {
    return H::combine(std::move(h), time.rep_.seconds, time.rep_.micros);
  }
  friend std::ostream& operator<<(std::ostream& out, const MicroTime& time);

 private:
  friend struct internal::MicroTimeAccess;

  explicit constexpr MicroTime(text::MicroSeconds rep) : rep_(rep) {}
  static MicroTime FromAbslTime(absl::Time time);

  text::MicroSeconds rep_;
};
static_assert(sizeof(MicroTime) == 16);

namespace internal {

// For the codecs: converts from and to the form of apimachinery/base/text/time_text.h.
struct MicroTimeAccess {
  static constexpr MicroTime Make(text::MicroSeconds time) { return MicroTime(time); }
  static constexpr text::MicroSeconds Get(const MicroTime& time) { return time.rep_; }
};

}  // namespace internal
}  // namespace kube

#endif  // APIMACHINERY_TYPES_MICRO_TIME_H_
