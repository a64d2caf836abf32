#include "envtest/workloads/internal/apps/daemon_pods.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/apps/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "envtest/workloads/internal/apps/controller_revisions.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;
using testing::ElementsAre;

appsv1::DaemonSet SetWith(absl::string_view pod_spec) {
  const auto set = codec::DecodeYaml<appsv1::DaemonSet>(absl::StrCat(R"(
metadata:
  name: log
  uid: u
  annotations: {deprecated.daemonset.template.generation: "7"}
spec: {template: {metadata: {labels: {app: log}}, spec: {)",
                                                                     pod_spec, "}}}"));
  EXPECT_THAT(set, base::IsOk());
  return *set;
}

TEST(FitOf, EachAffinityAndTaint_DecidesIfThePodRunsOrStays) {
  constexpr absl::string_view kTerms =
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
      "{nodeSelectorTerms: ";
  const struct {
    std::string spec;
    const char* fit;  // "runs", "stays", ""
    std::string taints = "[]";
  } kCases[] = {
      {"", "runs"},
      {"nodeName: a", "runs"},
      {"nodeName: b", ""},
      {"nodeSelector: {disk: ssd}", "runs"},
      {"nodeSelector: {disk: tape}", ""},
      {absl::StrCat(kTerms, "[{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}}"),
       "runs"},
      {absl::StrCat(kTerms, "[{matchExpressions: [{key: disk, operator: DoesNotExist}]}]}}}"), ""},
      {absl::StrCat(kTerms, "[{matchExpressions: [{key: cpus, operator: Gt, values: ['7']}]}]}}}"),
       "runs"},
      {absl::StrCat(kTerms, "[{}, {matchFields: [{key: metadata.name, operator: In, ",
                    "values: [a]}]}]}}}"),
       "runs"},
      {absl::StrCat(kTerms, "[{matchFields: [{key: metadata.name, operator: NotIn, ",
                    "values: [a]}]}]}}}"),
       ""},
      {absl::StrCat(kTerms, "[{}]}}}"), ""},
      {"", "stays", "[{key: x, effect: NoSchedule}]"},
      {"", "", "[{key: x, effect: NoExecute}]"},
      {"", "runs", "[{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]"},
      {"", "runs", "[{key: node.kubernetes.io/unreachable, effect: NoExecute}]"},
      {"", "stays", "[{key: node.kubernetes.io/not-ready, effect: NoSchedule}]"},
      {"", "stays", "[{key: node.kubernetes.io/network-unavailable, effect: NoSchedule}]"},
      {"hostNetwork: true", "runs",
       "[{key: node.kubernetes.io/network-unavailable, effect: NoSchedule}]"},
      {"tolerations: [{operator: Exists}]", "runs", "[{key: x, effect: NoExecute}]"},
      {"tolerations: [{key: x, value: v}]", "runs", "[{key: x, value: v, effect: NoExecute}]"},
      {"tolerations: [{key: x, value: w}]", "", "[{key: x, value: v, effect: NoExecute}]"},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(absl::StrCat(each.spec, " ", each.taints));
    const auto node = codec::DecodeYaml<corev1::Node>(absl::StrCat(
        "{metadata: {name: a, labels: {disk: ssd, cpus: '8'}}, spec: {taints: ", each.taints,
        "}}"));
    ASSERT_THAT(node, base::IsOk());
    const DaemonFit fit = FitOf(*node, SetWith(each.spec));
    EXPECT_EQ(fit.should_run    ? "runs"
              : fit.should_stay ? "stays"
                                : "",
              absl::string_view(each.fit));
  }
}

TEST(NewDaemonPod, HasAffinityForItsNodeAndTheTolerationsOfDaemons) {
  const appsv1::DaemonSet set = SetWith(
      "tolerations: [{key: x}], affinity: {nodeAffinity: "
      "{preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1}]}}");
  const corev1::Pod pod = NewDaemonPod(set, "a", "hash");
  EXPECT_EQ(TargetNode(pod), "a");
  EXPECT_EQ(pod.spec.node_name, "");
  EXPECT_EQ(pod.metadata.generate_name, "log-");
  EXPECT_EQ(pod.metadata.labels.value_or(kRevisionHashLabel, ""), "hash");
  EXPECT_EQ(pod.metadata.labels.value_or("pod-template-generation", ""), "7");
  EXPECT_EQ(
      pod.spec.affinity->node_affinity->preferred_during_scheduling_ignored_during_execution.size(),
      1u);
  std::vector<std::string> tolerations;
  for (const corev1::Toleration& each : pod.spec.tolerations) {
    tolerations.push_back(
        absl::StrCat(each.key.view(), " ", each.operator_.view(), " ", each.effect.view()));
  }
  EXPECT_THAT(tolerations, ElementsAre("x  ", "node.kubernetes.io/not-ready Exists NoExecute",
                                       "node.kubernetes.io/unreachable Exists NoExecute",
                                       "node.kubernetes.io/disk-pressure Exists NoSchedule",
                                       "node.kubernetes.io/memory-pressure Exists NoSchedule",
                                       "node.kubernetes.io/pid-pressure Exists NoSchedule",
                                       "node.kubernetes.io/unschedulable Exists NoSchedule"));

  EXPECT_TRUE(IsUpdated(pod, set, "hash"));
  EXPECT_TRUE(IsUpdated(pod, set, "other")) << "its generation is the template's";
  EXPECT_FALSE(IsUpdated(corev1::Pod(), set, "hash"));
  EXPECT_EQ(TargetNode(corev1::Pod()), "");
}

}  // namespace
}  // namespace kube::envtest::internal
