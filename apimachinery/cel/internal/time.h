#ifndef APIMACHINERY_CEL_INTERNAL_TIME_H_
#define APIMACHINERY_CEL_INTERNAL_TIME_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "apimachinery/cel/value.h"

// Points in time and durations. Pure functions: thread-safe.
namespace kube::cel::internal {

inline constexpr int64_t kNanosecondsPerSecond = 1'000'000'000;
// The years 1 to 9999, in seconds since 1970.
inline constexpr int64_t kMinTimestamp = -62'135'596'800;
inline constexpr int64_t kMaxTimestamp = 253'402'300'799;

// Parses RFC 3339 with up to nine digits of a fraction that count. (Go: `time.Parse`)
std::optional<TimestampValue> ParseTimestamp(absl::string_view text);
// Formats as it was written: with its offset. (Go: `time.RFC3339Nano`)
std::string FormatTimestamp(const TimestampValue& time);

// Parse the formats of OpenAPI: `date`, `date-time`, `duration`. A date-time may lack its time
// zone, and the empty text is 1970. (kube-openapi: `strfmt`)
std::optional<TimestampValue> ParseDate(absl::string_view text);
std::optional<TimestampValue> ParseDateTime(absl::string_view text);
// Accepts Go's durations, and others such as "5 minutes".
std::optional<int64_t> ParseAnyDuration(absl::string_view text);

// Returns "1.5" for 1.5 seconds.
std::string FormatSeconds(int64_t nanoseconds);
double ToSeconds(int64_t nanoseconds);

// Returns the sum and the difference, or nullopt if the result is not between the years 1 and 9999.
std::optional<TimestampValue> Add(const TimestampValue& time, int64_t nanoseconds);
// Returns nullopt if the result does not fit into 64 bits.
std::optional<int64_t> Subtract(const TimestampValue& a, const TimestampValue& b);
int Compare(const TimestampValue& a, const TimestampValue& b);

// Returns the date and the time of day in a zone: a name of the IANA database, or an offset such as
// "-08:00". Returns INVALID_ARGUMENT for an unknown zone.
absl::StatusOr<absl::CivilSecond> ToCivil(const TimestampValue& time, absl::string_view zone);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_TIME_H_
