#include "envtest/workloads/internal/batch/cron_job.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/cluster/events.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace batchv1 = api::batch::v1;
namespace corev1 = api::core::v1;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// A full hour.
const absl::Time kNow = absl::FromUnixSeconds(1'000'000'800);

absl::Time At(absl::string_view text) {
  absl::Time time;
  EXPECT_TRUE(
      absl::ParseTime(absl::RFC3339_full, absl::StrCat("2001-09-09T", text, "Z"), &time, nullptr));
  return time;
}

// Made at 01:30.
batchv1::CronJob CronJobOf(absl::string_view schedule) {
  batchv1::CronJob cron_job;
  cron_job.metadata.name = "tick";
  cron_job.metadata.namespace_ = "default";
  cron_job.metadata.uid = "u";
  cron_job.metadata.creation_timestamp = Time(At("01:30:00"));
  cron_job.spec.schedule = schedule;
  cron_job.spec.concurrency_policy = "Allow";
  cron_job.spec.job_template.metadata.labels = {{"app", "tick"}};
  cron_job.spec.job_template.metadata.annotations = {{"team", "blue"}};
  cron_job.spec.job_template.spec.parallelism = 2;
  return cron_job;
}

// `end`: "Complete", "Failed", or "" if it runs.
std::shared_ptr<batchv1::Job> JobOf(int number, absl::string_view end) {
  auto job = std::make_shared<batchv1::Job>();
  job->metadata.name = absl::StrCat("tick-", number);
  job->metadata.namespace_ = "default";
  job->metadata.uid = absl::StrCat("job-", number);
  job->status.start_time = Time(At("01:00:00") + absl::Minutes(number));
  if (!end.empty()) {
    batchv1::JobCondition& condition = job->status.conditions.emplace_back();
    condition.type = end;
    condition.status = "True";
  }
  if (end == "Complete") {
    job->status.completion_time = Time(At("01:00:30") + absl::Minutes(number));
  }
  return job;
}

std::vector<std::string> EventsOf(const CronJobPlan& plan) {
  std::vector<std::string> events;
  for (const EventText& each : plan.events) {
    events.push_back(
        absl::StrCat(each.warning ? "Warning " : "Normal ", each.reason, ": ", each.message));
  }
  return events;
}

std::vector<std::string> NamesOf(const Objects<batchv1::Job>& jobs) {
  std::vector<std::string> names;
  for (const auto& job : jobs) names.emplace_back(job->metadata.name);
  return names;
}

std::string ActiveOf(const batchv1::CronJobStatus& status) {
  std::string active;
  for (const corev1::ObjectReference& each : status.active) {
    absl::StrAppend(&active, each.name.view(), " ");
  }
  return active;
}

TEST(PlanCronJob, EachTime_CreatesTheJobThatIsDue) {
  const struct {
    const char* what;
    const char* schedule;
    const char* last;  // scheduled; "": none was
    std::optional<int64_t> deadline;
    const char* now;
    const char* scheduled;  // "": none is
    const char* again;
  } kCases[] = {
      {"not yet", "0 * * * *", "", std::nullopt, "01:59:59", "", "02:00:00.1"},
      {"now", "0 * * * *", "", std::nullopt, "02:00:00", "02:00:00", "03:00:00.1"},
      {"a little later", "0 * * * *", "", std::nullopt, "02:10:00", "02:00:00", "03:00:00.1"},
      {"once", "0 * * * *", "02:00:00", std::nullopt, "02:10:00", "", "03:00:00.1"},
      {"the last of those missed", "0 * * * *", "", std::nullopt, "05:10:00", "05:00:00",
       "06:00:00.1"},
      {"within the deadline", "0 * * * *", "", 601, "02:10:00", "02:00:00", "03:00:00.1"},
      {"not after the deadline", "0 * * * *", "", 600, "02:10:00", "", "03:00:00.1"},
      {"after some time, not a time of day", "@every 1h", "", std::nullopt, "02:30:00", "02:30:00",
       "03:30:00.1"},
      {"the times are irregular", "0,1 * * * *", "01:01:00", std::nullopt, "04:20:00", "",
       "05:00:00.1"},
  };
  for (const auto& each : kCases) {
    batchv1::CronJob cron_job = CronJobOf(each.schedule);
    if (*each.last != '\0') cron_job.status.last_schedule_time = Time(At(each.last));
    if (each.deadline.has_value()) cron_job.spec.starting_deadline_seconds = *each.deadline;
    const CronJobPlan plan = PlanCronJob(cron_job, {}, At(each.now));
    const std::string scheduled =
        plan.create.has_value() ? absl::FormatTime("%H:%M:%S", plan.scheduled, absl::UTCTimeZone())
                                : "";
    EXPECT_EQ(scheduled, each.scheduled) << each.what;
    EXPECT_EQ(plan.again, At(each.again)) << each.what;
    EXPECT_THAT(EventsOf(plan), IsEmpty()) << each.what;
  }
}

TEST(PlanCronJob, NewJob_IsMadeFromTheTemplate) {
  const batchv1::CronJob cron_job = CronJobOf("0 * * * *");
  const CronJobPlan plan = PlanCronJob(cron_job, {}, At("02:00:00"));
  ASSERT_TRUE(plan.create.has_value());
  const batchv1::Job& job = *plan.create;
  EXPECT_EQ(job.metadata.name, absl::StrCat("tick-", absl::ToUnixSeconds(At("02:00:00")) / 60));
  EXPECT_EQ(job.metadata.labels.value_or("app", ""), "tick");
  EXPECT_EQ(job.metadata.annotations.value_or("team", ""), "blue");
  EXPECT_EQ(
      job.metadata.annotations.value_or("batch.kubernetes.io/cronjob-scheduled-timestamp", ""),
      "2001-09-09T02:00:00Z");
  EXPECT_TRUE(meta::IsControlledBy(job.metadata, cron_job.metadata));
  EXPECT_EQ(job.spec.parallelism, 2);

  batchv1::CronJobStatus status = plan.status;
  batchv1::Job created = job;
  created.metadata.uid = "new";
  EXPECT_TRUE(AddActive(created, plan.scheduled, status));
  ASSERT_THAT(status.active, SizeIs(1));
  EXPECT_EQ(status.active[0].kind, "Job");
  EXPECT_EQ(status.active[0].api_version, "batch/v1");
  EXPECT_EQ(status.active[0].uid, "new");
  EXPECT_EQ(status.last_schedule_time, Time(At("02:00:00")));
  EXPECT_FALSE(AddActive(created, plan.scheduled, status));
}

TEST(PlanCronJob, TimeZone_ScheduleIsInThatZone) {
  batchv1::CronJob cron_job = CronJobOf("0 8 * * *");  // 02:30 UTC
  cron_job.spec.time_zone = "Fixed/UTC+05:30:00";
  EXPECT_EQ(PlanCronJob(cron_job, {}, At("02:00:00")).again, At("02:30:00.1"));
  const CronJobPlan plan = PlanCronJob(cron_job, {}, At("02:30:00"));
  ASSERT_TRUE(plan.create.has_value());
  EXPECT_EQ(plan.create->metadata.annotations.value_or(
                "batch.kubernetes.io/cronjob-scheduled-timestamp", ""),
            "2001-09-09T08:00:00+05:30");
}

TEST(PlanCronJob, ConcurrencyPolicy_JobStillActive_AllowsForbidsOrReplaces) {
  const struct {
    const char* policy;
    bool creates;
    std::vector<std::string> replaced;
    std::vector<std::string> events;
  } kCases[] = {
      {"Allow", true, {}, {}},
      {"Forbid",
       false,
       {},
       {"Normal JobAlreadyActive: Not starting job because prior execution is running and "
        "concurrency policy is Forbid"}},
      {"Replace", true, {"tick-1"}, {}},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(each.policy);
    batchv1::CronJob cron_job = CronJobOf("0 * * * *");
    cron_job.spec.concurrency_policy = each.policy;
    const auto job = JobOf(1, "");
    AddActive(*job, At("01:30:00"), cron_job.status);
    const CronJobPlan plan = PlanCronJob(cron_job, {job}, At("02:00:00"));
    EXPECT_EQ(plan.create.has_value(), each.creates);
    EXPECT_EQ(NamesOf(plan.replace), each.replaced);
    EXPECT_EQ(EventsOf(plan), each.events);
    EXPECT_EQ(ActiveOf(plan.status), each.replaced.empty() ? "tick-1 " : "");
    EXPECT_EQ(plan.again, At("03:00:00.1"));
  }
}

TEST(PlanCronJob, FinishedForeignAndMissingJobs_AreReported) {
  batchv1::CronJob cron_job = CronJobOf("0 * * * *");
  const auto complete = JobOf(1, "Complete");
  const auto failed = JobOf(2, "Failed");
  const auto running = JobOf(3, "");
  for (const auto& job : {complete, failed, running, JobOf(4, "")}) {
    AddActive(*job, At("01:00:00"), cron_job.status);
  }
  const CronJobPlan plan =
      PlanCronJob(cron_job, {complete, failed, running, JobOf(5, "")}, At("01:40:00"));
  EXPECT_EQ(ActiveOf(plan.status), "tick-3 ");
  EXPECT_EQ(plan.status.last_successful_time, Time(At("01:01:30")));
  EXPECT_THAT(EventsOf(plan),
              ElementsAre("Normal SawCompletedJob: Saw completed job: tick-1, condition: Complete",
                          "Normal SawCompletedJob: Saw completed job: tick-2, condition: Failed",
                          "Warning UnexpectedJob: Saw a job that the controller did not create or "
                          "forgot: tick-5",
                          "Normal MissingJob: Active job went missing: tick-4"));
}

TEST(PlanCronJob, FinishedJobs_BeyondTheHistoryLimits_AreRemoved) {
  batchv1::CronJob cron_job = CronJobOf("0 * * * *");
  Objects<batchv1::Job> jobs;
  for (int i = 5; i > 0; --i) jobs.push_back(JobOf(i, "Complete"));
  for (int i = 6; i < 9; ++i) jobs.push_back(JobOf(i, "Failed"));
  EXPECT_THAT(PlanCronJob(cron_job, jobs, kNow).remove, IsEmpty());
  cron_job.spec.successful_jobs_history_limit = 3;
  cron_job.spec.failed_jobs_history_limit = 0;
  EXPECT_THAT(NamesOf(PlanCronJob(cron_job, jobs, kNow).remove),
              ElementsAre("tick-1", "tick-2", "tick-6", "tick-7", "tick-8"));
}

TEST(PlanCronJob, SuspendedOrInvalidSchedule_CreatesNoJob) {
  const struct {
    const char* what;
    const char* schedule;
    const char* zone;
    bool suspend;
    std::vector<std::string> events;
  } kCases[] = {
      {"suspended", "* * * * *", nullptr, true, {}},
      {"no such time",
       "0 0 31 2 *",
       nullptr,
       false,
       {"Warning InvalidSchedule: invalid schedule: 0 0 31 2 * : time difference between two "
        "schedules is less than 1 second"}},
      {"no schedule",
       "?? * *",
       nullptr,
       false,
       {"Warning UnparseableSchedule: unparseable schedule: \"?? * *\" : expected exactly 5 "
        "fields, found 3: [?? * *]"}},
      {"no zone",
       "* * * * *",
       "Nowhere/None",
       false,
       {"Warning UnknownTimeZone: invalid timeZone: \"Nowhere/None\": unknown time zone "
        "Nowhere/None"}},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(each.what);
    batchv1::CronJob cron_job = CronJobOf(each.schedule);
    cron_job.spec.suspend = each.suspend;
    if (each.zone != nullptr) cron_job.spec.time_zone = each.zone;
    const CronJobPlan plan = PlanCronJob(cron_job, {}, kNow);
    EXPECT_FALSE(plan.create.has_value());
    EXPECT_EQ(EventsOf(plan), each.events);
    EXPECT_EQ(plan.again, absl::InfiniteFuture());
  }
}

TEST(PlanCronJob, MoreThanAHundredMissedTimes_WarnsAndRunsTheLast) {
  const CronJobPlan plan =
      PlanCronJob(CronJobOf("* * * * *"), {}, At("01:30:00") + absl::Minutes(101));
  EXPECT_EQ(plan.scheduled, At("03:11:00"));
  EXPECT_THAT(
      EventsOf(plan),
      ElementsAre("Warning TooManyMissedTimes: too many missed start times. Set or decrease "
                  ".spec.startingDeadlineSeconds or check clock skew"));
  EXPECT_THAT(EventsOf(PlanCronJob(CronJobOf("* * * * *"), {}, At("03:10:00"))), IsEmpty());
}

TEST(PlanCronJob, DeletedCronJob_CreatesNoJob) {
  batchv1::CronJob cron_job = CronJobOf("* * * * *");
  cron_job.metadata.deletion_timestamp = Time(kNow);
  const auto job = JobOf(1, "Complete");
  AddActive(*job, At("01:30:00"), cron_job.status);
  const CronJobPlan plan = PlanCronJob(cron_job, {job}, kNow);
  EXPECT_FALSE(plan.create.has_value());
  EXPECT_EQ(ActiveOf(plan.status), "");
}

}  // namespace
}  // namespace kube::envtest::internal
