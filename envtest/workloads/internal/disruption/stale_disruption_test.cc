#include "envtest/workloads/internal/disruption/stale_disruption.h"

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/time.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;

const absl::Time kNow = absl::FromUnixSeconds(1'000'000);

corev1::Pod PodOf(absl::string_view status, absl::Duration since) {
  corev1::Pod pod;
  pod.metadata.generation = 3;
  pod.status.phase = "Running";
  corev1::PodCondition& condition = pod.status.conditions.emplace_back();
  condition.type = "DisruptionTarget";
  condition.status = status;
  condition.reason = "EvictionByEvictionAPI";
  condition.message = "Eviction API: evicting";
  condition.last_transition_time = Time(kNow - since);
  return pod;
}

TEST(PlanStaleDisruption, ConditionOfTwoMinutes_BecomesFalse) {
  const StaleDisruptionPlan early = PlanStaleDisruption(PodOf("True", absl::Minutes(1)), kNow);
  EXPECT_FALSE(early.status.has_value());
  EXPECT_EQ(early.again, kNow + absl::Minutes(1));

  const StaleDisruptionPlan plan = PlanStaleDisruption(PodOf("True", absl::Minutes(2)), kNow);
  ASSERT_TRUE(plan.status.has_value());
  EXPECT_EQ(plan.again, absl::InfiniteFuture());
  ASSERT_EQ(plan.status->conditions.size(), 1u);
  const corev1::PodCondition& condition = plan.status->conditions[0];
  EXPECT_EQ(condition.type, "DisruptionTarget");
  EXPECT_EQ(condition.status, "False");
  EXPECT_EQ(condition.reason, "");
  EXPECT_EQ(condition.message, "");
  EXPECT_EQ(condition.observed_generation, 3);
  EXPECT_EQ(condition.last_transition_time, Time(kNow));
}

TEST(PlanStaleDisruption, OtherPods_KeepTheirConditions) {
  corev1::Pod deleted = PodOf("True", absl::Hours(1));
  deleted.metadata.deletion_timestamp = Time(kNow);
  corev1::Pod ended = PodOf("True", absl::Hours(1));
  ended.status.phase = "Failed";
  corev1::Pod by_kubelet = PodOf("True", absl::Hours(1));
  by_kubelet.status.conditions[0].reason = "TerminationByKubelet";
  for (const corev1::Pod& pod :
       {deleted, ended, by_kubelet, PodOf("False", absl::Hours(1)), corev1::Pod()}) {
    const StaleDisruptionPlan plan = PlanStaleDisruption(pod, kNow);
    EXPECT_FALSE(plan.status.has_value());
    EXPECT_EQ(plan.again, absl::InfiniteFuture());
  }
}

}  // namespace
}  // namespace kube::envtest::internal
