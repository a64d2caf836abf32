#include "envtest/workloads/internal/services/endpoint_slices.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/discovery/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
namespace discoveryv1 = api::discovery::v1;
using testing::IsEmpty;
using testing::SizeIs;

corev1::Service ServiceOf() {
  corev1::Service service;
  service.metadata.name = "web";
  service.metadata.namespace_ = "default";
  service.metadata.uid = "u";
  service.metadata.labels = {{"team", "blue"}};
  service.spec.cluster_ip = "10.0.0.1";
  service.spec.selector = {{"app", "web"}};
  corev1::ServicePort& port = service.spec.ports.emplace_back();
  port.name = "main";
  port.protocol = "TCP";
  port.port = 80;
  port.target_port = "http";
  return service;
}

std::shared_ptr<corev1::Pod> PodOf(int number, bool ready = true, int32_t port = 8080) {
  auto pod = std::make_shared<corev1::Pod>();
  pod->metadata.name = absl::StrCat("web-", number);
  pod->metadata.labels = {{"app", "web"}, {"x", "y"}};
  pod->spec.node_name = "node-0";
  corev1::Container& container = pod->spec.containers.emplace_back();
  container.ports = {{.name = "http", .container_port = port, .protocol = "TCP"}};
  pod->status.phase = "Running";
  pod->status.pod_ips = {corev1::PodIP{.ip = absl::StrCat("10.244.0.", number)}};
  corev1::PodCondition& condition = pod->status.conditions.emplace_back();
  condition.type = "Ready";
  condition.status = ready ? "True" : "False";
  return pod;
}

// TestReconcile... of the reconciler's tests, as far as slices of one size go.
TEST(PlanEndpointSlices, Service_WithPods_CreatesASliceWithTheirConditions) {
  const corev1::Service service = ServiceOf();
  const auto going = PodOf(3);
  going->metadata.deletion_timestamp = Time::FromUnixSeconds(1);
  const EndpointSlicesPlan plan =
      PlanEndpointSlices(service, {PodOf(1), PodOf(2, false), going}, {});
  ASSERT_THAT(plan.create, SizeIs(1));
  const discoveryv1::EndpointSlice& slice = plan.create[0];
  EXPECT_EQ(slice.metadata.generate_name, "web-");
  EXPECT_TRUE(meta::IsControlledBy(slice.metadata, service.metadata));
  EXPECT_EQ(slice.address_type, "IPv4");
  const auto& labels = slice.metadata.labels;
  EXPECT_EQ(labels.value_or("kubernetes.io/service-name", ""), "web");
  EXPECT_EQ(labels.value_or("endpointslice.kubernetes.io/managed-by", ""),
            "endpointslice-controller.k8s.io");
  EXPECT_EQ(labels.value_or("team", ""), "blue");
  EXPECT_EQ(labels.size(), 3u);
  ASSERT_THAT(slice.ports, SizeIs(1));
  EXPECT_EQ(slice.ports[0].port, 8080);
  EXPECT_EQ(slice.ports[0].name, "main");
  ASSERT_THAT(slice.endpoints, SizeIs(3));
  const struct {
    bool ready, serving, terminating;
  } expected[] = {{true, true, false}, {false, false, false}, {false, true, true}};
  for (size_t i = 0; i < 3; ++i) {
    SCOPED_TRACE(i);
    const discoveryv1::Endpoint& endpoint = slice.endpoints[i];
    EXPECT_EQ(endpoint.target_ref->name, absl::StrCat("web-", i + 1));
    EXPECT_EQ(endpoint.addresses[0], absl::StrCat("10.244.0.", i + 1));
    EXPECT_EQ(endpoint.node_name, "node-0");
    EXPECT_EQ(endpoint.conditions.ready, expected[i].ready);
    EXPECT_EQ(endpoint.conditions.serving, expected[i].serving);
    EXPECT_EQ(endpoint.conditions.terminating, expected[i].terminating);
  }
}

TEST(PlanEndpointSlices, ForeignOrEndedPodOrWithoutAddress_IsLeftOut) {
  const auto foreign = PodOf(1);
  foreign->metadata.labels["app"] = "db";
  const auto ended = PodOf(2);
  ended->status.phase = "Succeeded";
  const auto no_address = PodOf(3);
  no_address->status.pod_ips.clear();
  const EndpointSlicesPlan plan = PlanEndpointSlices(ServiceOf(), {foreign, ended, no_address}, {});
  ASSERT_THAT(plan.create, SizeIs(1)) << "an empty one";
  EXPECT_THAT(plan.create[0].endpoints, IsEmpty());
  EXPECT_THAT(plan.create[0].ports, IsEmpty());
}

TEST(PlanEndpointSlices, ExternalNameOrNoSelector_HasNoSlices) {
  corev1::Service service = ServiceOf();
  service.spec.type = "ExternalName";
  EXPECT_THAT(PlanEndpointSlices(service, {PodOf(1)}, {}).create, IsEmpty());
  service = ServiceOf();
  service.spec.selector.clear();
  EXPECT_THAT(PlanEndpointSlices(service, {PodOf(1)}, {}).create, IsEmpty());
}

TEST(PlanEndpointSlices, PublishesPodsThatAreNotReadyIfAsked) {
  corev1::Service service = ServiceOf();
  service.spec.publish_not_ready_addresses = true;
  service.spec.cluster_ip = "None";
  const EndpointSlicesPlan plan = PlanEndpointSlices(service, {PodOf(1, false)}, {});
  EXPECT_EQ(plan.create[0].endpoints[0].conditions.ready, true);
  EXPECT_TRUE(plan.create[0].metadata.labels.contains("service.kubernetes.io/headless"));
}

TEST(PlanEndpointSlices, PodsWithOtherPorts_GetASliceOfTheirOwn) {
  EXPECT_THAT(
      PlanEndpointSlices(ServiceOf(), {PodOf(1), PodOf(2, true, 9090), PodOf(3)}, {}).create,
      SizeIs(2));
}

TEST(PlanEndpointSlices, ManyPods_AreSplitIntoSlicesOfAHundred) {
  Objects<corev1::Pod> pods;
  for (int i = 0; i < 250; ++i) pods.push_back(PodOf(i));
  const EndpointSlicesPlan plan = PlanEndpointSlices(ServiceOf(), pods, {});
  ASSERT_THAT(plan.create, SizeIs(3));
  EXPECT_THAT(plan.create[0].endpoints, SizeIs(100));
  EXPECT_THAT(plan.create[2].endpoints, SizeIs(50));
}

TEST(PlanEndpointSlices, ExistingSlices_AreUpdatedOrRemoved) {
  const corev1::Service service = ServiceOf();
  Objects<discoveryv1::EndpointSlice> slices;
  for (auto& slice : PlanEndpointSlices(service, {PodOf(1), PodOf(2, true, 9090)}, {}).create) {
    slice.metadata.name = absl::StrCat("web-", slices.size());
    slices.push_back(std::make_shared<discoveryv1::EndpointSlice>(slice));
  }
  EndpointSlicesPlan plan = PlanEndpointSlices(service, {PodOf(1), PodOf(2, true, 9090)}, slices);
  EXPECT_THAT(plan.create, IsEmpty());
  EXPECT_THAT(plan.update, IsEmpty());
  EXPECT_THAT(plan.remove, IsEmpty());

  plan = PlanEndpointSlices(service, {PodOf(2, false, 9090)}, slices);
  EXPECT_THAT(plan.create, IsEmpty());
  ASSERT_THAT(plan.update, SizeIs(1));
  EXPECT_EQ(plan.update[0].metadata.name, "web-1") << "the one with these ports";
  ASSERT_THAT(plan.remove, SizeIs(1));
  EXPECT_EQ(plan.remove[0]->metadata.name, "web-0");
}

}  // namespace
}  // namespace kube::envtest::internal
