#include "examples/cron_job_operator/runs.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/cron/cron_schedule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tutorial {
namespace {

using kube::base::IsOk;
using kube::base::StatusIs;
using kube::cron::CronSchedule;
using testing::HasSubstr;

absl::Time At(const std::string& text) {
  absl::Time time;
  std::string error;
  EXPECT_TRUE(absl::ParseTime(absl::RFC3339_full, text, &time, &error)) << text << ": " << error;
  return time;
}

TEST(RunsSince, TheLatestMissedRun_AndTheNext) {
  const auto schedule = CronSchedule::Parse("0 * * * *");
  ASSERT_THAT(schedule, IsOk());
  const auto runs = RunsSince(*schedule, At("2026-01-01T00:00:00Z"), At("2026-01-01T03:00:00Z"));
  ASSERT_THAT(runs, IsOk());
  EXPECT_EQ(runs->missed, At("2026-01-01T03:00:00Z"));
  EXPECT_EQ(runs->next, At("2026-01-01T04:00:00Z"));
}

TEST(RunsSince, NothingWasMissed_ThereIsOnlyTheNext) {
  const auto schedule = CronSchedule::Parse("0 * * * *");
  ASSERT_THAT(schedule, IsOk());
  const auto runs = RunsSince(*schedule, At("2026-01-01T00:00:00Z"), At("2026-01-01T00:59:59Z"));
  ASSERT_THAT(runs, IsOk());
  EXPECT_EQ(runs->missed, std::nullopt);
  EXPECT_EQ(runs->next, At("2026-01-01T01:00:00Z"));
}

TEST(RunsSince, MoreThanAHundred_IsFailedPrecondition) {
  const auto schedule = CronSchedule::Parse("* * * * *");
  ASSERT_THAT(schedule, IsOk());
  const absl::Time since = At("2026-01-01T00:00:00Z");
  EXPECT_THAT(RunsSince(*schedule, since, since + absl::Minutes(100)), IsOk());
  EXPECT_THAT(RunsSince(*schedule, since, since + absl::Minutes(101)),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("too many missed")));
}

}  // namespace
}  // namespace tutorial
