// Functions of strings, times and durations.
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/civil_time.h"
#include "apimachinery/cel/internal/library/standard_library.h"
#include "apimachinery/cel/internal/library/text_search.h"
#include "apimachinery/cel/internal/regexp.h"
#include "apimachinery/cel/internal/time.h"

namespace kube::cel::internal {
namespace {

// ---- strings

template <bool (*Test)(absl::string_view text, absl::string_view part)>
Value TestText(const Call& call) {
  if (!call[0].is_string() || !call[1].is_string()) return NoSuchOverload();
  return Value::FromBool(Test(call[0].text(), call[1].text()));
}

bool HasPart(absl::string_view text, absl::string_view part) {
  return part.empty() || FindText(text, part) != absl::string_view::npos;
}
bool HasPrefix(absl::string_view text, absl::string_view part) {
  return absl::StartsWith(text, part);
}
bool HasSuffix(absl::string_view text, absl::string_view part) {
  return absl::EndsWith(text, part);
}

Value Matches(const Call& call) {
  if (!call[0].is_string()) {
    const bool has_methods =
        call[0].kind() == ValueKind::kDuration || call[0].kind() == ValueKind::kTimestamp;
    return has_methods ? NoSuchOverload() : Value::Error("no such overload: matches");
  }
  if (call.regexp != nullptr) return Value::FromBool(call.regexp->Matches(call[0].text()));
  if (!call[1].is_string()) return NoSuchOverload();
  const absl::StatusOr<std::shared_ptr<const Regexp>> regexp =
      call.regexps.Get(call[1].text(), call.budget);
  if (!regexp.ok()) return Value::Error(std::string(regexp.status().message()));
  return Value::FromBool((*regexp)->Matches(call[0].text()));
}

// ---- times

int64_t FullYear(const absl::CivilSecond& time) { return time.year(); }
int64_t Month(const absl::CivilSecond& time) { return time.month() - 1; }
int64_t DayOfYear(const absl::CivilSecond& time) { return absl::GetYearDay(time) - 1; }
int64_t DayOfMonth(const absl::CivilSecond& time) { return time.day() - 1; }
int64_t Date(const absl::CivilSecond& time) { return time.day(); }
int64_t DayOfWeek(const absl::CivilSecond& time) {
  // Sunday is 0, and the last day of absl's week.
  return (static_cast<int64_t>(absl::GetWeekday(time)) + 1) % 7;
}
int64_t Hours(const absl::CivilSecond& time) { return time.hour(); }
int64_t Minutes(const absl::CivilSecond& time) { return time.minute(); }
int64_t Seconds(const absl::CivilSecond& time) { return time.second(); }

absl::StatusOr<absl::CivilSecond> CivilOf(const Call& call) {
  return ToCivil(call[0].timestamp(), call.size() > 1 ? call[1].text() : "UTC");
}

template <int64_t (*Part)(const absl::CivilSecond& time)>
Value TimePart(const Call& call) {
  const absl::StatusOr<absl::CivilSecond> time = CivilOf(call);
  if (!time.ok()) return Value::Error(std::string(time.status().message()));
  return Value::FromInt(Part(*time));
}

Value TimeMilliseconds(const Call& call) {
  const absl::StatusOr<absl::CivilSecond> time = CivilOf(call);
  if (!time.ok()) return Value::Error(std::string(time.status().message()));
  return Value::FromInt(call[0].timestamp().nanoseconds / 1'000'000);
}

// Returns the duration in a unit of this many seconds, computed with a double as in Go.
template <int64_t seconds>
Value DurationIn(const Call& call) {
  constexpr int64_t kUnit = seconds * kNanosecondsPerSecond;
  const int64_t duration = call[0].duration();
  const double amount = static_cast<double>(duration / kUnit) +
                        static_cast<double>(duration % kUnit) / static_cast<double>(kUnit);
  return Value::FromInt(static_cast<int64_t>(amount));
}

Value DurationMilliseconds(const Call& call) {
  return Value::FromInt(call[0].duration() / 1'000'000);
}

void AddGetter(Functions& functions, absl::string_view name, absl::string_view id,
               Implementation implementation) {
  functions.AddMember(name, id, {TimestampType()}, IntType(), implementation);
  functions.AddMember(name, absl::StrCat(id, "_with_tz"), {TimestampType(), StringType()},
                      IntType(), implementation);
}

}  // namespace

void AddStringFunctions(Functions& functions) {
  const TypePtr& text = StringType();
  functions.AddMember("contains", "contains_string", {text, text}, BoolType(), TestText<HasPart>);
  functions.SetUnguarded("contains");
  functions.AddMember("endsWith", "ends_with_string", {text, text}, BoolType(),
                      TestText<HasSuffix>);
  functions.SetUnguarded("endsWith");
  functions.AddMember("startsWith", "starts_with_string", {text, text}, BoolType(),
                      TestText<HasPrefix>);
  functions.SetUnguarded("startsWith");
  functions.AddGlobal("matches", "matches", {text, text}, BoolType());
  functions.AddMember("matches", "matches_string", {text, text}, BoolType());
  functions.SetCommon("matches", Matches);
}

void AddTimeFunctions(Functions& functions) {
  AddGetter(functions, "getFullYear", "timestamp_to_year", TimePart<FullYear>);
  AddGetter(functions, "getMonth", "timestamp_to_month", TimePart<Month>);
  AddGetter(functions, "getDayOfYear", "timestamp_to_day_of_year", TimePart<DayOfYear>);
  AddGetter(functions, "getDayOfMonth", "timestamp_to_day_of_month", TimePart<DayOfMonth>);
  AddGetter(functions, "getDate", "timestamp_to_day_of_month_1_based", TimePart<Date>);
  AddGetter(functions, "getDayOfWeek", "timestamp_to_day_of_week", TimePart<DayOfWeek>);
  AddGetter(functions, "getHours", "timestamp_to_hours", TimePart<Hours>);
  AddGetter(functions, "getMinutes", "timestamp_to_minutes", TimePart<Minutes>);
  AddGetter(functions, "getSeconds", "timestamp_to_seconds", TimePart<Seconds>);
  AddGetter(functions, "getMilliseconds", "timestamp_to_milliseconds", TimeMilliseconds);
  const TypePtr& span = DurationType();
  functions.AddMember("getHours", "duration_to_hours", {span}, IntType(), DurationIn<3'600>);
  functions.AddMember("getMinutes", "duration_to_minutes", {span}, IntType(), DurationIn<60>);
  functions.AddMember("getSeconds", "duration_to_seconds", {span}, IntType(), DurationIn<1>);
  functions.AddMember("getMilliseconds", "duration_to_milliseconds", {span}, IntType(),
                      DurationMilliseconds);
}

}  // namespace kube::cel::internal
