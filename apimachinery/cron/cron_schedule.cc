#include "apimachinery/cron/cron_schedule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/parse.h"

namespace kube::cron {
namespace {

// Marks a field with a star. Then both the day of the month and the day of the week must match;
// otherwise one of them is enough.
constexpr uint64_t kStar = uint64_t{1} << 63;

struct Bounds {
  uint32_t min;
  uint32_t max;
  absl::string_view names = {};  // of three letters each, starting with that of `min`
};
constexpr Bounds kMinutes = {0, 59};
constexpr Bounds kHours = {0, 23};
constexpr Bounds kDays = {1, 31};
constexpr Bounds kMonths = {1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"};
constexpr Bounds kWeekdays = {0, 6, "sunmontuewedthufrisat"};

uint64_t Bit(int64_t value) { return uint64_t{1} << value; }

absl::Status Invalid(absl::string_view message) { return absl::InvalidArgumentError(message); }

absl::StatusOr<uint32_t> ParseNumber(absl::string_view text) {
  int32_t number = 0;
  if (!absl::SimpleAtoi(text, &number)) {
    return Invalid(absl::StrCat("failed to parse int from ", text, ": strconv.Atoi: parsing \"",
                                text, "\": invalid syntax"));
  }
  if (number < 0) {
    return Invalid(absl::StrCat("negative number (", number, ") not allowed: ", text));
  }
  return static_cast<uint32_t>(number);
}

absl::StatusOr<uint32_t> ParseNumberOrName(absl::string_view text, const Bounds& bounds) {
  const std::string lower = absl::AsciiStrToLower(text);
  for (size_t at = 0; at < bounds.names.size(); at += 3) {
    if (bounds.names.substr(at, 3) == lower) return bounds.min + static_cast<uint32_t>(at / 3);
  }
  return ParseNumber(text);
}

// Parses "*", "5", "1-5", "*/2", "1-5/2" or "5/2", which means 5-max/2.
absl::StatusOr<uint64_t> ParseRange(absl::string_view text, const Bounds& bounds) {
  const std::vector<absl::string_view> range_and_step = absl::StrSplit(text, '/');
  const std::vector<absl::string_view> ends = absl::StrSplit(range_and_step[0], '-');
  uint32_t first = bounds.min;
  uint32_t last = bounds.max;
  uint32_t step = 1;
  const bool star = ends[0] == "*" || ends[0] == "?";
  if (!star) {
    KUBE_ASSIGN_OR_RETURN(first, ParseNumberOrName(ends[0], bounds));
    if (ends.size() > 2) return Invalid(absl::StrCat("too many hyphens: ", text));
    last = first;
    if (ends.size() == 2) {
      KUBE_ASSIGN_OR_RETURN(last, ParseNumberOrName(ends[1], bounds));
    }
  }
  if (range_and_step.size() > 2) return Invalid(absl::StrCat("too many slashes: ", text));
  if (range_and_step.size() == 2) {
    KUBE_ASSIGN_OR_RETURN(step, ParseNumber(range_and_step[1]));
    if (ends.size() == 1) last = bounds.max;
  }
  if (first < bounds.min) {
    return Invalid(
        absl::StrCat("beginning of range (", first, ") below minimum (", bounds.min, "): ", text));
  }
  if (last > bounds.max) {
    return Invalid(
        absl::StrCat("end of range (", last, ") above maximum (", bounds.max, "): ", text));
  }
  if (first > last) {
    return Invalid(
        absl::StrCat("beginning of range (", first, ") beyond end of range (", last, "): ", text));
  }
  if (step == 0) {
    return Invalid(absl::StrCat("step of range should be a positive number: ", text));
  }
  uint64_t values = star && step == 1 ? kStar : 0;
  for (uint64_t value = first; value <= last; value += step) {
    values |= Bit(static_cast<int64_t>(value));
  }
  return values;
}

absl::StatusOr<uint64_t> ParseField(absl::string_view text, const Bounds& bounds) {
  uint64_t values = 0;
  for (const absl::string_view each : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    KUBE_ASSIGN_OR_RETURN(const uint64_t range, ParseRange(each, bounds));
    values |= range;
  }
  return values;
}

// Returns the fields that a name such as "@daily" stands for, or "" if it is unknown.
absl::string_view FieldsOf(absl::string_view name) {
  if (name == "@yearly" || name == "@annually") return "0 0 1 1 *";
  if (name == "@monthly") return "0 0 1 * *";
  if (name == "@weekly") return "0 0 * * 0";
  if (name == "@daily" || name == "@midnight") return "0 0 * * *";
  if (name == "@hourly") return "0 * * * *";
  return "";
}

// Removes the prefix of "TZ=Europe/Berlin 0 3 * * *" and returns the zone.
absl::StatusOr<absl::TimeZone> TakeZone(absl::string_view& text, absl::TimeZone otherwise) {
  if (!absl::StartsWith(text, "TZ=") && !absl::StartsWith(text, "CRON_TZ=")) return otherwise;
  const size_t begin = text.find('=') + 1;
  const size_t end = text.find(' ');
  if (end == absl::string_view::npos) return Invalid("invalid schedule format: no fields");
  const absl::string_view name = text.substr(begin, end - begin);
  absl::TimeZone zone;
  if (!absl::LoadTimeZone(name.empty() ? "UTC" : std::string(name), &zone)) {
    return Invalid(absl::StrCat("provided bad location ", name, ": unknown time zone ", name));
  }
  text = absl::StripAsciiWhitespace(text.substr(end));
  return zone;
}

}  // namespace

absl::StatusOr<CronSchedule> CronSchedule::Parse(absl::string_view text, absl::TimeZone zone) {
  if (text.empty()) return Invalid("empty spec string");
  CronSchedule schedule;
  KUBE_ASSIGN_OR_RETURN(schedule.zone_, TakeZone(text, zone));
  constexpr absl::string_view kEvery = "@every ";
  if (absl::StartsWith(text, kEvery)) {
    const absl::string_view length = text.substr(kEvery.size());
    const absl::StatusOr<Duration> interval = ParseDuration(length);
    if (!interval.ok()) {
      return Invalid(absl::StrCat("failed to parse duration ", text, ": time: invalid duration \"",
                                  length, "\""));
    }
    const absl::Duration whole = absl::Trunc(interval->ToAbslDuration(), absl::Seconds(1));
    schedule.interval_ = std::max(whole, absl::Seconds(1));
    return schedule;
  }
  if (absl::StartsWith(text, "@")) {
    const absl::string_view fields = FieldsOf(text);
    if (fields.empty()) return Invalid(absl::StrCat("unrecognized descriptor: ", text));
    text = fields;
  }
  KUBE_RETURN_IF_ERROR(schedule.ParseFields(text));
  return schedule;
}

absl::Status CronSchedule::ParseFields(absl::string_view text) {
  const std::vector<absl::string_view> fields =
      absl::StrSplit(text, absl::ByAnyChar(" \t\n\v\f\r"), absl::SkipEmpty());
  if (fields.size() != 5) {
    return Invalid(absl::StrCat("expected exactly 5 fields, found ", fields.size(), ": [",
                                absl::StrJoin(fields, " "), "]"));
  }
  KUBE_ASSIGN_OR_RETURN(minutes_, ParseField(fields[0], kMinutes));
  KUBE_ASSIGN_OR_RETURN(hours_, ParseField(fields[1], kHours));
  KUBE_ASSIGN_OR_RETURN(days_, ParseField(fields[2], kDays));
  KUBE_ASSIGN_OR_RETURN(months_, ParseField(fields[3], kMonths));
  KUBE_ASSIGN_OR_RETURN(weekdays_, ParseField(fields[4], kWeekdays));
  return absl::OkStatus();
}

bool CronSchedule::IsDay(const absl::TimeZone::CivilInfo& day) const {
  // absl's weeks begin on Monday.
  const int weekday = (static_cast<int>(absl::GetWeekday(day.cs)) + 1) % 7;
  const bool day_fits = (days_ & Bit(day.cs.day())) != 0;
  const bool weekday_fits = (weekdays_ & Bit(weekday)) != 0;
  if (((days_ | weekdays_) & kStar) != 0) return day_fits && weekday_fits;
  return day_fits || weekday_fits;
}

// Months and days advance by the calendar, hours and minutes by elapsed time: an hour that the
// change to summer time skips never matches, and one that is repeated matches twice.
std::optional<absl::Time> CronSchedule::Next(absl::Time after) const {
  absl::Time time = absl::FromUnixSeconds(absl::ToUnixSeconds(after));
  if (interval_ != absl::ZeroDuration()) return time + interval_;
  time += absl::Seconds(1);
  const auto last_year = zone_.At(time).cs.year() + 5;
  while (true) {
    const absl::TimeZone::CivilInfo at = zone_.At(time);
    if (at.cs.year() > last_year) return std::nullopt;
    if ((months_ & Bit(at.cs.month())) == 0) {
      time = absl::FromCivil(absl::CivilMonth(at.cs) + 1, zone_);
    } else if (!IsDay(at)) {
      time = absl::FromCivil(absl::CivilDay(at.cs) + 1, zone_);
    } else if ((hours_ & Bit(at.cs.hour())) == 0) {
      time += absl::Hours(1) - absl::Minutes(at.cs.minute()) - absl::Seconds(at.cs.second());
    } else if ((minutes_ & Bit(at.cs.minute())) == 0 || at.cs.second() != 0) {
      time += absl::Minutes(1) - absl::Seconds(at.cs.second());
    } else {
      return time;
    }
  }
}

}  // namespace kube::cron
