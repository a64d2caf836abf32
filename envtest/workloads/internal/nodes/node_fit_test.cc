#include "envtest/workloads/internal/nodes/node_fit.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;

corev1::PodSpec PodWith(absl::string_view spec) {
  const auto pod = codec::DecodeYaml<corev1::Pod>(absl::StrCat("{spec: {", spec, "}}"));
  EXPECT_THAT(pod, base::IsOk());
  return pod->spec;
}

corev1::Node NodeWith(absl::string_view taints = "[]") {
  const auto node = codec::DecodeYaml<corev1::Node>(absl::StrCat(
      "{metadata: {name: a, labels: {disk: ssd, cpus: '8'}}, spec: {taints: ", taints, "}}"));
  EXPECT_THAT(node, base::IsOk());
  return *node;
}

TEST(FitsAffinity, SelectorAndTerms_EachDecideByLabelsAndName) {
  constexpr absl::string_view kRequired =
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
      "{nodeSelectorTerms: ";
  const auto required = [&](absl::string_view expression) {
    return absl::StrCat(kRequired, "[{matchExpressions: [{", expression, "}]}]}}}");
  };
  const struct {
    std::string spec;
    bool fits;
  } kCases[] = {
      {"", true},
      {"nodeSelector: {disk: ssd}", true},
      {"nodeSelector: {disk: ssd, zone: a}", false},
      {required("key: disk, operator: In, values: [ssd]"), true},
      {required("key: zone, operator: NotIn, values: [a]"), true},
      {required("key: zone, operator: Exists"), false},
      {required("key: cpus, operator: Lt, values: ['9']"), true},
      {required("key: disk, operator: Near, values: [x]"), false},
      {absl::StrCat(kRequired, "[{}]}}}"), false},
      {absl::StrCat("nodeSelector: {disk: tape}, ", kRequired,
                    "[{matchExpressions: [{key: disk, operator: Exists}]}]}}}"),
       false},
  };
  for (const auto& each : kCases) {
    SCOPED_TRACE(each.spec);
    EXPECT_EQ(FitsAffinity(PodWith(each.spec), NodeWith()), each.fits);
  }
}

TEST(PreferenceFor, TermsThatMatch_AddTheirWeights) {
  EXPECT_EQ(PreferenceFor(PodWith(""), NodeWith()), 0);
  const corev1::PodSpec pod = PodWith(
      "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: ["
      "{weight: 3, preference: {matchExpressions: [{key: disk, operator: Exists}]}}, "
      "{weight: 4, preference: {matchExpressions: [{key: zone, operator: Exists}]}}, "
      "{weight: 5, preference: {}}, "
      "{weight: 6, preference: {matchExpressions: [{key: cpus, operator: In, values: ['8']}]}}]}}");
  EXPECT_EQ(PreferenceFor(pod, NodeWith()), 9);
}

TEST(UntoleratedTaints, EachToleration_CoversItsKeyValueAndEffect) {
  constexpr absl::string_view kTaints =
      "[{key: x, value: v, effect: NoSchedule}, {key: z, effect: NoSchedule}, "
      "{key: x, effect: NoExecute}]";
  const struct {
    const char* tolerations;
    int left;
  } kCases[] = {
      {"[]", 2},
      {"[{operator: Exists}]", 0},
      {"[{key: x, operator: Exists}]", 1},
      {"[{key: x, value: v}]", 1},
      {"[{key: x, operator: Equal, value: w}]", 2},
      {"[{key: x, value: v, effect: NoExecute}]", 2},
      {"[{key: x, value: v, effect: NoSchedule}, {key: z}]", 0},
  };
  const corev1::Node node = NodeWith(kTaints);
  for (const auto& each : kCases) {
    SCOPED_TRACE(each.tolerations);
    const corev1::PodSpec pod = PodWith(absl::StrCat("tolerations: ", each.tolerations));
    EXPECT_EQ(UntoleratedTaints(pod, node.spec.taints, "NoSchedule"), each.left);
  }
  EXPECT_EQ(UntoleratedTaints(PodWith(""), node.spec.taints, "NoExecute"), 1);
  EXPECT_EQ(UntoleratedTaints(PodWith(""), node.spec.taints, "PreferNoSchedule"), 0);
}

TEST(Tolerates, OneOfManyTolerations_IsEnough) {
  const corev1::PodSpec pod = PodWith("tolerations: [{key: a}, {key: x, operator: Exists}]");
  const corev1::Node node = NodeWith("[{key: x, value: v, effect: NoSchedule}]");
  EXPECT_TRUE(Tolerates(pod, node.spec.taints[0]));
  EXPECT_FALSE(Tolerates(PodWith("tolerations: [{key: a}]"), node.spec.taints[0]));
}

}  // namespace
}  // namespace kube::envtest::internal
