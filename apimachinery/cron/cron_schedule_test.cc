#include "apimachinery/cron/cron_schedule.h"

#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::cron {
namespace {

using base::IsOk;
using base::StatusIs;

absl::Time At(absl::string_view text) {
  absl::Time time;
  std::string error;
  EXPECT_TRUE(absl::ParseTime("%Y-%m-%d %H:%M:%S %Ez", text, &time, &error)) << error;
  return time;
}

// Returns the first `count` times after `after`, or the error of the schedule.
std::string TimesOf(absl::string_view text, absl::string_view after, int count,
                    absl::TimeZone zone = absl::UTCTimeZone()) {
  const absl::StatusOr<CronSchedule> schedule = CronSchedule::Parse(text, zone);
  if (!schedule.ok()) return std::string(schedule.status().message());
  std::vector<std::string> times;
  absl::Time time = At(after);
  for (int i = 0; i < count; ++i) {
    const std::optional<absl::Time> next = schedule->Next(time);
    if (!next.has_value()) {
      times.emplace_back("never");
      break;
    }
    time = *next;
    times.push_back(absl::FormatTime("%m-%d %H:%M:%S", time, zone));
  }
  return absl::StrJoin(times, ", ");
}

TEST(CronSchedule, Next_IsTheFirstTimeAfterwards) {
  const struct {
    const char* schedule;
    const char* after;
    const char* times;
  } kCases[] = {
      {"* * * * *", "2026-01-01 00:00:00 Z", "01-01 00:01:00, 01-01 00:02:00, 01-01 00:03:00"},
      {"*/20 * * * *", "2026-01-01 00:19:59 Z", "01-01 00:20:00, 01-01 00:40:00, 01-01 01:00:00"},
      {"5/20 * * * ?", "2026-01-01 00:25:00 Z", "01-01 00:45:00, 01-01 01:05:00, 01-01 01:25:00"},
      {"1,3-4 22-23/1 * * *", "2026-01-01 22:03:00 Z",
       "01-01 22:04:00, 01-01 23:01:00, 01-01 23:03:00"},
      {"0 9 * * mon-FRI", "2026-01-02 09:00:00 Z",
       "01-05 09:00:00, 01-06 09:00:00, 01-07 09:00:00"},
      {"0 0 31 * *", "2026-01-31 00:00:00 Z", "03-31 00:00:00, 05-31 00:00:00, 07-31 00:00:00"},
      {"0 0 29 feb *", "2025-01-01 00:00:00 Z", "02-29 00:00:00, 02-29 00:00:00, 02-29 00:00:00"},
      {"0 0 13 * fri", "2026-02-01 00:00:00 Z", "02-06 00:00:00, 02-13 00:00:00, 02-20 00:00:00"},
      {"0 0 */2 * fri", "2026-02-01 00:00:00 Z", "02-03 00:00:00, 02-05 00:00:00, 02-06 00:00:00"},
      {"0 0 * * 0", "2026-02-01 00:00:00 Z", "02-08 00:00:00, 02-15 00:00:00, 02-22 00:00:00"},
      {"0 0 31 2 *", "2026-01-01 00:00:00 Z", "never"},
      {", * * * *", "2026-01-01 00:00:00 Z", "never"},
      {"@hourly", "2026-01-01 00:00:00 Z", "01-01 01:00:00, 01-01 02:00:00, 01-01 03:00:00"},
      {"@midnight", "2026-01-01 00:00:00 Z", "01-02 00:00:00, 01-03 00:00:00, 01-04 00:00:00"},
      {"@weekly", "2026-01-01 00:00:00 Z", "01-04 00:00:00, 01-11 00:00:00, 01-18 00:00:00"},
      {"@monthly", "2026-01-01 00:00:00 Z", "02-01 00:00:00, 03-01 00:00:00, 04-01 00:00:00"},
      {"@yearly", "2026-02-01 00:00:00 Z", "01-01 00:00:00, 01-01 00:00:00, 01-01 00:00:00"},
      {"@every 90m", "2026-01-01 00:00:10 Z", "01-01 01:30:10, 01-01 03:00:10, 01-01 04:30:10"},
      {"@every 10ms", "2026-01-01 00:00:10 Z", "01-01 00:00:11, 01-01 00:00:12, 01-01 00:00:13"},
      {"TZ=UTC 0 5 * * *", "2026-01-01 00:00:00 Z",
       "01-01 05:00:00, 01-02 05:00:00, 01-03 05:00:00"},
  };
  for (const auto& each : kCases) {
    EXPECT_EQ(TimesOf(each.schedule, each.after, 3), each.times) << each.schedule;
  }
}

// Fields are local times of the zone, whose clock jumps from 02:00 to 03:00, and back from 03:00 to
// 02:00.
TEST(CronSchedule, Next_FollowsTheZone) {
  absl::TimeZone berlin;
  if (!absl::LoadTimeZone("Europe/Berlin", &berlin)) {
    std::cout << "SKIPPED: this machine has no time zones\n";
    GTEST_SKIP();
  }
  EXPECT_EQ(TimesOf("30 2 * * *", "2026-03-28 02:00:00 Z", 2, berlin),
            "03-30 02:30:00, 03-31 02:30:00");
  EXPECT_EQ(TimesOf("30 2 * * *", "2026-10-24 12:00:00 Z", 3, berlin),
            "10-25 02:30:00, 10-25 02:30:00, 10-26 02:30:00");
  EXPECT_EQ(TimesOf("0 0 * * *", "2026-03-28 12:00:00 Z", 2, berlin),
            "03-29 00:00:00, 03-30 00:00:00");
  const auto named = CronSchedule::Parse("CRON_TZ=Europe/Berlin 0 12 * * *");
  ASSERT_THAT(named, IsOk());
  EXPECT_EQ(named->Next(At("2026-01-01 00:00:00 Z")), At("2026-01-01 11:00:00 Z"));
}

TEST(CronSchedule, Parse_OfAWrongSchedule_IsInvalidArgument) {
  const struct {
    const char* schedule;
    const char* message;
  } kCases[] = {
      {"", "empty spec string"},
      {"error", "expected exactly 5 fields, found 1: [error]"},
      {"* * * *  * 7", "expected exactly 5 fields, found 6: [* * * * * 7]"},
      {"60 * * * *", "end of range (60) above maximum (59): 60"},
      {"* * 0 * *", "beginning of range (0) below minimum (1): 0"},
      {"* * * * 6-1", "beginning of range (6) beyond end of range (1): 6-1"},
      {"* 1-2-3 * * *", "too many hyphens: 1-2-3"},
      {"*/2/3 * * * *", "too many slashes: */2/3"},
      {"*/0 * * * *", "step of range should be a positive number: */0"},
      {"x * * * *", "failed to parse int from x: strconv.Atoi: parsing \"x\": invalid syntax"},
      {"1--2 * * * *", "too many hyphens: 1--2"},
      {"@always", "unrecognized descriptor: @always"},
      {"@every day", "failed to parse duration @every day: time: invalid duration \"day\""},
      {"TZ=0", "invalid schedule format: no fields"},
      {"TZ=Nowhere/None * * * * *",
       "provided bad location Nowhere/None: unknown time zone Nowhere/None"},
  };
  for (const auto& each : kCases) {
    EXPECT_THAT(CronSchedule::Parse(each.schedule),
                StatusIs(absl::StatusCode::kInvalidArgument, each.message))
        << each.schedule;
  }
}

absl::StatusOr<absl::Time> NextNight(absl::Time now) {
  KUBE_ASSIGN_OR_RETURN(const CronSchedule nightly, CronSchedule::Parse("0 3 * * *"));
  const std::optional<absl::Time> next = nightly.Next(now);
  return next.value_or(absl::InfiniteFuture());
}

TEST(CronSchedule, FindsTheNextNight_AsInTheHeader) {
  EXPECT_THAT(NextNight(At("2026-01-01 04:00:00 Z")),
              base::IsOkAndHolds(At("2026-01-02 03:00:00 Z")));
}

}  // namespace
}  // namespace kube::cron
