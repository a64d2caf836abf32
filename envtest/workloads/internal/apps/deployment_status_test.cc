#include "envtest/workloads/internal/apps/deployment_status.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "apimachinery/types/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;

const absl::Time kThen = absl::FromUnixSeconds(1'000'000);
const absl::Time kNow = kThen + absl::Hours(1);

// replicas, updated, ready and available, as they were.
appsv1::Deployment DeploymentOf(int32_t wanted, int32_t replicas, int32_t updated, int32_t ready) {
  appsv1::Deployment deployment;
  deployment.metadata.name = "web";
  deployment.spec.replicas = wanted;
  deployment.spec.strategy.type = "Recreate";
  deployment.status.replicas = replicas;
  deployment.status.updated_replicas = updated;
  deployment.status.ready_replicas = ready;
  deployment.status.available_replicas = ready;
  return deployment;
}

appsv1::ReplicaSet SetOf(absl::string_view name, int32_t wanted, int32_t replicas,
                         int32_t available) {
  appsv1::ReplicaSet set;
  set.metadata.name = name;
  set.spec.replicas = wanted;
  set.status.replicas = replicas;
  set.status.ready_replicas = available;
  set.status.available_replicas = available;
  return set;
}

// TestSyncRolloutStatus of progress_test.go.
TEST(DeploymentStatus, Progressing_EachCase_HasUpstreamsReasonAndTimes) {
  const struct {
    absl::string_view name;
    std::optional<int32_t> deadline;
    appsv1::Deployment deployment;
    absl::string_view before;  // the reason of Progressing; empty: none
    std::optional<appsv1::ReplicaSet> other;
    std::optional<appsv1::ReplicaSet> newest;
    absl::string_view status;  // empty: no condition
    absl::string_view reason;
    bool updated = true;     // lastUpdateTime
    bool transited = false;  // lastTransitionTime
  } cases[] = {
      {"no deadline: no condition", std::nullopt, DeploymentOf(3, 2, 2, 2), "ReplicaSetUpdated",
       SetOf("bar", 0, 1, 1), SetOf("foo", 3, 2, 2), "", ""},
      {"it is over: no estimate", 60, DeploymentOf(3, 3, 3, 3), "NewReplicaSetAvailable",
       std::nullopt, SetOf("foo", 3, 3, 2), "True", "NewReplicaSetAvailable", false},
      {"progress: the transition stays", 60, DeploymentOf(3, 2, 2, 2), "ReplicaSetUpdated",
       SetOf("bar", 0, 1, 1), SetOf("foo", 3, 2, 2), "True", "ReplicaSetUpdated"},
      {"progress after a failure", 60, DeploymentOf(3, 2, 2, 2), "ProgressDeadlineExceeded",
       SetOf("bar", 0, 1, 1), SetOf("foo", 3, 2, 2), "True", "ReplicaSetUpdated", true, true},
      {"progress that is the first", 60, DeploymentOf(3, 2, 2, 2), "", SetOf("bar", 0, 1, 1),
       SetOf("foo", 3, 2, 2), "True", "ReplicaSetUpdated", true, true},
      {"complete: the transition stays", 60, DeploymentOf(3, 3, 3, 3), "ReplicaSetUpdated",
       std::nullopt, SetOf("foo", 3, 3, 3), "True", "NewReplicaSetAvailable"},
      {"complete after a failure", 60, DeploymentOf(3, 3, 3, 3), "ProgressDeadlineExceeded",
       std::nullopt, SetOf("foo", 3, 3, 3), "True", "NewReplicaSetAvailable", true, true},
      {"complete without a condition", 60, DeploymentOf(3, 3, 3, 3), "", std::nullopt,
       SetOf("foo", 3, 3, 3), "True", "NewReplicaSetAvailable", true, true},
      {"complete without a new set", 60, DeploymentOf(0, 3, 3, 3), "ReplicaSetUpdated",
       SetOf("foo", 0, 0, 0), std::nullopt, "True", "NewReplicaSetAvailable"},
      {"timed out", 60, DeploymentOf(3, 2, 2, 2), "ReplicaSetUpdated", std::nullopt,
       SetOf("foo", 3, 2, 2), "False", "ProgressDeadlineExceeded", true, true},
      {"timed out before", 60, DeploymentOf(3, 2, 2, 2), "ProgressDeadlineExceeded", std::nullopt,
       SetOf("foo", 3, 2, 2), "False", "ProgressDeadlineExceeded", false},
      {"not timed out yet", 3601, DeploymentOf(3, 2, 2, 2), "ReplicaSetUpdated", std::nullopt,
       SetOf("foo", 3, 2, 2), "True", "ReplicaSetUpdated", false},
      {"a deadline that never comes", 2147483647, DeploymentOf(3, 2, 2, 2), "ReplicaSetUpdated",
       std::nullopt, SetOf("foo", 3, 2, 2), "", ""},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    appsv1::Deployment deployment = test.deployment;
    if (test.deadline.has_value()) deployment.spec.progress_deadline_seconds = *test.deadline;
    if (!test.before.empty()) {
      const absl::string_view status = test.before == "ProgressDeadlineExceeded" ? "False" : "True";
      SetCondition(deployment.status,
                   NewCondition("Progressing", status, test.before, "as before", kThen));
    }
    ReplicaSetRefs all;
    if (test.other.has_value()) all.push_back(&*test.other);
    const appsv1::ReplicaSet* newest = test.newest.has_value() ? &*test.newest : nullptr;
    if (newest != nullptr) all.push_back(newest);
    const appsv1::DeploymentStatus status = RolloutStatus(deployment, all, newest, kNow);
    const appsv1::DeploymentCondition* condition = FindCondition(status, "Progressing");
    ASSERT_EQ(condition != nullptr, !test.status.empty());
    if (condition == nullptr) continue;
    EXPECT_EQ(condition->status, test.status);
    EXPECT_EQ(condition->reason, test.reason);
    EXPECT_EQ(condition->last_update_time.ToAbslTime(), test.updated ? kNow : kThen);
    EXPECT_EQ(condition->last_transition_time.ToAbslTime(), test.transited ? kNow : kThen);
  }
}

TEST(DeploymentStatus, Progressing_EachReason_HasUpstreamsMessage) {
  appsv1::Deployment deployment = DeploymentOf(1, 0, 0, 0);
  deployment.spec.progress_deadline_seconds = 60;
  const appsv1::ReplicaSet done = SetOf("web-5d8f", 1, 1, 1);
  const appsv1::ReplicaSet started = SetOf("web-5d8f", 1, 1, 0);
  const auto message = [&](const ReplicaSetRefs& all, const appsv1::ReplicaSet* newest) {
    const appsv1::DeploymentStatus status = RolloutStatus(deployment, all, newest, kNow);
    return std::string(FindCondition(status, "Progressing")->message);
  };
  EXPECT_EQ(message({&done}, &done), "ReplicaSet \"web-5d8f\" has successfully progressed.");
  EXPECT_EQ(message({&started}, &started), "ReplicaSet \"web-5d8f\" is progressing.");
  SetCondition(deployment.status, NewCondition("Progressing", "True", "x", "x", kThen));
  EXPECT_EQ(message({}, nullptr), "Deployment \"web\" has timed out progressing.");
}

TEST(DeploymentStatus, CountStatus_AddsUpItsReplicaSets) {
  appsv1::Deployment deployment = DeploymentOf(5, 0, 0, 0);
  deployment.metadata.generation = 7;
  deployment.status.collision_count = 2;
  appsv1::ReplicaSet old = SetOf("old", 2, 3, 2);
  appsv1::ReplicaSet newest = SetOf("new", 4, 4, 1);
  old.status.observed_generation = newest.status.observed_generation = 1;
  old.status.terminating_replicas = 1;
  newest.status.terminating_replicas = 0;
  const auto status = CountStatus(deployment, {&old, &newest, nullptr}, &newest, kNow);
  EXPECT_EQ(status.observed_generation, 7);
  EXPECT_EQ(status.replicas, 7);
  EXPECT_EQ(status.updated_replicas, 4);
  EXPECT_EQ(status.ready_replicas, 3);
  EXPECT_EQ(status.available_replicas, 3);
  EXPECT_EQ(status.unavailable_replicas, 3);
  EXPECT_EQ(status.terminating_replicas, 1);
  EXPECT_EQ(status.collision_count, 2);
  old.status.terminating_replicas.reset();
  EXPECT_FALSE(
      CountStatus(deployment, {&old, &newest}, &newest, kNow).terminating_replicas.has_value())
      << "one does not say";
  old.status.observed_generation = 0;
  EXPECT_EQ(CountStatus(deployment, {&old, &newest}, &newest, kNow).terminating_replicas, 0)
      << "nobody has seen to it yet";
}

TEST(DeploymentStatus, Available_TooFewReplicas_IsMinimumReplicasUnavailable) {
  appsv1::Deployment deployment = DeploymentOf(4, 0, 0, 0);
  deployment.spec.strategy.type = "RollingUpdate";
  deployment.spec.strategy.rolling_update.emplace().max_unavailable = "25%";
  const appsv1::ReplicaSet enough = SetOf("new", 4, 4, 3);
  const appsv1::ReplicaSet too_few = SetOf("new", 4, 4, 2);
  EXPECT_EQ(FindCondition(CountStatus(deployment, {&enough}, &enough, kNow), "Available")->reason,
            "MinimumReplicasAvailable");
  EXPECT_EQ(FindCondition(CountStatus(deployment, {&too_few}, &too_few, kNow), "Available")->reason,
            "MinimumReplicasUnavailable");
}

TEST(DeploymentStatus, ReplicaFailure_IsCopiedFromTheNewestSetThatHasOne) {
  const appsv1::Deployment deployment = DeploymentOf(1, 0, 0, 0);
  appsv1::ReplicaSet old = SetOf("old", 0, 0, 0);
  appsv1::ReplicaSet newest = SetOf("new", 1, 0, 0);
  old.status.conditions = {{.type = "ReplicaFailure", .status = "True", .reason = "Old"}};
  EXPECT_EQ(
      FindCondition(RolloutStatus(deployment, {&old, &newest}, &newest, kNow), "ReplicaFailure")
          ->reason,
      "Old");
  newest.status.conditions = {{.type = "ReplicaFailure", .status = "True", .reason = "New"}};
  const auto status = RolloutStatus(deployment, {&old, &newest}, &newest, kNow);
  EXPECT_EQ(FindCondition(status, "ReplicaFailure")->reason, "New");
}

// TestRequeueStuckDeployment.
TEST(DeploymentStatus, NextProgressCheck_WhileProgressing_IsASecondAfterTheDeadline) {
  appsv1::Deployment deployment = DeploymentOf(3, 2, 2, 2);
  EXPECT_EQ(NextProgressCheck(deployment, deployment.status), absl::InfiniteFuture());
  deployment.spec.progress_deadline_seconds = 60;
  EXPECT_EQ(NextProgressCheck(deployment, deployment.status), absl::InfiniteFuture());
  SetCondition(deployment.status, NewCondition("Progressing", "True", "x", "", kThen));
  EXPECT_EQ(NextProgressCheck(deployment, deployment.status), kThen + absl::Seconds(61));
  for (const absl::string_view reason : {"ProgressDeadlineExceeded", "NewReplicaSetAvailable"}) {
    SetCondition(deployment.status, NewCondition("Progressing", "True", reason, "", kThen));
    EXPECT_EQ(NextProgressCheck(deployment, deployment.status), absl::InfiniteFuture()) << reason;
  }
}

}  // namespace
}  // namespace kube::envtest::internal
