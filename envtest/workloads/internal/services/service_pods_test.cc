#include "envtest/workloads/internal/services/service_pods.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_yaml.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;

corev1::Service ServiceOf(absl::string_view spec) {
  const auto service = codec::DecodeYaml<corev1::Service>(absl::StrCat("{spec: {", spec, "}}"));
  EXPECT_THAT(service, base::IsOk());
  return *service;
}

corev1::Pod PodOf(absl::string_view labels, absl::string_view status) {
  const auto pod = codec::DecodeYaml<corev1::Pod>(absl::StrCat(
      "{metadata: {labels: {", labels, "}}, spec: {containers: [{name: c, ports: [",
      "{name: http, containerPort: 80, protocol: UDP}, ",
      "{name: http, containerPort: 8080, protocol: TCP}]}]}, status: {", status, "}}"));
  EXPECT_THAT(pod, base::IsOk());
  return *pod;
}

TEST(HasEndpoints, SelectorAndType_Decide) {
  EXPECT_TRUE(HasEndpoints(ServiceOf("selector: {app: web}")));
  EXPECT_FALSE(HasEndpoints(ServiceOf("clusterIP: 10.0.0.1")));
  EXPECT_FALSE(HasEndpoints(ServiceOf("selector: {app: web}, type: ExternalName")));
}

TEST(Selects, LabelsAddressAndPhase_Decide) {
  const corev1::Service service = ServiceOf("selector: {app: web, tier: front}");
  constexpr absl::string_view kRuns = "phase: Running, podIPs: [{ip: 10.244.0.1}]";
  EXPECT_TRUE(Selects(service, PodOf("app: web, tier: front, x: z", kRuns)));
  EXPECT_FALSE(Selects(service, PodOf("app: web", kRuns)));
  EXPECT_FALSE(Selects(service, PodOf("app: web, tier: back", kRuns)));
  EXPECT_FALSE(Selects(service, PodOf("app: web, tier: front", "phase: Running")));
  EXPECT_FALSE(Selects(
      service, PodOf("app: web, tier: front", "phase: Failed, podIPs: [{ip: 10.244.0.1}]")));
}

TEST(PortOf, NumberOrName_IsThePortOfTheContainer) {
  const corev1::Pod pod = PodOf("", "");
  const corev1::Service service = ServiceOf(
      "ports: [{port: 1, targetPort: 90, protocol: TCP}, {port: 2, targetPort: http, protocol: "
      "TCP}, {port: 3, targetPort: grpc, protocol: TCP}]");
  EXPECT_EQ(PortOf(service.spec.ports[0], pod), 90);
  EXPECT_EQ(PortOf(service.spec.ports[1], pod), 8080);
  EXPECT_EQ(PortOf(service.spec.ports[2], pod), 0);
}

TEST(IsHeadless, ClusterIp_Decides) {
  EXPECT_TRUE(IsHeadless(ServiceOf("")));
  EXPECT_TRUE(IsHeadless(ServiceOf("clusterIP: None")));
  EXPECT_FALSE(IsHeadless(ServiceOf("clusterIP: 10.0.0.1")));
}

}  // namespace
}  // namespace kube::envtest::internal
