#include "apimachinery/cel/internal/time.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <ios>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/text/duration_text.h"
#include "apimachinery/base/text/go_int.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/base/text/time_text.h"

namespace kube::cel::internal {
namespace {

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

size_t CountDigits(absl::string_view text) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), IsDigit) - text.begin());
}

// Returns the nanoseconds of the digits of a fraction.
int32_t FractionOf(absl::string_view digits) {
  int32_t value = 0;
  for (size_t i = 0; i < 9; ++i) value = value * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  return value;
}

int TwoDigits(absl::string_view text) { return (text[0] - '0') * 10 + (text[1] - '0'); }

// ---- time zones

bool IsZoneName(absl::string_view name) {
  constexpr size_t kMaxSize = 64;
  return name.size() <= kMaxSize && name[0] != '/' && absl::c_all_of(name, [](char c) {
           return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '+' ||
                  c == '-' || c == '/';
         });
}

// absl keeps each name that it was ever asked for in memory, so only names that exist are asked
// for.
bool ZoneExists(absl::string_view name) {
  if (!IsZoneName(name)) return false;
  std::ifstream file(absl::StrCat("/usr/share/zoneinfo/", name), std::ios::binary);
  char start[4] = {};
  file.read(start, sizeof(start));
  return file.gcount() == 4 && absl::string_view(start, sizeof(start)) == "TZif";
}

absl::StatusOr<int64_t> ParseGoAtoi(absl::string_view text) {
  constexpr int64_t kMax = 1'000'000;
  const text::GoInt<int64_t> number = text::ParseGoInt(text);
  if (!number.ok()) {
    return absl::InvalidArgumentError(text::GoIntErrorText("Atoi", text, number.error));
  }
  if (number.value > kMax || number.value < -kMax) {
    return absl::InvalidArgumentError("time zone offset is out of range");
  }
  return number.value;
}

absl::CivilSecond UtcAt(int64_t seconds) {
  return absl::ToCivilSecond(absl::FromUnixSeconds(seconds), absl::UTCTimeZone());
}

// ---- units of durations that are not Go's

struct Unit {
  std::vector<absl::string_view> exact;
  absl::string_view prefix;
  int64_t nanoseconds;
};

int64_t UnitOf(absl::string_view name) {
  constexpr int64_t kSecond = kNanosecondsPerSecond;
  const Unit units[] = {
      {{"ns"}, "nano", 1},
      {{"us", "\xc2\xb5s"}, "micro", 1'000},
      {{"ms"}, "milli", 1'000'000},
      {{"s"}, "sec", kSecond},
      {{"m"}, "min", 60 * kSecond},
      {{"h", "hr"}, "hour", 3'600 * kSecond},
      {{"d"}, "day", 86'400 * kSecond},
      {{"w", "wk"}, "week", 7 * 86'400 * kSecond},
  };
  const std::string lower = absl::AsciiStrToLower(name);
  for (const Unit& unit : units) {
    if (absl::c_linear_search(unit.exact, lower) || absl::StartsWith(lower, unit.prefix)) {
      return unit.nanoseconds;
    }
  }
  return 0;
}

// Returns the size of the letters at the start of the text.
size_t CountLetters(absl::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    if (absl::StartsWith(text.substr(i), "\xc2\xb5")) {
      i += 2;
    } else if (absl::ascii_isalpha(static_cast<unsigned char>(text[i]))) {
      ++i;
    } else {
      break;
    }
  }
  return i;
}

}  // namespace

std::optional<TimestampValue> ParseTimestamp(absl::string_view text) {
  const std::optional<int64_t> seconds = text::ParseRfc3339(text);
  if (!seconds.has_value()) return std::nullopt;
  TimestampValue time = {.seconds = text::Year1ToUnix(*seconds)};
  // What follows was checked: a fraction, and "Z" or an offset such as "+01:00".
  const bool utc = absl::EndsWith(text, "Z");
  const size_t zone = text.size() - (utc ? 1 : 6);
  const size_t mark = text.substr(0, zone).find_first_of(".,");
  if (mark != absl::string_view::npos) {
    time.nanoseconds = FractionOf(text.substr(mark + 1, zone - mark - 1));
  }
  if (!utc) {
    const int offset =
        TwoDigits(text.substr(zone + 1)) * 3'600 + TwoDigits(text.substr(zone + 4)) * 60;
    time.offset_seconds = text[zone] == '-' ? -offset : offset;
  }
  return time;
}

std::string FormatTimestamp(const TimestampValue& time) {
  char buffer[text::kMaxRfc3339Size];
  const char* end =
      text::WriteRfc3339(text::UnixToYear1(time.seconds + time.offset_seconds), buffer);
  // Without the "Z".
  std::string out(buffer, static_cast<size_t>(end - buffer) - 1);
  if (time.nanoseconds != 0) {
    std::string digits = absl::StrCat(kNanosecondsPerSecond + time.nanoseconds).substr(1);
    digits.resize(digits.find_last_not_of('0') + 1);
    absl::StrAppend(&out, ".", digits);
  }
  if (time.offset_seconds == 0) return out + "Z";
  const int minutes = (time.offset_seconds < 0 ? -time.offset_seconds : time.offset_seconds) / 60;
  return absl::StrCat(out, time.offset_seconds < 0 ? "-" : "+",
                      absl::Dec(minutes / 60, absl::kZeroPad2), ":",
                      absl::Dec(minutes % 60, absl::kZeroPad2));
}

std::optional<TimestampValue> ParseDate(absl::string_view text) {
  if (text.size() != 10) return std::nullopt;
  return ParseTimestamp(absl::StrCat(text, "T00:00:00Z"));
}

std::optional<TimestampValue> ParseDateTime(absl::string_view text) {
  if (text.empty()) return TimestampValue{};
  const std::optional<TimestampValue> time = ParseTimestamp(text);
  return time.has_value() ? time : ParseTimestamp(absl::StrCat(text, "Z"));
}

std::optional<int64_t> ParseAnyDuration(absl::string_view text) {
  if (const std::optional<int64_t> duration = text::ParseGoDuration(text)) return duration;
  uint64_t sum = 0;
  bool found = false;
  while (!text.empty()) {
    const size_t digits = CountDigits(text);
    if (digits == 0) {
      text.remove_prefix(1);
      continue;
    }
    const text::GoInt<int64_t> factor = text::ParseGoInt(text.substr(0, digits));
    text.remove_prefix(digits);
    const absl::string_view rest = absl::StripLeadingAsciiWhitespace(text);
    const size_t letters = CountLetters(rest);
    if (letters == 0) continue;
    if (!factor.ok()) return std::nullopt;
    const int64_t unit = UnitOf(rest.substr(0, letters));
    // Wraps around, as in Go.
    sum += static_cast<uint64_t>(factor.value) * static_cast<uint64_t>(unit);
    found = found || unit != 0;
    text = rest.substr(letters);
  }
  if (!found) return std::nullopt;
  return static_cast<int64_t>(sum);
}

double ToSeconds(int64_t nanoseconds) {
  return static_cast<double>(nanoseconds / kNanosecondsPerSecond) +
         static_cast<double>(nanoseconds % kNanosecondsPerSecond) / 1e9;
}

std::string FormatSeconds(int64_t nanoseconds) { return text::FormatFixed(ToSeconds(nanoseconds)); }

std::optional<TimestampValue> Add(const TimestampValue& time, int64_t nanoseconds) {
  TimestampValue sum = time;
  sum.seconds += nanoseconds / kNanosecondsPerSecond;
  int64_t rest = time.nanoseconds + nanoseconds % kNanosecondsPerSecond;
  if (rest < 0) {
    rest += kNanosecondsPerSecond;
    --sum.seconds;
  } else if (rest >= kNanosecondsPerSecond) {
    rest -= kNanosecondsPerSecond;
    ++sum.seconds;
  }
  sum.nanoseconds = static_cast<int32_t>(rest);
  if (sum.seconds < kMinTimestamp || sum.seconds > kMaxTimestamp) return std::nullopt;
  return sum;
}

std::optional<int64_t> Subtract(const TimestampValue& a, const TimestampValue& b) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a.seconds - b.seconds, kNanosecondsPerSecond, &result) ||
      __builtin_add_overflow(result, int64_t{a.nanoseconds} - b.nanoseconds, &result)) {
    return std::nullopt;
  }
  return result;
}

int Compare(const TimestampValue& a, const TimestampValue& b) {
  if (a.seconds != b.seconds) return a.seconds < b.seconds ? -1 : 1;
  if (a.nanoseconds != b.nanoseconds) return a.nanoseconds < b.nanoseconds ? -1 : 1;
  return 0;
}

absl::StatusOr<absl::CivilSecond> ToCivil(const TimestampValue& time, absl::string_view zone) {
  // The machine's zone would make results differ from server to server.
  if (zone.empty() || zone == "UTC" || zone == "Local") return UtcAt(time.seconds);
  const size_t colon = zone.find(':');
  if (colon == absl::string_view::npos) {
    absl::TimeZone found;
    if (!ZoneExists(zone) || !absl::LoadTimeZone(zone, &found)) {
      return absl::InvalidArgumentError(absl::StrCat("unknown time zone ", zone));
    }
    return absl::ToCivilSecond(absl::FromUnixSeconds(time.seconds), found);
  }
  const absl::StatusOr<int64_t> hours = ParseGoAtoi(zone.substr(0, colon));
  if (!hours.ok()) return hours.status();
  const absl::StatusOr<int64_t> minutes = ParseGoAtoi(zone.substr(colon + 1));
  if (!minutes.ok()) return minutes.status();
  const int64_t offset = *hours * 60 + (zone[0] == '-' ? -*minutes : *minutes);
  return UtcAt(time.seconds + offset * 60);
}

}  // namespace kube::cel::internal
