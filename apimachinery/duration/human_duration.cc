#include "apimachinery/duration/human_duration.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/runtime.h"

namespace kube::duration {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kHour = 60 * kMinute;

// Formats "5m30s", or "5m" if `minor` is zero.
std::string Two(int64_t major, absl::string_view major_unit, int64_t minor,
                absl::string_view minor_unit) {
  if (minor == 0) return absl::StrCat(major, major_unit);
  return absl::StrCat(major, major_unit, minor, minor_unit);
}

// As Go, which computes hours in floating point: one nanosecond less than a year rounds to a year.
double FloatHours(int64_t nanoseconds) {
  return static_cast<double>(nanoseconds / kHour) +
         static_cast<double>(nanoseconds % kHour) / static_cast<double>(kHour);
}

}  // namespace

std::string HumanDuration(absl::Duration duration) {
  const int64_t nanoseconds = absl::ToInt64Nanoseconds(duration);
  const int64_t seconds = nanoseconds / kSecond;
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 60 * 2) return absl::StrCat(seconds, "s");
  const int64_t minutes = nanoseconds / kMinute;
  if (minutes < 10) return Two(minutes, "m", seconds % 60, "s");
  if (minutes < 60 * 3) return absl::StrCat(minutes, "m");
  const int64_t hours = nanoseconds / kHour;
  if (hours < 8) return Two(hours, "h", minutes % 60, "m");
  if (hours < 48) return absl::StrCat(hours, "h");
  if (hours < 24 * 8) return Two(hours / 24, "d", hours % 24, "h");
  if (hours < 24 * 365 * 2) return absl::StrCat(hours / 24, "d");
  if (hours < 24 * 365 * 8) return Two(hours / 24 / 365, "y", hours / 24 % 365, "d");
  return absl::StrCat(hours / 24 / 365, "y");
}

std::string ShortHumanDuration(absl::Duration duration) {
  const int64_t nanoseconds = absl::ToInt64Nanoseconds(duration);
  const int64_t seconds = nanoseconds / kSecond;
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 60) return absl::StrCat(seconds, "s");
  if (const int64_t minutes = nanoseconds / kMinute; minutes < 60)
    return absl::StrCat(minutes, "m");
  const double float_hours = FloatHours(nanoseconds);
  const int64_t hours = static_cast<int64_t>(float_hours);
  if (hours < 24) return absl::StrCat(hours, "h");
  if (hours < 24 * 365) return absl::StrCat(hours / 24, "d");
  return absl::StrCat(static_cast<int64_t>(float_hours / 24 / 365), "y");
}

std::string Age(Time timestamp) { return Age(timestamp, base::WallNow()); }

std::string Age(Time timestamp, absl::Time now) {
  if (timestamp.IsZero()) return "<unknown>";
  return HumanDuration(now - timestamp.ToAbslTime());
}

}  // namespace kube::duration
