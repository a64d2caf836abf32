#ifndef APIMACHINERY_BASE_TEXT_TIME_TEXT_H_
#define APIMACHINERY_BASE_TEXT_TIME_TEXT_H_

// RFC 3339 as Go's package time reads and writes it. Pure functions: thread-safe.
//
// Times are seconds since 0001-01-01T00:00:00Z, Go's zero time, in proleptic Gregorian UTC without
// leap seconds. Each of the 2^64 values has a text; those before March of year -292277022400
// count on from the far end of the future, as Go's do.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"

namespace kube::text {

// 1970-01-01T00:00:00Z.
inline constexpr int64_t kUnixEpochSeconds = 62'135'596'800;

// Unix seconds to seconds since year 1 and back. They wrap around at the ends, as Go's do.
constexpr int64_t UnixToYear1(int64_t seconds) {
  return static_cast<int64_t>(static_cast<uint64_t>(seconds) + kUnixEpochSeconds);
}
constexpr int64_t Year1ToUnix(int64_t seconds) {
  return static_cast<int64_t>(static_cast<uint64_t>(seconds) - kUnixEpochSeconds);
}

// A point in time: `micros` (0 to 999999) after `seconds`.
struct MicroSeconds {
  int64_t seconds = 0;
  int32_t micros = 0;

  friend constexpr bool operator==(const MicroSeconds&, const MicroSeconds&) = default;
  friend constexpr std::strong_ordering operator<=>(const MicroSeconds&,
                                                    const MicroSeconds&) = default;
};

// time.Parse(time.RFC3339, text), with the fraction of a second cut off. Nothing: not such a text.
//
// Go is lenient here and there: "T3:04:05", a comma before the fraction, offsets up to 24:60. It is
// strict about case, the day of the month, and leap seconds (there are none).
std::optional<int64_t> ParseRfc3339(absl::string_view text);

// time.Parse("2006-01-02T15:04:05.000000Z07:00", text): as above, but with a fraction of six
// digits.
std::optional<MicroSeconds> ParseRfc3339Micro(absl::string_view text);

// What the functions below write at most.
inline constexpr size_t kMaxRfc3339Size = 40;

// Write "2006-01-02T15:04:05Z" or "2006-01-02T15:04:05.000000Z" to `out`, which has room for
// kMaxRfc3339Size, and return the end. Years have four digits or, from 10000, more; before year
// 0, a minus sign.
char* WriteRfc3339(int64_t seconds, char* out);
char* WriteRfc3339Micro(MicroSeconds time, char* out);

}  // namespace kube::text

#endif  // APIMACHINERY_BASE_TEXT_TIME_TEXT_H_
