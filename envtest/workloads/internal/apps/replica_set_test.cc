#include "envtest/workloads/internal/apps/replica_set.h"

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
using testing::IsEmpty;
using testing::SizeIs;

const absl::Time kNow = absl::FromUnixSeconds(1'000'000);

appsv1::ReplicaSet SetOf(int32_t replicas) {
  appsv1::ReplicaSet set;
  set.metadata.name = "web-5d8f";
  set.metadata.uid = "u";
  set.metadata.generation = 3;
  set.spec.replicas = replicas;
  set.spec.template_.metadata.labels = {{"app", "web"}};
  return set;
}

std::shared_ptr<corev1::Pod> PodOf(absl::string_view name, bool ready,
                                   absl::Duration ready_for = absl::Hours(1)) {
  auto pod = std::make_shared<corev1::Pod>();
  pod->metadata.name = name;
  pod->metadata.labels = {{"app", "web"}};
  pod->spec.node_name = name;
  pod->status.phase = "Running";
  corev1::PodCondition& condition = pod->status.conditions.emplace_back();
  condition.type = "Ready";
  condition.status = ready ? "True" : "False";
  condition.last_transition_time = Time(kNow - ready_for);
  return pod;
}

ReplicaSetPlan Plan(const appsv1::ReplicaSet& set, const Objects<corev1::Pod>& pods,
                    const absl::Status& failure = absl::OkStatus()) {
  return PlanReplicaSet(set, pods, failure, kNow);
}

TEST(PlanReplicaSet, TooFewPods_CreatesTheMissingOnes) {
  const appsv1::ReplicaSet set = SetOf(3);
  const ReplicaSetPlan plan = Plan(set, {PodOf("a", true)});
  ASSERT_THAT(plan.create, SizeIs(2));
  EXPECT_EQ(plan.create[0].metadata.generate_name, "web-5d8f-");
  EXPECT_TRUE(meta::IsControlledBy(plan.create[0].metadata, set.metadata));
  EXPECT_THAT(plan.remove, IsEmpty());
  EXPECT_EQ(plan.again, absl::InfiniteFuture());
}

TEST(PlanReplicaSet, TooManyPods_RemovesTheLeastUsefulFirst) {
  const ReplicaSetPlan plan =
      Plan(SetOf(1), {PodOf("a", true), PodOf("b", false), PodOf("c", true, absl::Hours(2))});
  EXPECT_THAT(plan.create, IsEmpty());
  ASSERT_THAT(plan.remove, SizeIs(2));
  EXPECT_EQ(plan.remove[0]->metadata.name, "b");
  EXPECT_EQ(plan.remove[1]->metadata.name, "a");
}

TEST(PlanReplicaSet, ManyMissingPods_CreatesAtMostFiveHundred) {
  EXPECT_THAT(Plan(SetOf(2000), {}).create, SizeIs(500));
}

// TestCalculateStatus of replica_set_utils_test.go.
TEST(PlanReplicaSet, Status_CountsPodsByTheirState) {
  appsv1::ReplicaSet set = SetOf(5);
  set.spec.min_ready_seconds = 60;
  const auto other = PodOf("other", true);
  other->metadata.labels.clear();
  const auto going = PodOf("going", true);
  going->metadata.deletion_timestamp = Time(kNow);
  const auto ended = PodOf("ended", false);
  ended->status.phase = "Failed";
  const ReplicaSetPlan plan = Plan(set, {PodOf("a", true), PodOf("b", true, absl::Seconds(20)),
                                         PodOf("c", false), other, going, ended});
  ASSERT_TRUE(plan.status.has_value());
  EXPECT_EQ(plan.status->observed_generation, 3);
  EXPECT_EQ(plan.status->replicas, 4);
  EXPECT_EQ(plan.status->fully_labeled_replicas, 3);
  EXPECT_EQ(plan.status->ready_replicas, 3);
  EXPECT_EQ(plan.status->available_replicas, 2);
  EXPECT_EQ(plan.status->terminating_replicas, 1);
  EXPECT_EQ(plan.again, kNow + absl::Seconds(40)) << "b becomes available";
  EXPECT_THAT(plan.create, SizeIs(1));
}

// TestCalculateStatusConditions.
TEST(PlanReplicaSet, FailedWrite_IsAReplicaFailureUntilOneSucceeds) {
  appsv1::ReplicaSet set = SetOf(2);
  set.status = *Plan(set, {}, absl::UnknownError("no room")).status;
  ASSERT_THAT(set.status.conditions, SizeIs(1));
  EXPECT_EQ(set.status.conditions[0].type, "ReplicaFailure");
  EXPECT_EQ(set.status.conditions[0].status, "True");
  EXPECT_EQ(set.status.conditions[0].reason, "FailedCreate");
  EXPECT_EQ(set.status.conditions[0].message, "no room");
  EXPECT_FALSE(Plan(set, {}, absl::UnknownError("still none")).status.has_value())
      << "the first one stays";
  EXPECT_THAT(Plan(set, {}).status->conditions, IsEmpty());
  const ReplicaSetPlan too_many = Plan(SetOf(0), {PodOf("a", true)}, absl::UnknownError("x"));
  EXPECT_EQ(too_many.status->conditions[0].reason, "FailedDelete");
}

TEST(PlanReplicaSet, DeletedSet_IsOnlyCounted) {
  appsv1::ReplicaSet set = SetOf(5);
  set.metadata.deletion_timestamp = Time(kNow);
  const ReplicaSetPlan plan = Plan(set, {PodOf("a", true)});
  EXPECT_THAT(plan.create, IsEmpty());
  EXPECT_EQ(plan.status->replicas, 1);
}

TEST(PlanReplicaSet, AllPodsThere_PlansNothing) {
  appsv1::ReplicaSet set = SetOf(1);
  set.status = *Plan(set, {PodOf("a", true)}).status;
  const ReplicaSetPlan plan = Plan(set, {PodOf("a", true)});
  EXPECT_FALSE(plan.status.has_value());
  EXPECT_THAT(plan.create, IsEmpty());
  EXPECT_THAT(plan.remove, IsEmpty());
}

}  // namespace
}  // namespace kube::envtest::internal
