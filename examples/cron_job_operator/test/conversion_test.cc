#include "examples/cron_job_operator/conversion.h"

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "examples/cron_job_operator/v1.kube.h"
#include "examples/cron_job_operator/v2.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tutorial {
namespace {

using kube::base::IsOk;
using kube::base::StatusIs;
using testing::HasSubstr;

TEST(Conversion, AStoredCronJob_IsTheSameAfterThereAndBack) {
  v1::CronJob before;
  before.spec.schedule = "*/5 9-17 * * 1-5";
  before.spec.starting_deadline_seconds = 30;
  before.spec.concurrency_policy = "Replace";
  before.spec.suspend = true;
  before.spec.job_template.metadata.labels["a"] = "b";
  before.spec.job_template.spec.parallelism = 2;
  before.spec.successful_jobs_history_limit = 4;
  before.spec.failed_jobs_history_limit = 0;
  before.status.active.emplace_back().name = "a-job";
  v2::CronJob middle;
  ASSERT_THAT(FromHub(before, middle), IsOk());
  EXPECT_EQ(middle.spec.schedule.minute, "*/5");
  EXPECT_EQ(middle.spec.schedule.hour, "9-17");
  EXPECT_EQ(middle.spec.schedule.day_of_month, "");
  EXPECT_EQ(middle.spec.schedule.month, "");
  EXPECT_EQ(middle.spec.schedule.day_of_week, "1-5");
  v1::CronJob after;
  ASSERT_THAT(ToHub(middle, after), IsOk());
  EXPECT_EQ(after, before);
}

TEST(Conversion, AStructureWithoutFields_IsEachMinute) {
  v1::CronJob hub;
  ASSERT_THAT(ToHub(v2::CronJob(), hub), IsOk());
  EXPECT_EQ(hub.spec.schedule, "* * * * *");
}

TEST(Conversion, AnotherNumberOfFields_IsInvalidArgument) {
  for (const char* const schedule : {"", "@daily", "1 2 * * * *"}) {
    v1::CronJob hub;
    hub.spec.schedule = schedule;
    v2::CronJob cron_job;
    EXPECT_THAT(FromHub(hub, cron_job),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("has not 5 fields")));
  }
}

}  // namespace
}  // namespace tutorial
