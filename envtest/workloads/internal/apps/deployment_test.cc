#include "envtest/workloads/internal/apps/deployment.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/apps/rollout.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

const absl::Time kNow = absl::FromUnixSeconds(1'000'000);

appsv1::Deployment DeploymentOf(int32_t replicas, const IntOrString& surge = 0,
                                const IntOrString& unavailable = 0) {
  appsv1::Deployment deployment;
  deployment.metadata.name = "web";
  deployment.metadata.namespace_ = "default";
  deployment.metadata.uid = "web-uid";
  deployment.spec.replicas = replicas;
  deployment.spec.selector.emplace().match_labels = {{"app", "web"}};
  deployment.spec.template_.metadata.labels = {{"app", "web"}};
  deployment.spec.template_.spec.containers = {{.name = "web", .image = "web:9"}};
  deployment.spec.strategy.type = "RollingUpdate";
  appsv1::RollingUpdateDeployment& rolling = deployment.spec.strategy.rolling_update.emplace();
  rolling.max_surge = surge;
  rolling.max_unavailable = unavailable;
  return deployment;
}

// Of one age: the larger, the newer. Version 9 is the deployment's template.
struct OldSet {
  int version = 0;
  int32_t replicas = 0;
  int32_t available = 0;
};

std::shared_ptr<const appsv1::ReplicaSet> SetOf(const appsv1::Deployment& deployment,
                                                const OldSet& old) {
  auto set = std::make_shared<appsv1::ReplicaSet>();
  set->metadata.name = absl::StrCat("web-", old.version);
  set->metadata.uid = absl::StrCat("uid-", old.version);
  set->metadata.creation_timestamp = Time(kNow - absl::Hours(10 - old.version));
  set->metadata.owner_references.push_back(meta::NewControllerRef(
      deployment.metadata, {.group = "apps", .version = "v1", .kind = "Deployment"}));
  set->metadata.annotations[kRevision] = absl::StrCat(old.version);
  set->spec.replicas = old.replicas;
  set->spec.template_ = deployment.spec.template_;
  set->spec.template_.spec.containers[0].image = absl::StrCat("web:", old.version);
  set->status.replicas = old.replicas;
  set->status.available_replicas = old.available;
  SetReplicasAnnotations(deployment, *set);
  return set;
}

Objects<appsv1::ReplicaSet> SetsOf(const appsv1::Deployment& deployment,
                                   const std::vector<OldSet>& old) {
  Objects<appsv1::ReplicaSet> sets;
  for (const OldSet& each : old) sets.push_back(SetOf(deployment, each));
  return sets;
}

std::map<std::string, int32_t> SizesIn(const std::vector<appsv1::ReplicaSet>& sets) {
  std::map<std::string, int32_t> sizes;
  for (const appsv1::ReplicaSet& set : sets) {
    sizes[std::string(set.metadata.name)] = *set.spec.replicas;
  }
  return sizes;
}

// TestScale of sync_test.go. Old ones first; "web-9" is the new one.
TEST(PlanDeployment, Scaling_SpreadsTheDifferenceInProportion) {
  const struct {
    absl::string_view name;
    int32_t before;
    int32_t wanted;
    std::vector<OldSet> sets;
    std::map<std::string, int32_t> expected;  // those that change
    int32_t surge_before = 0;
    int32_t surge = 0;
  } cases[] = {
      {"10 -> 12", 10, 12, {{9, 10}}, {{"web-9", 12}}},
      {"10 -> 5", 10, 5, {{9, 10}}, {{"web-9", 5}}},
      {"5 -> 10", 5, 10, {{1, 3}, {9, 2}}, {{"web-9", 4}, {"web-1", 6}}},
      {"5 -> 3", 5, 3, {{1, 3}, {9, 2}}, {{"web-9", 1}, {"web-1", 2}}},
      {"9 -> 4", 9, 4, {{1, 1}, {9, 8}}, {{"web-9", 4}, {"web-1", 0}}},
      {"7 -> 10", 7, 10, {{1, 2}, {2, 3}, {9, 2}}, {{"web-9", 3}, {"web-2", 4}, {"web-1", 3}}},
      {"13 -> 8", 13, 8, {{1, 3}, {2, 8}, {9, 2}}, {{"web-9", 1}, {"web-2", 5}, {"web-1", 2}}},
      {"3 -> 4: the newest gets what is left",
       3,
       4,
       {{1, 1}, {2, 1}, {9, 1}},
       {{"web-9", 2}, {"web-2", 1}, {"web-1", 1}}},
      {"3 -> 2: the oldest gives",
       3,
       2,
       {{1, 1}, {2, 1}, {9, 1}},
       {{"web-9", 1}, {"web-2", 1}, {"web-1", 0}}},
      {"4 -> 5 without a new one", 4, 5, {{1, 2}, {2, 2}}, {{"web-2", 3}, {"web-1", 2}}},
      {"6 -> 0", 6, 0, {{1, 1}, {2, 2}, {9, 3}}, {{"web-9", 0}, {"web-2", 0}, {"web-1", 0}}},
      {"from zero", 6, 6, {{1, 0}, {2, 0}, {9, 0}}, {{"web-9", 6}}},
      {"with a surge", 10, 20, {{1, 6}, {9, 6}}, {{"web-9", 11}, {"web-1", 11}}, 2, 2},
      {"the surge changes too", 10, 50, {{1, 8}, {9, 5}}, {{"web-9", 22}, {"web-1", 34}}, 3, 6},
      {"the template changes too", 10, 14, {{1, 3}, {2, 7}}, {{"web-2", 10}, {"web-1", 4}}},
      {"a broken new one does not matter", 2, 2, {{1, 1}, {9, 2}}, {}, 1, 1},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    const auto sets = SetsOf(DeploymentOf(test.before, test.surge_before), test.sets);
    appsv1::Deployment deployment = DeploymentOf(test.wanted, test.surge);
    deployment.spec.paused = true;
    EXPECT_EQ(SizesIn(PlanDeployment(deployment, sets, {}, kNow).update), test.expected);
  }
}

// TestDeploymentController_reconcileNewReplicaSet and ..._reconcileOldReplicaSets of
// rolling_test.go.
TEST(PlanDeployment, RollingUpdate_KeepsItsSurgeAndUnavailableLimits) {
  const struct {
    absl::string_view name;
    int32_t surge;
    int32_t unavailable;
    OldSet old;
    OldSet newest;
    std::map<std::string, int32_t> expected;
  } cases[] = {
      {"no surge: then one may be missing", 0, 0, {1, 10, 10}, {9, 0}, {{"web-1", 9}}},
      {"by the surge", 2, 0, {1, 10, 10}, {9, 0}, {{"web-9", 2}}},
      {"by what is missing", 2, 0, {1, 5, 5}, {9, 0}, {{"web-9", 7}}},
      {"the surge is used up", 2, 0, {1, 10, 10}, {9, 2}, {}},
      {"too many new ones", 2, 0, {1, 2, 2}, {9, 11}, {{"web-9", 10}}},
      {"old ones go as new ones come", 2, 0, {1, 10, 10}, {9, 2, 1}, {{"web-1", 9}}},
      {"old ones may go first", 0, 2, {1, 10, 10}, {9, 0}, {{"web-1", 8}}},
      {"ill ones go first", 0, 2, {1, 10, 8}, {9, 0}, {{"web-1", 8}}},
      {"an ill one and a good one", 0, 2, {1, 10, 9}, {9, 0}, {{"web-1", 8}}},
      {"new ones that are not there do not count", 0, 2, {1, 8, 8}, {9, 2}, {}},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    const appsv1::Deployment deployment = DeploymentOf(10, test.surge, test.unavailable);
    const auto sets = SetsOf(deployment, {test.old, test.newest});
    EXPECT_EQ(SizesIn(PlanDeployment(deployment, sets, {}, kNow).update), test.expected);
  }
}

TEST(PlanDeployment, NewTemplate_CreatesAReplicaSet) {
  appsv1::Deployment deployment = DeploymentOf(10, "25%", "25%");
  deployment.metadata.annotations["team"] = "blue";
  deployment.spec.progress_deadline_seconds = 600;
  deployment.spec.min_ready_seconds = 5;
  deployment.status.replicas = deployment.status.available_replicas = 10;
  const DeploymentPlan plan =
      PlanDeployment(deployment, SetsOf(deployment, {{3, 10, 10}}), {}, kNow);
  ASSERT_EQ(plan.create.size(), 1u);
  const appsv1::ReplicaSet& set = plan.create[0];
  const std::string hash(set.metadata.labels.value_or(kTemplateHashLabel, ""));
  EXPECT_FALSE(hash.empty());
  EXPECT_EQ(set.metadata.name, "web-" + hash);
  EXPECT_EQ(set.metadata.namespace_, "default");
  EXPECT_EQ(set.metadata.labels.value_or("app", ""), "web");
  EXPECT_EQ(set.spec.selector->match_labels, set.metadata.labels);
  EXPECT_EQ(set.spec.template_.metadata.labels, set.metadata.labels);
  EXPECT_TRUE(meta::IsControlledBy(set.metadata, deployment.metadata));
  EXPECT_EQ(set.spec.replicas, 3) << "the surge";
  EXPECT_EQ(set.spec.min_ready_seconds, 5);
  const auto& annotations = set.metadata.annotations;
  EXPECT_EQ(annotations.value_or(kRevision, ""), "4");
  EXPECT_EQ(annotations.value_or(kDesiredReplicas, ""), "10");
  EXPECT_EQ(annotations.value_or(kMaxReplicas, ""), "13");
  EXPECT_EQ(annotations.value_or("team", ""), "blue");

  ASSERT_TRUE(plan.status.has_value());
  EXPECT_EQ(plan.status->metadata.annotations.value_or(kRevision, ""), "4");
  EXPECT_EQ(plan.status->status.conditions[0].reason, "NewReplicaSetCreated");
  EXPECT_EQ(plan.status->status.conditions[0].message,
            absl::StrCat("Created new replica set \"web-", hash, "\""));
  EXPECT_EQ(plan.again, kNow + absl::Seconds(601));
}

TEST(PlanDeployment, NameTakenByAnother_CountsACollisionAndTakesAnotherName) {
  appsv1::Deployment deployment = DeploymentOf(1);
  const DeploymentPlan first = PlanDeployment(deployment, {}, {}, kNow);
  ASSERT_EQ(first.create.size(), 1u);
  appsv1::ReplicaSet foreign = first.create[0];
  foreign.metadata.owner_references.clear();
  const Objects<appsv1::ReplicaSet> sets = {std::make_shared<appsv1::ReplicaSet>(foreign)};
  const DeploymentPlan second = PlanDeployment(deployment, sets, {}, kNow);
  EXPECT_THAT(second.create, IsEmpty());
  ASSERT_TRUE(second.status.has_value());
  EXPECT_EQ(second.status->status.collision_count, 1);
  const DeploymentPlan third = PlanDeployment(*second.status, sets, {}, kNow);
  ASSERT_EQ(third.create.size(), 1u);
  EXPECT_NE(third.create[0].metadata.name, foreign.metadata.name);
}

TEST(PlanDeployment, EarlierTemplate_ReusesItsReplicaSet) {
  const appsv1::Deployment deployment = DeploymentOf(2, 1);
  // The template of 9 was in use before that of 12.
  auto sets = SetsOf(deployment, {{9, 0}, {3, 0}});
  appsv1::ReplicaSet latest = *SetOf(deployment, {5, 2, 2});
  latest.metadata.annotations[kRevision] = "12";
  sets.push_back(std::make_shared<appsv1::ReplicaSet>(latest));
  const DeploymentPlan plan = PlanDeployment(deployment, sets, {}, kNow);
  EXPECT_THAT(plan.create, IsEmpty());
  ASSERT_EQ(plan.update.size(), 1u);
  EXPECT_EQ(plan.update[0].metadata.name, "web-9");
  EXPECT_EQ(plan.update[0].spec.replicas, 1);
  EXPECT_EQ(plan.update[0].metadata.annotations.value_or(kRevision, ""), "13");
  EXPECT_EQ(plan.update[0].metadata.annotations.value_or(kRevisionHistory, ""), "9");
}

TEST(PlanDeployment, Recreate_WaitsUntilOldPodsHaveEnded) {
  appsv1::Deployment deployment = DeploymentOf(3);
  deployment.spec.strategy = {.type = "Recreate"};
  // Old ones first.
  DeploymentPlan plan = PlanDeployment(deployment, SetsOf(deployment, {{1, 3, 3}}), {}, kNow);
  EXPECT_THAT(SizesIn(plan.update), ElementsAre(Pair("web-1", 0)));
  EXPECT_THAT(plan.create, IsEmpty());
  // A pod that is still there holds it up, as the tests of oldPodsRunning have it.
  auto set = std::make_shared<appsv1::ReplicaSet>(*SetOf(deployment, {1, 0}));
  auto pod = std::make_shared<corev1::Pod>();
  pod->metadata.owner_references.push_back(meta::NewControllerRef(
      set->metadata, {.group = "apps", .version = "v1", .kind = "ReplicaSet"}));
  for (const auto& [phase, waits] : {std::pair("Running", true), std::pair("Pending", true),
                                     std::pair("Failed", false), std::pair("Succeeded", false)}) {
    SCOPED_TRACE(phase);
    pod->status.phase = phase;
    plan = PlanDeployment(deployment, {set}, {pod}, kNow);
    EXPECT_EQ(plan.create.empty(), waits);
  }
  set->status.replicas = 1;
  EXPECT_THAT(PlanDeployment(deployment, {set}, {}, kNow).create, IsEmpty());
  set->status.replicas = 0;
  plan = PlanDeployment(deployment, {set}, {}, kNow);
  ASSERT_EQ(plan.create.size(), 1u);
  EXPECT_EQ(plan.create[0].spec.replicas, 3);
}

TEST(PlanDeployment, OldReplicaSets_BeyondTheHistoryLimit_AreRemoved) {
  appsv1::Deployment deployment = DeploymentOf(2);
  deployment.spec.revision_history_limit = 1;
  deployment.status.replicas = deployment.status.updated_replicas = 2;
  deployment.status.available_replicas = 2;
  auto sets = SetsOf(deployment, {{1, 0}, {2, 0}, {3, 0}, {9, 2, 2}});
  const auto removed = [&] {
    std::vector<std::string> names;
    for (const auto& each : PlanDeployment(deployment, sets, {}, kNow).remove) {
      names.emplace_back(each->metadata.name);
    }
    return names;
  };
  EXPECT_THAT(removed(), ElementsAre("web-1", "web-2"));
  auto busy = std::make_shared<appsv1::ReplicaSet>(*sets[0]);
  busy->status.replicas = 1;
  sets[0] = busy;
  EXPECT_THAT(removed(), ElementsAre("web-2")) << "it has a pod";
  deployment.status.available_replicas = 1;
  EXPECT_THAT(removed(), IsEmpty()) << "the rollout is not over";
  deployment.status.available_replicas = 2;
  deployment.spec.revision_history_limit.reset();
  EXPECT_THAT(removed(), IsEmpty());
}

TEST(PlanDeployment, Paused_RollsOutOnlyAfterItIsResumed) {
  appsv1::Deployment deployment = DeploymentOf(2);
  deployment.spec.progress_deadline_seconds = 600;
  deployment.spec.paused = true;
  deployment.status.replicas = deployment.status.available_replicas = 2;
  DeploymentPlan plan = PlanDeployment(deployment, SetsOf(deployment, {{1, 2, 2}}), {}, kNow);
  EXPECT_THAT(plan.create, IsEmpty()) << "no rollout";
  ASSERT_TRUE(plan.status.has_value());
  EXPECT_EQ(plan.status->status.conditions[0].reason, "DeploymentPaused");
  deployment = *plan.status;
  deployment.spec.paused = false;
  plan = PlanDeployment(deployment, SetsOf(deployment, {{1, 2, 2}}), {}, kNow);
  EXPECT_EQ(plan.create.size(), 1u);
  ASSERT_TRUE(plan.status.has_value());
  EXPECT_EQ(plan.status->status.conditions.back().reason, "NewReplicaSetCreated");
  plan = PlanDeployment(deployment, SetsOf(deployment, {{1, 2, 2}, {9, 0}}), {}, kNow);
  EXPECT_EQ(plan.status->status.conditions.back().reason, "DeploymentResumed");
}

TEST(PlanDeployment, DeletedDeployment_IsOnlyCounted) {
  appsv1::Deployment deployment = DeploymentOf(2);
  deployment.metadata.deletion_timestamp = Time(kNow);
  const DeploymentPlan plan = PlanDeployment(deployment, SetsOf(deployment, {{1, 2, 2}}), {}, kNow);
  EXPECT_THAT(plan.create, IsEmpty());
  EXPECT_THAT(plan.update, IsEmpty());
  ASSERT_TRUE(plan.status.has_value());
  EXPECT_EQ(plan.status->status.replicas, 2);
}

// What is right stays: the plan of what a plan makes is empty.
TEST(PlanDeployment, FinishedRollout_PlansNothing) {
  appsv1::Deployment deployment = DeploymentOf(2, 1);
  deployment.spec.progress_deadline_seconds = 600;
  auto sets = SetsOf(deployment, {{9, 2, 2}});
  for (int i = 0; i < 3; ++i) {
    const DeploymentPlan plan = PlanDeployment(deployment, sets, {}, kNow);
    if (plan.status.has_value()) deployment = *plan.status;
    for (const auto& set : plan.update) sets = {std::make_shared<appsv1::ReplicaSet>(set)};
    if (i < 2) continue;
    EXPECT_FALSE(plan.status.has_value());
    EXPECT_THAT(plan.update, IsEmpty());
  }
  EXPECT_EQ(deployment.status.conditions.back().reason, "NewReplicaSetAvailable");
}

}  // namespace
}  // namespace kube::envtest::internal
