#include "envtest/workloads/internal/apps/daemon_set.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/apps/controller_revisions.h"
#include "envtest/workloads/internal/apps/daemon_pods.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
using testing::ElementsAre;
using testing::IsEmpty;

const absl::Time kNow = absl::FromUnixSeconds(1'000'000);

appsv1::DaemonSet SetOf(absl::string_view strategy = "RollingUpdate") {
  appsv1::DaemonSet set;
  set.metadata.name = "log";
  set.metadata.namespace_ = "default";
  set.metadata.uid = "u";
  set.metadata.generation = 3;
  set.spec.revision_history_limit = 1;
  set.spec.update_strategy.type = strategy;
  if (strategy == "RollingUpdate") {
    set.spec.update_strategy.rolling_update.emplace().max_unavailable = IntOrString(1);
  }
  set.spec.template_.metadata.labels = {{"app", "log"}};
  set.spec.template_.spec.containers = {{.name = "log", .image = "log:2"}};
  return set;
}

// What the cluster has: nodes, and pods of two revisions, the images log:1 and log:2.
struct World {
  appsv1::DaemonSet set;
  Objects<corev1::Node> nodes = {};
  Objects<corev1::Pod> pods = {};
  Revisions revisions = {};

  World(appsv1::DaemonSet the_set, std::vector<const char*> names) : set(std::move(the_set)) {
    for (const absl::string_view image : {"log:1", "log:2"}) {
      appsv1::DaemonSet before = set;
      before.spec.template_.spec.containers[0].image = image;
      revisions.push_back(std::make_shared<const appsv1::ControllerRevision>(
          PlanRevision(before, revisions).newest));
    }
    for (const char* name : names) AddNode(name);
  }

  void AddNode(absl::string_view name, absl::string_view taint_effect = "") {
    corev1::Node node;
    node.metadata.name = name;
    if (!taint_effect.empty()) {
      corev1::Taint& taint = node.spec.taints.emplace_back();
      taint.key = "gpu";
      taint.effect = taint_effect;
    }
    nodes.push_back(std::make_shared<const corev1::Node>(std::move(node)));
  }

  std::string Hash(size_t image) const {
    return std::string(
        revisions[image - 1]->metadata.labels.value_or(kRevisionHashLabel, "").view());
  }

  // "a old ready", "b new pending", "c old ready deleted", "d new failed", "e new unscheduled".
  void Add(absl::string_view text) {
    const std::vector<std::string> words = absl::StrSplit(text, ' ');
    corev1::Pod pod = NewDaemonPod(set, words[0], Hash(words[1] == "old" ? 1 : 2));
    pod.metadata.name = absl::StrCat(words[0], "-", words[1]);
    pod.metadata.creation_timestamp =
        Time(kNow - (words[1] == "old" ? absl::Hours(2) : absl::Hours(1)));
    if (words[2] != "unscheduled") pod.spec.node_name = words[0];
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

  DaemonSetPlan Plan() const { return PlanDaemonSet(set, pods, nodes, revisions, kNow); }

  // "+a -b-old": where pods are created, and which are deleted.
  std::string Steps() const {
    std::vector<std::string> steps;
    const DaemonSetPlan plan = Plan();
    for (const corev1::Pod& pod : plan.create) {
      EXPECT_EQ(pod.metadata.labels.value_or(kRevisionHashLabel, ""), Hash(2));
      steps.push_back(absl::StrCat("+", TargetNode(pod)));
    }
    for (const auto& pod : plan.remove) {
      steps.push_back(absl::StrCat("-", pod->metadata.name.view()));
    }
    return absl::StrJoin(steps, " ");
  }
};

TEST(PlanDaemonSet, EachNode_GetsExactlyOnePod) {
  const struct {
    const char* what;
    std::vector<const char*> pods;
    const char* steps;
  } kCases[] = {
      {"new nodes get one", {}, "+a +b"},
      {"those that have one do not", {"a new pending"}, "+b"},
      {"nor those whose pod is going", {"a new ready deleted"}, "+b"},
      {"one that waits for the scheduler counts", {"a new unscheduled", "b new ready"}, ""},
      {"failed ones go", {"a new failed", "b new ready"}, "-a-new"},
      {"of two the older one stays", {"a old ready", "a new ready", "b new ready"}, "-a-new"},
      {"a node is gone", {"a new ready", "b new ready", "c new unscheduled"}, "-c-new"},
      {"a node is gone with its pod", {"a new ready", "b new ready", "c new ready"}, ""},
  };
  for (const auto& each : kCases) {
    World world(SetOf(), {"a", "b"});
    for (const char* pod : each.pods) world.Add(pod);
    EXPECT_EQ(world.Steps(), each.steps) << each.what;
  }
}

TEST(PlanDaemonSet, RollingUpdate_ReplacesPodsUpToMaxUnavailable) {
  const struct {
    const char* what;
    int32_t max_unavailable;
    std::vector<const char*> pods;
    const char* steps;
  } kCases[] = {
      {"one at a time", 1, {"a old ready", "b old ready", "c old ready"}, "-a-old"},
      {"two at a time", 2, {"a old ready", "b old ready", "c old ready"}, "-a-old -b-old"},
      {"waits for the updated one", 1, {"a new pending", "b old ready", "c old ready"}, ""},
      {"waits for one that goes", 1, {"a old ready deleted", "b old ready", "c old ready"}, ""},
      {"goes on", 1, {"a new ready", "b old ready", "c old ready"}, "-b-old"},
      {"what is not available goes first",
       1,
       {"a old ready", "b old pending", "c old pending"},
       "-b-old -c-old"},
      {"is done", 1, {"a new ready", "b new ready", "c new ready"}, ""},
      {"zero counts as one", 0, {"a old ready", "b old ready", "c old ready"}, "-a-old"},
  };
  for (const auto& each : kCases) {
    World world(SetOf(), {"a", "b", "c"});
    world.set.spec.update_strategy.rolling_update->max_unavailable =
        IntOrString(each.max_unavailable);
    for (const char* pod : each.pods) world.Add(pod);
    EXPECT_EQ(world.Steps(), each.steps) << each.what;
  }
}

TEST(PlanDaemonSet, RollingUpdate_WithSurge_CreatesTheNewPodFirst) {
  const struct {
    const char* what;
    std::vector<const char*> pods;
    const char* steps;
  } kCases[] = {
      {"one beside an old one", {"a old ready", "b old ready"}, "+a"},
      {"waits for it", {"a old ready", "a new pending", "b old ready"}, ""},
      {"then the old one goes", {"a old ready", "a new ready", "b old ready"}, "-a-old"},
      {"and the next one comes", {"a new ready", "b old ready"}, "+b"},
      {"an old one that is not ready needs no surge", {"a old pending", "b old ready"}, "+a +b"},
      {"nor does it stay", {"a old pending", "a new pending", "b new ready"}, "-a-old"},
      {"while one goes the next one comes", {"a new ready deleted", "b new ready"}, "+a"},
  };
  for (const auto& each : kCases) {
    World world(SetOf(), {"a", "b"});
    world.set.spec.update_strategy.rolling_update->max_unavailable = IntOrString(0);
    world.set.spec.update_strategy.rolling_update->max_surge = IntOrString(1);
    for (const char* pod : each.pods) world.Add(pod);
    EXPECT_EQ(world.Steps(), each.steps) << each.what;
  }
}

TEST(PlanDaemonSet, OnDelete_OldPod_IsNotReplaced) {
  World world(SetOf("OnDelete"), {"a", "b"});
  world.Add("a old ready");
  EXPECT_EQ(world.Steps(), "+b");
  world.Add("b new ready");
  EXPECT_EQ(world.Steps(), "");
  EXPECT_EQ(world.Plan().status->updated_number_scheduled, 1);
}

TEST(PlanDaemonSet, TaintedNode_GetsNoPodUnlessTolerated) {
  World world(SetOf(), {"a"});
  world.AddNode("b", "NoSchedule");
  world.AddNode("c", "NoExecute");
  world.AddNode("d", "PreferNoSchedule");
  EXPECT_EQ(world.Steps(), "+a +d");
  for (const char* pod : {"a new ready", "b new ready", "c new ready", "d new ready"}) {
    world.Add(pod);
  }
  EXPECT_EQ(world.Steps(), "-c-new");
  corev1::Toleration& all = world.set.spec.template_.spec.tolerations.emplace_back();
  all.key = "gpu";
  all.operator_ = "Exists";
  world.pods.clear();
  EXPECT_EQ(world.Plan().create.size(), 4u);
}

TEST(PlanDaemonSet, Status_CountsNodesAndPods) {
  World world(SetOf(), {"a", "b", "c", "e"});
  world.AddNode("d", "NoSchedule");
  world.set.spec.min_ready_seconds = 15;
  world.set.spec.update_strategy.rolling_update->max_unavailable = IntOrString(2);
  for (const char* pod : {"a old ready", "b new pending", "c new ready", "d new ready"}) {
    world.Add(pod);
  }
  const DaemonSetPlan plan = world.Plan();
  ASSERT_TRUE(plan.status.has_value());
  const appsv1::DaemonSetStatus& status = *plan.status;
  EXPECT_EQ(status.observed_generation, 3);
  EXPECT_EQ(status.desired_number_scheduled, 4);
  EXPECT_EQ(status.current_number_scheduled, 3);
  EXPECT_EQ(status.number_misscheduled, 1);
  EXPECT_EQ(status.number_ready, 2);
  EXPECT_EQ(status.number_available, 0);
  EXPECT_EQ(status.number_unavailable, 4);
  EXPECT_EQ(status.updated_number_scheduled, 2);
  EXPECT_EQ(plan.again, kNow + absl::Seconds(5));
  world.set.status = status;
  EXPECT_FALSE(world.Plan().status.has_value());
}

TEST(PlanDaemonSet, Revisions_BeyondTheLimit_AreRemovedUnlessInUse) {
  World world(SetOf(), {"a"});
  world.set.spec.template_.spec.containers[0].image = "log:3";
  EXPECT_THAT(world.Plan().remove_revisions, ElementsAre(world.revisions[0]));
  world.Add("a old ready");
  EXPECT_THAT(world.Plan().remove_revisions, ElementsAre(world.revisions[1]))
      << "a pod is of the first one";
}

TEST(PlanDaemonSet, DeletedSet_PlansNothing) {
  World world(SetOf(), {"a"});
  world.set.metadata.deletion_timestamp = Time(kNow);
  EXPECT_EQ(world.Steps(), "");
  EXPECT_FALSE(world.Plan().status.has_value());
}

}  // namespace
}  // namespace kube::envtest::internal
