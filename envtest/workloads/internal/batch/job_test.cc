#include "envtest/workloads/internal/batch/job.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/batch/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/time.h"
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

const absl::Time kNow = absl::FromUnixSeconds(1'000'000);

batchv1::Job JobOf(std::optional<int32_t> completions, int32_t parallelism) {
  batchv1::Job job;
  job.metadata.name = "sum";
  job.metadata.namespace_ = "default";
  job.metadata.uid = "job-uid";
  if (completions.has_value()) job.spec.completions = *completions;
  job.spec.parallelism = parallelism;
  job.spec.backoff_limit = 6;
  job.spec.template_.spec.containers = {{.name = "sum"}};
  return job;
}

std::shared_ptr<corev1::Pod> PodOf(int number, absl::string_view phase, bool tracked = true) {
  auto pod = std::make_shared<corev1::Pod>();
  pod->metadata.name = absl::StrCat("sum-", number);
  pod->metadata.uid = absl::StrCat("uid-", number);
  if (tracked) pod->metadata.finalizers.push_back(kJobTracking);
  pod->status.phase = phase;
  if (phase == "Succeeded" || phase == "Failed") {
    corev1::ContainerStatus& container = pod->status.container_statuses.emplace_back();
    container.state.terminated.emplace().finished_at = Time(kNow - absl::Hours(1));
  }
  return pod;
}

Objects<corev1::Pod> PodsOf(int pending, int running, int succeeded, int failed) {
  Objects<corev1::Pod> pods;
  int number = 0;
  for (const auto& [phase, count] :
       {std::pair("Pending", pending), std::pair("Running", running),
        std::pair("Succeeded", succeeded), std::pair("Failed", failed)}) {
    for (int i = 0; i < count; ++i) pods.push_back(PodOf(number++, phase));
  }
  return pods;
}

std::vector<std::string> ConditionsOf(const batchv1::JobStatus& status) {
  std::vector<std::string> conditions;
  for (const batchv1::JobCondition& each : status.conditions) {
    conditions.push_back(
        absl::StrCat(each.type.view(), "=", each.status.view(), " ", each.reason.view()));
  }
  return conditions;
}

// TestPastBackoffLimitOnFailure's subject: containers that are started again within their pod.
TEST(PlanJob, RestartsCountTowardsTheBackOffLimit) {
  const struct {
    absl::string_view policy;
    int32_t limit;
    int32_t restarts;  // of each of two pods
    bool fails;
  } cases[] = {
      {"OnFailure", 6, 2, false}, {"OnFailure", 6, 3, true}, {"OnFailure", 0, 0, false},
      {"OnFailure", 0, 1, true},  {"Never", 6, 3, false},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(absl::StrCat(test.policy, " ", test.limit, " ", test.restarts));
    batchv1::Job job = JobOf(2, 2);
    job.spec.backoff_limit = test.limit;
    job.spec.template_.spec.restart_policy = test.policy;
    Objects<corev1::Pod> pods;
    for (int number = 0; number < 2; ++number) {
      const std::shared_ptr<corev1::Pod> pod = PodOf(number, "Running");
      pod->status.container_statuses.emplace_back().restart_count = test.restarts;
      pods.push_back(pod);
    }
    const JobPlan plan = PlanJob(job, pods, kNow);
    const std::vector<std::string> conditions =
        plan.status.has_value() ? ConditionsOf(*plan.status) : std::vector<std::string>();
    EXPECT_EQ(
        testing::Value(conditions, testing::Contains("FailureTarget=True BackoffLimitExceeded")),
        test.fails)
        << testing::PrintToString(conditions);
  }
}

// TestControllerSyncJob of job_controller_test.go: how many pods are made and deleted.
TEST(PlanJob, EachStateOfPods_CreatesAndRemovesUpToParallelism) {
  const struct {
    absl::string_view name;
    std::optional<int32_t> completions;
    int32_t parallelism;
    int pending, running, succeeded, failed;
    size_t create, remove;
  } cases[] = {
      {"job start", 5, 2, 0, 0, 0, 0, 2, 0},
      {"work queue: start", std::nullopt, 2, 0, 0, 0, 0, 2, 0},
      {"correct # of pods", 5, 2, 2, 0, 0, 0, 0, 0},
      {"too few active pods", 5, 2, 0, 1, 1, 0, 1, 0},
      {"work queue: one success is enough", std::nullopt, 2, 0, 1, 1, 0, 0, 0},
      {"too many active pods", 5, 2, 3, 0, 0, 0, 0, 1},
      {"too many, by far", 5, 2, 5, 1, 0, 0, 0, 4},
      {"not more than are missing", 5, 10, 0, 0, 4, 0, 1, 0},
      {"more active than can complete", 5, 2, 2, 0, 4, 0, 0, 1},
      {"zero parallelism", 5, 0, 2, 0, 0, 0, 0, 2},
      {"failed ones are made again", 5, 2, 0, 0, 0, 1, 2, 0},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    const JobPlan plan =
        PlanJob(JobOf(test.completions, test.parallelism),
                PodsOf(test.pending, test.running, test.succeeded, test.failed), kNow);
    EXPECT_THAT(plan.create, SizeIs(test.create));
    EXPECT_THAT(plan.remove, SizeIs(test.remove));
  }
}

TEST(PlanJob, NewPod_IsTrackedAndOwnedByTheJob) {
  const batchv1::Job job = JobOf(1, 1);
  const JobPlan plan = PlanJob(job, {}, kNow);
  ASSERT_THAT(plan.create, SizeIs(1));
  EXPECT_EQ(plan.create[0].metadata.generate_name, "sum-");
  EXPECT_TRUE(HasJobTracking(plan.create[0]));
  EXPECT_TRUE(meta::IsControlledBy(plan.create[0].metadata, job.metadata));
  ASSERT_TRUE(plan.status.has_value());
  EXPECT_EQ(plan.status->start_time, Time(kNow));
  EXPECT_EQ(plan.status->ready, 0);
}

// In three steps, as trackJobStatusAndRemoveFinalizers.
TEST(PlanJob, CountsPodsOnce) {
  batchv1::Job job = JobOf(2, 1);
  auto pod = PodOf(1, "Succeeded");
  JobPlan plan = PlanJob(job, {pod}, kNow);
  job.status = *plan.status;
  EXPECT_THAT(plan.release, IsEmpty());
  EXPECT_THAT(job.status.uncounted_terminated_pods->succeeded, ElementsAre("uid-1"));
  EXPECT_EQ(job.status.succeeded, 0);

  plan = PlanJob(job, {pod}, kNow);
  EXPECT_THAT(plan.release, ElementsAre(pod));
  EXPECT_FALSE(plan.status.has_value());
  EXPECT_THAT(plan.create, SizeIs(1)) << "one more is missing, not two";

  pod = PodOf(1, "Succeeded", /*tracked=*/false);
  plan = PlanJob(job, {pod}, kNow);
  EXPECT_THAT(plan.release, IsEmpty());
  EXPECT_EQ(plan.status->succeeded, 1);
  EXPECT_THAT(plan.status->uncounted_terminated_pods->succeeded, IsEmpty());
  EXPECT_THAT(plan.create, SizeIs(1));

  job.status = *plan.status;
  EXPECT_FALSE(PlanJob(job, {pod}, kNow).status.has_value());
  EXPECT_FALSE(PlanJob(job, {}, kNow).status.has_value()) << "the pod may go";
}

TEST(PlanJob, CompletesWhenAllIsCounted) {
  batchv1::Job job = JobOf(1, 1);
  job.status = *PlanJob(job, {PodOf(1, "Succeeded")}, kNow).status;
  EXPECT_THAT(ConditionsOf(job.status), ElementsAre("SuccessCriteriaMet=True CompletionsReached"));
  EXPECT_FALSE(job.status.completion_time.has_value());
  job.status = *PlanJob(job, {PodOf(1, "Succeeded", false)}, kNow).status;
  EXPECT_THAT(ConditionsOf(job.status), ElementsAre("SuccessCriteriaMet=True CompletionsReached",
                                                    "Complete=True CompletionsReached"));
  EXPECT_EQ(job.status.completion_time, Time(kNow));
  EXPECT_EQ(job.status.conditions[1].message, "Reached expected number of succeeded pods");
  const auto late = PodOf(2, "Running");
  const JobPlan plan = PlanJob(job, {late}, kNow);
  EXPECT_FALSE(plan.status.has_value());
  EXPECT_THAT(plan.release, ElementsAre(late));
}

TEST(PlanJob, FailsAfterTooManyFailures) {
  batchv1::Job job = JobOf(2, 2);
  job.spec.backoff_limit = 0;
  const auto running = PodOf(1, "Running");
  JobPlan plan = PlanJob(job, {running, PodOf(2, "Failed")}, kNow);
  EXPECT_THAT(plan.remove, ElementsAre(running));
  EXPECT_THAT(plan.create, IsEmpty());
  job.status = *plan.status;
  EXPECT_THAT(ConditionsOf(job.status), ElementsAre("FailureTarget=True BackoffLimitExceeded"));
  EXPECT_THAT(job.status.uncounted_terminated_pods->failed, ElementsAre("uid-1", "uid-2"));
  // Not before all of them have gone.
  auto going = PodOf(1, "Running", false);
  going->metadata.deletion_timestamp = Time(kNow);
  job.status = *PlanJob(job, {going, PodOf(2, "Failed", false)}, kNow).status;
  EXPECT_THAT(job.status.conditions, SizeIs(1));
  job.status = *PlanJob(job, {PodOf(2, "Failed", false)}, kNow).status;
  EXPECT_THAT(ConditionsOf(job.status), ElementsAre("FailureTarget=True BackoffLimitExceeded",
                                                    "Failed=True BackoffLimitExceeded"));
  EXPECT_EQ(job.status.failed, 2);
}

TEST(PlanJob, FailsAtItsDeadline) {
  batchv1::Job job = JobOf(1, 1);
  job.spec.active_deadline_seconds = 60;
  const auto pod = PodOf(1, "Running");
  JobPlan plan = PlanJob(job, {pod}, kNow);
  EXPECT_EQ(plan.again, kNow + absl::Seconds(60));
  job.status = *plan.status;
  plan = PlanJob(job, {pod}, kNow + absl::Seconds(60));
  EXPECT_THAT(ConditionsOf(*plan.status), ElementsAre("FailureTarget=True DeadlineExceeded"));
  EXPECT_THAT(plan.remove, ElementsAre(pod));
}

// 10 s, 20 s, 40 s ... after failures in a row. (backoff_utils.go)
TEST(PlanJob, PodsFailInARow_EachWaitIsTwiceAsLong) {
  const batchv1::Job job = JobOf(1, 1);
  Objects<corev1::Pod> pods;
  absl::Duration wait = absl::Seconds(10);
  for (int i = 0; i < 4; ++i) {
    pods.push_back(PodOf(i, "Failed"));
    const absl::Time due = kNow - absl::Hours(1) + wait;
    const JobPlan early = PlanJob(job, pods, due - absl::Seconds(1));
    EXPECT_THAT(early.create, IsEmpty());
    EXPECT_EQ(early.again, due);
    EXPECT_THAT(PlanJob(job, pods, due).create, SizeIs(1));
    wait *= 2;
  }
}

TEST(PlanJob, Indexed_CreatesPodsOfTheMissingIndexes) {
  batchv1::Job job = JobOf(5, 3);
  job.spec.completion_mode = "Indexed";
  job.spec.template_.spec.containers[0].env = {{.name = "A", .value = "B"}};
  const JobPlan plan = PlanJob(job, {}, kNow);
  ASSERT_THAT(plan.create, SizeIs(3));
  const corev1::Pod& pod = plan.create[2];
  EXPECT_EQ(pod.metadata.generate_name, "sum-2-");
  EXPECT_EQ(pod.metadata.annotations.value_or("batch.kubernetes.io/job-completion-index", ""), "2");
  EXPECT_EQ(pod.metadata.labels.value_or("batch.kubernetes.io/job-completion-index", ""), "2");
  EXPECT_EQ(pod.spec.hostname, "sum-2");
  ASSERT_THAT(pod.spec.containers[0].env, SizeIs(2));
  EXPECT_EQ(pod.spec.containers[0].env[1].name, "JOB_COMPLETION_INDEX");
  EXPECT_EQ(pod.spec.containers[0].env[1].value_from->field_ref->field_path,
            "metadata.labels['batch.kubernetes.io/job-completion-index']");

  // 1 is done, 3 runs: 0 and 2 are next.
  job.status.completed_indexes = "1";
  auto running = PodOf(1, "Running");
  running->metadata.annotations["batch.kubernetes.io/job-completion-index"] = "3";
  std::vector<std::string> names;
  for (const corev1::Pod& each : PlanJob(job, {running}, kNow).create) {
    names.emplace_back(each.metadata.generate_name);
  }
  EXPECT_THAT(names, ElementsAre("sum-0-", "sum-2-"));

  auto done = std::make_shared<corev1::Pod>(*running);
  done->status.phase = "Succeeded";
  JobPlan counted = PlanJob(job, {done}, kNow);
  EXPECT_EQ(counted.status->completed_indexes, "1,3");
  EXPECT_EQ(counted.status->succeeded, 2);
  EXPECT_THAT(counted.release, IsEmpty());
  job.status = *counted.status;
  EXPECT_THAT(PlanJob(job, {done}, kNow).release, ElementsAre(done));
}

TEST(PlanJob, Suspend_RemovesPodsUntilItIsResumed) {
  batchv1::Job job = JobOf(2, 1);
  job.spec.suspend = true;
  const auto pod = PodOf(1, "Running");
  JobPlan plan = PlanJob(job, {pod}, kNow);
  EXPECT_THAT(plan.remove, ElementsAre(pod));
  EXPECT_THAT(plan.create, IsEmpty());
  EXPECT_THAT(ConditionsOf(*plan.status), ElementsAre("Suspended=True JobSuspended"));
  EXPECT_FALSE(plan.status->start_time.has_value());
  job.status = *plan.status;
  job.spec.suspend = false;
  plan = PlanJob(job, {}, kNow);
  EXPECT_THAT(plan.create, SizeIs(1));
  EXPECT_THAT(ConditionsOf(*plan.status), ElementsAre("Suspended=False JobResumed"));
  EXPECT_TRUE(plan.status->start_time.has_value());
}

TEST(PlanJob, DeletedPodsCountAsFailures) {
  auto going = PodOf(1, "Running");
  going->metadata.deletion_timestamp = Time(kNow);
  batchv1::Job job = JobOf(1, 1);
  JobPlan plan = PlanJob(job, {going}, kNow);
  EXPECT_THAT(plan.create, SizeIs(1));
  EXPECT_THAT(plan.status->uncounted_terminated_pods->failed, ElementsAre("uid-1"));
  job.spec.pod_replacement_policy = "Failed";
  plan = PlanJob(job, {going}, kNow);
  EXPECT_THAT(plan.create, IsEmpty()) << "not before it has ended";
  EXPECT_THAT(plan.status->uncounted_terminated_pods->failed, IsEmpty());
}

TEST(PlanJob, LeavesJobsOfOthersAlone) {
  batchv1::Job job = JobOf(1, 1);
  job.spec.managed_by = "kueue.x-k8s.io/multikueue";
  const JobPlan plan = PlanJob(job, {}, kNow);
  EXPECT_THAT(plan.create, IsEmpty());
  EXPECT_FALSE(plan.status.has_value());
}

}  // namespace
}  // namespace kube::envtest::internal
