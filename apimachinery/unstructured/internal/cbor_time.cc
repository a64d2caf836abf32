#include "apimachinery/unstructured/internal/cbor_time.h"

#include <cmath>
#include <cstddef>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "apimachinery/base/text/time_text.h"

namespace kube::unstructured::internal {
namespace {

// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
constexpr int64_t kFirstSecond = -62'167'219'200;
constexpr int64_t kLastSecond = 253'402'300'799;

constexpr size_t kMaxFraction = 9;

// Returns "2006-01-02T15:04:05", for seconds since year 1.
std::string WithoutZone(int64_t seconds) {
  char text[text::kMaxRfc3339Size];
  const char* const end = text::WriteRfc3339(seconds, text);
  return std::string(text, static_cast<size_t>(end - text) - 1);
}

// Returns ".5", or "" for zeros.
std::string Fraction(absl::string_view digits) {
  digits = digits.substr(0, kMaxFraction);
  while (!digits.empty() && digits.back() == '0') digits.remove_suffix(1);
  return digits.empty() ? "" : absl::StrCat(".", digits);
}

absl::string_view FractionOf(absl::string_view text) {
  const size_t point = text.find_first_of(".,");
  if (point == absl::string_view::npos) return "";
  size_t end = point + 1;
  while (end < text.size() && absl::ascii_isdigit(static_cast<unsigned char>(text[end]))) ++end;
  return text.substr(point + 1, end - point - 1);
}

// Returns the minutes east of Greenwich that the end of a valid time says.
int OffsetOf(absl::string_view text) {
  if (text.back() == 'Z') return 0;
  const absl::string_view zone = text.substr(text.size() - 6);
  int hours = 0;
  int minutes = 0;
  if (!absl::SimpleAtoi(zone.substr(1, 2), &hours) || !absl::SimpleAtoi(zone.substr(4), &minutes)) {
    return 0;
  }
  return (zone[0] == '-' ? -1 : 1) * (hours * 60 + minutes);
}

std::optional<std::string> UnixTime(int64_t seconds, int64_t nanos) {
  if (seconds < kFirstSecond || seconds > kLastSecond) return std::nullopt;
  return absl::StrCat(WithoutZone(text::UnixToYear1(seconds)),
                      Fraction(absl::StrFormat("%09d", nanos)), "Z");
}

}  // namespace

std::optional<std::string> NormalRfc3339(absl::string_view text) {
  const std::optional<int64_t> seconds = text::ParseRfc3339(text);
  if (!seconds.has_value()) return std::nullopt;
  const int offset = OffsetOf(text);
  const int size = std::abs(offset);
  if (size >= 24 * 60) return std::nullopt;
  const std::string zone =
      offset == 0 ? "Z"
                  : absl::StrFormat("%c%02d:%02d", offset < 0 ? '-' : '+', size / 60, size % 60);
  return absl::StrCat(WithoutZone(*seconds + int64_t{60} * offset), Fraction(FractionOf(text)),
                      zone);
}

std::optional<std::string> UnixToRfc3339(int64_t seconds) { return UnixTime(seconds, 0); }

std::optional<std::string> UnixToRfc3339(double seconds) {
  double whole = 0;
  const double fraction = std::modf(seconds, &whole);
  if (!(whole >= static_cast<double>(kFirstSecond) && whole <= static_cast<double>(kLastSecond))) {
    return std::nullopt;
  }
  const auto nanos = static_cast<int64_t>(fraction * 1e9);
  const auto unix_seconds = static_cast<int64_t>(whole);
  return nanos < 0 ? UnixTime(unix_seconds - 1, nanos + 1'000'000'000)
                   : UnixTime(unix_seconds, nanos);
}

}  // namespace kube::unstructured::internal
