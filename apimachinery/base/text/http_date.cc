#include "apimachinery/base/text/http_date.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"

namespace kube::text {

namespace {

// The order is that of absl::Weekday.
constexpr std::array<absl::string_view, 7> kDays = {"Mon", "Tue", "Wed", "Thu",
                                                    "Fri", "Sat", "Sun"};
constexpr std::array<absl::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
// The format: 0 stands for a digit, lower-case letters for a name, all else for itself.
constexpr absl::string_view kShape = "day, 00 mon 0000 00:00:00 GMT";

template <size_t N>
std::optional<int> IndexOf(const std::array<absl::string_view, N>& names, absl::string_view name) {
  for (size_t i = 0; i < N; ++i) {
    if (absl::EqualsIgnoreCase(names[i], name)) return static_cast<int>(i);
  }
  return std::nullopt;
}

bool HasShape(absl::string_view text) {
  if (text.size() != kShape.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (absl::ascii_islower(static_cast<unsigned char>(kShape[i]))) continue;
    const bool fits = kShape[i] == '0' ? absl::ascii_isdigit(static_cast<unsigned char>(text[i]))
                                       : text[i] == kShape[i];
    if (!fits) return false;
  }
  return true;
}

int NumberAt(absl::string_view text, size_t at, size_t digits) {
  int number = 0;
  for (const char digit : text.substr(at, digits)) number = number * 10 + (digit - '0');
  return number;
}

}  // namespace

std::string FormatHttpDate(absl::Time time) {
  const absl::CivilSecond civil = absl::ToCivilSecond(time, absl::UTCTimeZone());
  const absl::string_view day = kDays[static_cast<size_t>(absl::GetWeekday(civil))];
  const absl::string_view month = kMonths[static_cast<size_t>(civil.month() - 1)];
  return absl::StrFormat("%s, %02d %s %04d %02d:%02d:%02d GMT", day, civil.day(), month,
                         civil.year(), civil.hour(), civil.minute(), civil.second());
}

std::optional<absl::Time> ParseHttpDate(absl::string_view text) {
  if (!HasShape(text) || !IndexOf(kDays, text.substr(0, 3))) return std::nullopt;
  const std::optional<int> month = IndexOf(kMonths, text.substr(8, 3));
  if (!month.has_value()) return std::nullopt;
  const int day = NumberAt(text, 5, 2);
  const int hour = NumberAt(text, 17, 2);
  const int minute = NumberAt(text, 20, 2);
  const int second = NumberAt(text, 23, 2);
  const absl::CivilSecond civil(NumberAt(text, 12, 4), *month + 1, day, hour, minute, 0);
  // CivilSecond turns impossible days into others. A leap second, :60, becomes the next second.
  if (civil.day() != day || civil.hour() != hour || civil.minute() != minute || second > 60) {
    return std::nullopt;
  }
  return absl::FromCivil(civil + second, absl::UTCTimeZone());
}

}  // namespace kube::text
