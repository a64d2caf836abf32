#include "envtest/workloads/internal/apps/stateful_set.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/apps/controller_revisions.h"
#include "envtest/workloads/internal/apps/stateful_pods.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const absl::Time kNow = absl::FromUnixSeconds(1'000'000);

appsv1::StatefulSet SetOf(int32_t replicas) {
  appsv1::StatefulSet set;
  set.metadata.name = "db";
  set.metadata.namespace_ = "default";
  set.metadata.uid = "u";
  set.metadata.generation = 3;
  set.spec.replicas = replicas;
  set.spec.service_name = "dbs";
  set.spec.pod_management_policy = "OrderedReady";
  set.spec.update_strategy.type = "RollingUpdate";
  set.spec.update_strategy.rolling_update.emplace().partition = 0;
  set.spec.revision_history_limit = 1;
  set.spec.selector.emplace().match_labels = {{"app", "db"}};
  set.spec.template_.metadata.labels = {{"app", "db"}};
  set.spec.template_.spec.containers = {{.name = "db", .image = "db:2"}};
  return set;
}

// What the cluster has: two revisions, the images db:1 and db:2, and pods.
struct World {
  appsv1::StatefulSet set;
  Objects<corev1::Pod> pods = {};
  Objects<corev1::PersistentVolumeClaim> claims = {};
  Revisions revisions = {};

  explicit World(appsv1::StatefulSet the_set) : set(std::move(the_set)) {
    for (const absl::string_view image : {"db:1", "db:2"}) {
      appsv1::StatefulSet before = set;
      before.spec.template_.spec.containers[0].image = image;
      revisions.push_back(std::make_shared<const appsv1::ControllerRevision>(
          PlanRevision(before, revisions).newest));
    }
    set.status.current_revision = Name(1);
  }

  // Of the revision of an image.
  std::string Name(size_t image) const { return std::string(revisions[image - 1]->metadata.name); }

  // "0 old ready", "1 new pending", "2 old ready deleted", "3 new failed".
  void Add(absl::string_view text) {
    const std::vector<std::string> words = absl::StrSplit(text, ' ');
    int ordinal = 0;
    ASSERT_TRUE(absl::SimpleAtoi(words[0], &ordinal));
    corev1::Pod pod =
        NewStatefulPod(set, set.spec.template_, Name(words[1] == "old" ? 1 : 2), ordinal);
    pod.metadata.uid = absl::StrCat("pod-", ordinal);
    pod.status.phase = words[2] == "ready"    ? "Running"
                       : words[2] == "failed" ? "Failed"
                                              : "Pending";
    corev1::PodCondition& condition = pod.status.conditions.emplace_back();
    condition.type = "Ready";
    condition.status = words[2] == "ready" ? "True" : "False";
    condition.last_transition_time = Time(kNow - absl::Seconds(10));
    if (words.size() > 3) pod.metadata.deletion_timestamp = Time(kNow);
    pods.push_back(std::make_shared<const corev1::Pod>(std::move(pod)));
  }

  StatefulSetPlan Plan() const { return PlanStatefulSet(set, pods, claims, revisions, kNow); }

  // "+0 old +1 new -2": the pods that are created, and deleted.
  std::string Steps() const {
    std::vector<std::string> steps;
    const StatefulSetPlan plan = Plan();
    for (const corev1::Pod& pod : plan.create) {
      const auto revision = pod.metadata.labels.value_or(kRevisionHashLabel, "");
      const auto image = pod.spec.containers[0].image;
      EXPECT_EQ(image, revision == Name(1) ? "db:1" : "db:2");
      steps.push_back(
          absl::StrCat("+", OrdinalOf(set, pod), revision == Name(1) ? " old" : " new"));
    }
    for (const auto& pod : plan.remove) steps.push_back(absl::StrCat("-", OrdinalOf(set, *pod)));
    return absl::StrJoin(steps, " ");
  }
};

TEST(PlanStatefulSet, OrderedReady_TakesOneStepAtATime) {
  const struct {
    const char* what;
    int32_t replicas;
    std::vector<const char*> pods;
    const char* steps;
  } kCases[] = {
      {"begins with the first", 3, {}, "+0 new"},
      {"waits for a pending one", 3, {"0 new pending"}, ""},
      {"goes on", 3, {"0 new ready"}, "+1 new"},
      {"fills a gap first", 3, {"0 new ready", "2 new ready"}, "+1 new"},
      {"is done", 2, {"0 new ready", "1 new ready"}, ""},
      {"waits for one that goes", 2, {"0 new ready deleted"}, ""},
      {"replaces a failed one", 2, {"0 new failed"}, "-0"},
      {"shrinks from the end", 1, {"0 new ready", "1 new ready", "2 new ready"}, "-2"},
      {"shrinks one by one", 1, {"0 new ready", "1 new ready", "2 new ready deleted"}, ""},
      {"shrinks by one that never got ready", 1, {"0 new ready", "1 new pending"}, "-1"},
      {"does not shrink past one that is not ready",
       1,
       {"0 new ready", "1 new pending", "2 new ready"},
       "-2"},
      {"does not shrink while another is not ready", 1, {"0 new pending", "1 new ready"}, ""},
      {"updates from the end", 2, {"0 old ready", "1 old ready"}, "-1"},
      {"waits for the updated one", 2, {"0 old ready", "1 new pending"}, ""},
      {"makes the updated one", 2, {"0 old ready"}, "+1 new"},
      {"goes on updating", 2, {"0 old ready", "1 new ready"}, "-0"},
      {"shrinks before it updates", 1, {"0 old ready", "1 old ready"}, "-1"},
  };
  for (const auto& each : kCases) {
    World world(SetOf(each.replicas));
    for (const char* pod : each.pods) world.Add(pod);
    EXPECT_EQ(world.Steps(), each.steps) << each.what;
  }
}

TEST(PlanStatefulSet, ParallelDoesNotWait) {
  World world(SetOf(3));
  world.set.spec.pod_management_policy = "Parallel";
  EXPECT_EQ(world.Steps(), "+0 new +1 new +2 new");
  world.Add("1 new pending");
  EXPECT_EQ(world.Steps(), "+0 new +2 new");
  world.Add("5 new ready");
  world.Add("4 new pending");
  EXPECT_EQ(world.Steps(), "+0 new +2 new -5 -4");
}

TEST(PlanStatefulSet, UpdatesFromThePartitionOn) {
  World world(SetOf(3));
  world.set.spec.update_strategy.rolling_update->partition = 2;
  for (const char* pod : {"0 old ready", "1 old ready", "2 old ready"}) world.Add(pod);
  EXPECT_EQ(world.Steps(), "-2");
  world.pods.clear();
  for (const char* pod : {"0 old ready", "2 new ready"}) world.Add(pod);
  EXPECT_EQ(world.Steps(), "+1 old") << "below the partition pods come back as they were";
  world.Add("1 old ready");
  EXPECT_EQ(world.Steps(), "");
  const StatefulSetPlan plan = world.Plan();
  EXPECT_EQ(plan.status->current_replicas, 2);
  EXPECT_EQ(plan.status->updated_replicas, 1);
  EXPECT_EQ(plan.status->current_revision, world.Name(1));
  EXPECT_EQ(plan.status->update_revision, world.Name(2));
}

TEST(PlanStatefulSet, OnDelete_OldPods_AreNotReplaced) {
  World world(SetOf(2));
  world.set.spec.update_strategy = {.type = "OnDelete"};
  for (const char* pod : {"0 old ready", "1 old ready"}) world.Add(pod);
  EXPECT_EQ(world.Steps(), "");
  world.pods.pop_back();
  EXPECT_EQ(world.Steps(), "+1 new");
}

TEST(PlanStatefulSet, OrdinalsStart_IsTheOrdinalOfTheFirstPod) {
  World world(SetOf(2));
  world.set.spec.ordinals.emplace().start = 5;
  EXPECT_EQ(world.Steps(), "+5 new");
  for (const char* pod : {"0 new ready", "5 new ready", "6 new ready"}) world.Add(pod);
  EXPECT_EQ(world.Steps(), "-0");
}

TEST(PlanStatefulSet, WaitsUntilPodsAreAvailable) {
  World world(SetOf(2));
  world.set.spec.min_ready_seconds = 15;
  world.Add("0 new ready");
  EXPECT_EQ(world.Steps(), "");
  const StatefulSetPlan plan = world.Plan();
  EXPECT_EQ(plan.again, kNow + absl::Seconds(5));
  EXPECT_EQ(plan.status->ready_replicas, 1);
  EXPECT_EQ(plan.status->available_replicas, 0);
}

TEST(PlanStatefulSet, AllPodsUpdated_CurrentRevisionIsTheNewOne) {
  World world(SetOf(2));
  for (const char* pod : {"0 new ready", "1 new ready"}) world.Add(pod);
  const StatefulSetPlan plan = world.Plan();
  ASSERT_TRUE(plan.status.has_value());
  const appsv1::StatefulSetStatus& status = *plan.status;
  EXPECT_EQ(status.observed_generation, 3);
  EXPECT_EQ(status.replicas, 2);
  EXPECT_EQ(status.ready_replicas, 2);
  EXPECT_EQ(status.available_replicas, 2);
  EXPECT_EQ(status.current_replicas, 2);
  EXPECT_EQ(status.updated_replicas, 2);
  EXPECT_EQ(status.current_revision, world.Name(2));
  EXPECT_EQ(status.update_revision, world.Name(2));
  EXPECT_EQ(status.collision_count, 0);
  world.set.status = status;
  EXPECT_FALSE(world.Plan().status.has_value());
}

TEST(PlanStatefulSet, Revisions_BeyondTheLimit_AreRemovedUnlessInUse) {
  World world(SetOf(1));
  world.set.spec.template_.spec.containers[0].image = "db:3";
  world.set.status.current_revision = "";
  EXPECT_THAT(world.Plan().remove_revisions, ElementsAre(world.revisions[0]));
  world.Add("0 old ready");
  EXPECT_THAT(world.Plan().remove_revisions, IsEmpty()) << "a pod is of the first one";
}

TEST(PlanStatefulSet, DeletedSet_OnlyUpdatesItsStatus) {
  World world(SetOf(1));
  world.set.metadata.deletion_timestamp = Time(kNow);
  EXPECT_EQ(world.Steps(), "");
  EXPECT_TRUE(world.Plan().status.has_value());
}

TEST(PlanStatefulSet, NewPod_HasItsNameLabelsAndClaims) {
  World world(SetOf(1));
  corev1::PersistentVolumeClaim& data = world.set.spec.volume_claim_templates.emplace_back();
  data.metadata.name = "data";
  data.metadata.labels = {{"tier", "gold"}};
  world.set.spec.template_.spec.volumes.emplace_back().name = "data";
  world.set.spec.template_.spec.volumes.emplace_back().name = "tmp";
  StatefulSetPlan plan = world.Plan();
  ASSERT_THAT(plan.create, SizeIs(1));
  const corev1::Pod& pod = plan.create[0];
  EXPECT_EQ(pod.metadata.name, "db-0");
  EXPECT_EQ(pod.metadata.labels.value_or("statefulset.kubernetes.io/pod-name", ""), "db-0");
  EXPECT_EQ(pod.metadata.labels.value_or("apps.kubernetes.io/pod-index", ""), "0");
  EXPECT_EQ(pod.spec.hostname, "db-0");
  EXPECT_EQ(pod.spec.subdomain, "dbs");
  EXPECT_TRUE(meta::IsControlledBy(pod.metadata, world.set.metadata));
  ASSERT_THAT(pod.spec.volumes, SizeIs(2));
  EXPECT_EQ(pod.spec.volumes[0].persistent_volume_claim->claim_name, "data-db-0");
  EXPECT_EQ(pod.spec.volumes[1].name, "tmp");
  ASSERT_THAT(plan.create_claims, SizeIs(1));
  const corev1::PersistentVolumeClaim claim = plan.create_claims[0];
  EXPECT_EQ(claim.metadata.name, "data-db-0");
  EXPECT_EQ(claim.metadata.namespace_, "default");
  EXPECT_EQ(claim.metadata.labels.value_or("app", ""), "db");
  EXPECT_EQ(claim.metadata.labels.value_or("tier", ""), "gold");
  EXPECT_THAT(claim.metadata.owner_references, IsEmpty());

  world.claims.push_back(std::make_shared<const corev1::PersistentVolumeClaim>(claim));
  plan = world.Plan();
  EXPECT_THAT(plan.create_claims, IsEmpty());
  EXPECT_THAT(plan.create, SizeIs(1));
}

// The owners of the claim of a pod, "set" and "pod", by the policy.
TEST(PlanStatefulSet, RetentionPolicy_SetsTheOwnerOfEachClaim) {
  const struct {
    const char* when_deleted;
    const char* when_scaled;
    int32_t replicas;
    const char* owner;
  } kCases[] = {
      {"Retain", "Retain", 1, ""},  {"Retain", "Retain", 0, ""},
      {"Delete", "Retain", 1, "u"}, {"Delete", "Retain", 0, "u"},
      {"Retain", "Delete", 1, ""},  {"Retain", "Delete", 0, "pod-0"},
      {"Delete", "Delete", 1, "u"}, {"Delete", "Delete", 0, "pod-0"},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(absl::StrCat(each.when_deleted, " ", each.when_scaled, " ", each.replicas));
    World world(SetOf(each.replicas));
    world.set.spec.volume_claim_templates.emplace_back().metadata.name = "data";
    auto& policy = world.set.spec.persistent_volume_claim_retention_policy.emplace();
    policy.when_deleted = each.when_deleted;
    policy.when_scaled = each.when_scaled;
    world.Add("0 new ready");
    corev1::PersistentVolumeClaim claim = ClaimsOf(world.set, 0)[0];
    world.claims = {std::make_shared<const corev1::PersistentVolumeClaim>(claim)};
    StatefulSetPlan plan = world.Plan();
    std::string owner;
    for (const auto& changed : plan.update_claims) {
      ASSERT_THAT(changed.metadata.owner_references, SizeIs(1));
      owner = std::string(changed.metadata.owner_references[0].uid);
      world.claims = {std::make_shared<const corev1::PersistentVolumeClaim>(changed)};
    }
    EXPECT_EQ(owner, each.owner);
    EXPECT_THAT(world.Plan().update_claims, IsEmpty());
    if (owner != "pod-0") continue;
    // The pod has gone, and is to come back: not before its claim has gone too.
    world.pods.clear();
    world.set.spec.replicas = 1;
    EXPECT_EQ(world.Steps(), "");
    world.claims.clear();
    EXPECT_EQ(world.Steps(), "+0 new");
  }
}

// Such as one that was adopted.
TEST(PlanStatefulSet, PodWithoutTheLabelsOfItsIdentity_GetsThem) {
  World world(SetOf(2));
  world.Add("0 new ready");
  world.Add("1 new ready");
  EXPECT_THAT(world.Plan().update, IsEmpty());
  corev1::Pod pod = *world.pods[1];
  pod.metadata.labels.erase("statefulset.kubernetes.io/pod-name");
  pod.metadata.labels.erase("apps.kubernetes.io/pod-index");
  world.pods[1] = std::make_shared<const corev1::Pod>(pod);
  const StatefulSetPlan plan = world.Plan();
  ASSERT_THAT(plan.update, testing::SizeIs(1));
  const auto& labels = plan.update[0].metadata.labels;
  EXPECT_EQ(labels.value_or("statefulset.kubernetes.io/pod-name", ""), "db-1");
  EXPECT_EQ(labels.value_or("apps.kubernetes.io/pod-index", ""), "1");
}

}  // namespace
}  // namespace kube::envtest::internal
