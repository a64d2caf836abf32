#ifndef APIMACHINERY_BASE_TEXT_TIME_TEXT_H_
#define APIMACHINERY_BASE_TEXT_TIME_TEXT_H_

// RFC 3339 as Go's package time reads and writes it. Pure functions: thread-safe.
//
// A time is the number of seconds since 0001-01-01T00:00:00Z, Go's zero time, in the proleptic
// Gregorian calendar and UTC, without leap seconds. Each of the 2^64 values has a text. Those
// before March of the year -292277022400 wrap around to the end of the range, as in Go.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace kube::text {

// 1970-01-01T00:00:00Z.
inline constexpr int64_t kUnixEpochSeconds = 62'135'596'800;

// Convert Unix seconds to seconds since year 1 and back. They wrap around at the limits, as in Go.
constexpr int64_t UnixToYear1(int64_t seconds) {
  return static_cast<int64_t>(static_cast<uint64_t>(seconds) + kUnixEpochSeconds);
}
constexpr int64_t Year1ToUnix(int64_t seconds) {
  return static_cast<int64_t>(static_cast<uint64_t>(seconds) - kUnixEpochSeconds);
}

// A point in time: `micros` (0 to 999999) microseconds after `seconds`.
struct MicroSeconds {
  int64_t seconds = 0;
  int32_t micros = 0;

  friend constexpr bool operator==(const MicroSeconds&, const MicroSeconds&) = default;
  friend constexpr std::strong_ordering operator<=>(const MicroSeconds&,
                                                    const MicroSeconds&) = default;
};

// Parses an RFC 3339 time and drops the fraction of the second. Returns nullopt if `text` is
// malformed. Go: `time.Parse(time.RFC3339, text)`.
//
// Like Go it accepts "T3:04:05", a comma before the fraction, and offsets up to 24:60. It is strict
// about upper case and the day of the month, and rejects leap seconds.
std::optional<int64_t> ParseRfc3339(absl::string_view text);

// Parses like ParseRfc3339, but requires a fraction of six digits. Go:
// `time.Parse("2006-01-02T15:04:05.000000Z07:00", text)`.
std::optional<MicroSeconds> ParseRfc3339Micro(absl::string_view text);

// The maximum number of characters that the functions below write.
inline constexpr size_t kMaxRfc3339Size = 40;

// Write "2006-01-02T15:04:05Z" or "2006-01-02T15:04:05.000000Z" to `out`, which must have room for
// kMaxRfc3339Size characters, and return the end. Years have four digits, from 10000 on more; years
// before 0 have a minus sign.
char* WriteRfc3339(int64_t seconds, char* out);
char* WriteRfc3339Micro(MicroSeconds time, char* out);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_TIME_TEXT_H_
