#include "envtest/workloads/internal/nodes/scheduler.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
using testing::ElementsAre;

const absl::Time kNow = absl::FromUnixSeconds(1'000'000);

corev1::Pod PodWith(absl::string_view spec) {
  const auto pod =
      codec::DecodeYaml<corev1::Pod>(absl::StrCat("{metadata: {name: p}, spec: {", spec, "}}"));
  EXPECT_THAT(pod, base::IsOk());
  return *pod;
}

// A ready node.
std::shared_ptr<corev1::Node> NodeOf(absl::string_view name, absl::string_view spec = "",
                                     absl::string_view labels = "") {
  const auto node = codec::DecodeYaml<corev1::Node>(
      absl::StrCat("{metadata: {name: ", name, ", labels: {", labels, "}}, spec: {", spec,
                   "}, status: {conditions: [{type: Ready, status: 'True'}]}}"));
  EXPECT_THAT(node, base::IsOk());
  return std::make_shared<corev1::Node>(*node);
}

Placement Place(const corev1::Pod& pod, const Objects<corev1::Node>& nodes) {
  std::map<std::string, int> pods;
  return PlacePod(pod, nodes, pods, kNow);
}

TEST(PlacePod, NodesThatFit_GoesToTheOneWithTheFewestPods) {
  const Objects<corev1::Node> nodes = {NodeOf("out", "unschedulable: true"), NodeOf("a"),
                                       NodeOf("b")};
  std::map<std::string, int> pods = {{"a", 2}, {"b", 1}};
  std::vector<std::string> placed;
  for (int i = 0; i < 4; ++i) placed.push_back(PlacePod(PodWith(""), nodes, pods, kNow).node);
  EXPECT_THAT(placed, ElementsAre("b", "a", "b", "a"));
}

TEST(PlacePod, PreferencesOfPodsAndNodes_ComeBeforeTheNumberOfPods) {
  const Objects<corev1::Node> nodes = {
      NodeOf("a", "taints: [{key: x, effect: PreferNoSchedule}]", "disk: ssd"), NodeOf("b"),
      NodeOf("c", "", "disk: ssd")};
  constexpr absl::string_view kSsd =
      "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: ["
      "{weight: 1, preference: {matchExpressions: [{key: disk, operator: Exists}]}}]}}";
  std::map<std::string, int> pods = {{"b", 1}, {"c", 7}};
  EXPECT_EQ(PlacePod(PodWith(""), nodes, pods, kNow).node, "b");
  EXPECT_EQ(PlacePod(PodWith(kSsd), nodes, pods, kNow).node, "c");
  EXPECT_EQ(
      PlacePod(PodWith(absl::StrCat("tolerations: [{key: x}], ", kSsd)), nodes, pods, kNow).node,
      "a");
}

// The texts are kube-scheduler's.
TEST(PlacePod, NoNodeFits_SaysWhyForHowManyNodes) {
  EXPECT_EQ(Place(PodWith(""), {}).failure, "no nodes available to schedule pods");

  const auto silent = std::make_shared<corev1::Node>();
  silent->metadata.name = "silent";
  const Objects<corev1::Node> nodes = {NodeOf("cordoned", "unschedulable: true"), NodeOf("plain"),
                                       NodeOf("t1", "taints: [{key: x, effect: NoSchedule}]"),
                                       NodeOf("t2", "taints: [{key: x, effect: NoExecute}]")};
  const Placement placement = Place(PodWith("nodeSelector: {disk: ssd}"), nodes);
  EXPECT_EQ(placement.node, "");
  EXPECT_EQ(placement.failure,
            "0/4 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, "
            "1 node(s) were unschedulable, 2 node(s) had untolerated taint(s). "
            "no new claims to deallocate, preemption: 0/4 nodes are available: "
            "4 Preemption is not helpful for scheduling.");

  EXPECT_EQ(Place(PodWith("preemptionPolicy: Never"), {silent}).failure,
            "0/1 nodes are available: 1 Too many pods. no new claims to deallocate, preemption: "
            "not eligible due to preemptionPolicy=Never.");
  EXPECT_EQ(Place(PodWith(""), {silent, nodes[0]}).failure,
            "0/2 nodes are available: 1 Too many pods, 1 node(s) were unschedulable. "
            "no new claims to deallocate, preemption: 0/2 nodes are available: "
            "1 No preemption victims found for incoming pod, "
            "1 Preemption is not helpful for scheduling.");
}

TEST(PlacePod, AffinityNamesNodes_OnlyTheseCount) {
  constexpr absl::string_view kNamed =
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
      "{nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [b]}]}]}}}";
  EXPECT_EQ(Place(PodWith(kNamed), {NodeOf("a"), NodeOf("b")}).node, "b");
  // Even before its kubelet has reported anything.
  const auto silent = std::make_shared<corev1::Node>();
  silent->metadata.name = "b";
  EXPECT_EQ(Place(PodWith(kNamed), {silent}).node, "b");
  EXPECT_EQ(Place(PodWith(kNamed), {NodeOf("a")}).failure,
            "0/1 nodes are available: 1 node(s) didn't satisfy plugin(s) [NodeAffinity]. "
            "no new claims to deallocate, preemption: 0/1 nodes are available: "
            "1 Preemption is not helpful for scheduling.");
}

TEST(PlacePod, TaintsOfConditions_CountAsTheConditionsAre) {
  // The server has added the taint, and nobody has removed it yet.
  const auto ready =
      NodeOf("a", "taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}]");
  EXPECT_EQ(Place(PodWith(""), {ready}).node, "a");
  const auto sick = NodeOf("a");
  sick->status.conditions[0].status = "False";
  EXPECT_EQ(Place(PodWith(""), {sick}).node, "");
  const corev1::Pod tolerant = PodWith("tolerations: [{operator: Exists}]");
  EXPECT_EQ(Place(tolerant, {sick}).node, "a");
  EXPECT_EQ(Place(tolerant, {NodeOf("a", "unschedulable: true")}).node, "a");
}

TEST(UnschedulableStatus, SameFailureAgain_KeepsTheTimeOfTheTransition) {
  corev1::Pod pod = PodWith("");
  pod.metadata.generation = 2;
  pod.status = UnschedulableStatus(pod, "no room", kNow);
  ASSERT_EQ(pod.status.conditions.size(), 1u);
  const corev1::PodCondition& condition = pod.status.conditions[0];
  EXPECT_EQ(condition.type, "PodScheduled");
  EXPECT_EQ(condition.status, "False");
  EXPECT_EQ(condition.reason, "Unschedulable");
  EXPECT_EQ(condition.message, "no room");
  EXPECT_EQ(condition.observed_generation, 2);
  EXPECT_EQ(condition.last_transition_time, Time(kNow));
  EXPECT_EQ(UnschedulableStatus(pod, "no room", kNow + absl::Hours(1)), pod.status);
}

}  // namespace
}  // namespace kube::envtest::internal
