#include "envtest/workloads/internal/services/endpoints.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/types/time.h"
#include "envtest/workloads/internal/cluster/pods.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::envtest::internal {
namespace {

namespace corev1 = api::core::v1;
using testing::ElementsAre;
using testing::IsEmpty;

void AddPort(corev1::Service& service, absl::string_view name, absl::string_view target) {
  corev1::ServicePort& port = service.spec.ports.emplace_back();
  port.name = name;
  port.protocol = "TCP";
  port.target_port = target;
}

corev1::Service ServiceOf() {
  corev1::Service service;
  service.metadata.name = "web";
  service.metadata.namespace_ = "default";
  service.metadata.labels = {{"team", "blue"}};
  service.spec.cluster_ip = "10.0.0.1";
  service.spec.selector = {{"app", "web"}};
  AddPort(service, "main", "http");
  return service;
}

std::shared_ptr<corev1::Pod> PodOf(int number, bool ready = true, int32_t port = 8080) {
  auto pod = std::make_shared<corev1::Pod>();
  pod->metadata.name = absl::StrCat("web-", number);
  pod->metadata.namespace_ = "default";
  pod->metadata.uid = absl::StrCat("uid-", number);
  pod->metadata.labels = {{"app", "web"}};
  pod->spec.node_name = "node-0";
  corev1::Container& container = pod->spec.containers.emplace_back();
  container.ports = {{.name = "http", .container_port = port, .protocol = "TCP"},
                     {.name = "admin", .container_port = 9090, .protocol = "TCP"}};
  pod->status.phase = "Running";
  pod->status.pod_ips = {corev1::PodIP{.ip = absl::StrCat("10.244.0.", number)}};
  corev1::PodCondition& condition = pod->status.conditions.emplace_back();
  condition.type = "Ready";
  condition.status = ready ? "True" : "False";
  return pod;
}

// "10.244.0.1 !10.244.0.2 main:8080" for each subset; "!" is before those that are not ready.
std::vector<std::string> SubsetsOf(const corev1::Endpoints& endpoints) {
  std::vector<std::string> texts;
  for (const corev1::EndpointSubset& subset : endpoints.subsets) {
    std::vector<std::string> words;
    for (const corev1::EndpointAddress& each : subset.addresses) words.emplace_back(each.ip);
    for (const corev1::EndpointAddress& each : subset.not_ready_addresses) {
      words.push_back(absl::StrCat("!", each.ip.view()));
    }
    for (const corev1::EndpointPort& each : subset.ports) {
      words.push_back(absl::StrCat(each.name.view(), ":", each.port));
    }
    texts.push_back(absl::StrJoin(words, " "));
  }
  return texts;
}

std::vector<std::string> Subsets(const corev1::Service& service, const Objects<corev1::Pod>& pods) {
  const auto endpoints = PlanEndpoints(service, pods, nullptr);
  return endpoints.has_value() ? SubsetsOf(*endpoints) : std::vector<std::string>{"none"};
}

TEST(PlanEndpoints, NewService_HasNameLabelsAndTheAddressesOfItsPods) {
  const auto endpoints = PlanEndpoints(ServiceOf(), {PodOf(2), PodOf(1, false)}, nullptr);
  ASSERT_TRUE(endpoints.has_value());
  EXPECT_EQ(endpoints->metadata.name, "web");
  EXPECT_EQ(endpoints->metadata.namespace_, "default");
  EXPECT_EQ(endpoints->metadata.labels.value_or("team", ""), "blue");
  EXPECT_EQ(endpoints->metadata.labels.value_or(kEndpointsManagedBy, ""), "endpoint-controller");
  EXPECT_EQ(endpoints->metadata.labels.size(), 2u);
  EXPECT_THAT(SubsetsOf(*endpoints), ElementsAre("10.244.0.2 !10.244.0.1 main:8080"));
  const corev1::EndpointAddress& address = endpoints->subsets[0].addresses[0];
  EXPECT_EQ(*address.node_name, "node-0");
  EXPECT_EQ(address.target_ref->kind, "Pod");
  EXPECT_EQ(address.target_ref->name, "web-2");
  EXPECT_EQ(address.target_ref->uid, "uid-2");
  EXPECT_FALSE(PlanEndpoints(ServiceOf(), {PodOf(2), PodOf(1, false)}, &*endpoints).has_value());
}

TEST(PlanEndpoints, PortsWithTheSameAddresses_ShareASubset) {
  corev1::Service service = ServiceOf();
  AddPort(service, "admin", "admin");
  EXPECT_THAT(Subsets(service, {PodOf(1), PodOf(2)}),
              ElementsAre("10.244.0.1 10.244.0.2 main:8080 admin:9090"));
  EXPECT_THAT(Subsets(service, {PodOf(1), PodOf(2, true, 80)}),
              ElementsAre("10.244.0.2 main:80", "10.244.0.1 main:8080",
                          "10.244.0.1 10.244.0.2 admin:9090"));
}

TEST(PlanEndpoints, PodsThatEndOrAreNotSelected_AreLeftOut) {
  const auto ending = PodOf(1);
  ending->metadata.deletion_timestamp = Time::FromUnixSeconds(1);
  const auto ended = PodOf(2);
  ended->status.phase = "Failed";
  const auto other = PodOf(3);
  other->metadata.labels.erase("app");
  EXPECT_THAT(Subsets(ServiceOf(), {ending, ended, other}), IsEmpty());
  corev1::Service service = ServiceOf();
  service.spec.publish_not_ready_addresses = true;
  EXPECT_THAT(Subsets(service, {ending, PodOf(4, false)}),
              ElementsAre("10.244.0.1 10.244.0.4 main:8080"));
}

TEST(PlanEndpoints, HeadlessService_NeedsNoPorts_AndKnowsHostNames) {
  corev1::Service service = ServiceOf();
  service.spec.cluster_ip = "None";
  service.spec.ports.clear();
  const auto pod = PodOf(1);
  pod->spec.hostname = "web-1";
  pod->spec.subdomain = "web";
  const auto endpoints = PlanEndpoints(service, {pod}, nullptr);
  ASSERT_TRUE(endpoints.has_value());
  EXPECT_THAT(SubsetsOf(*endpoints), ElementsAre("10.244.0.1"));
  EXPECT_EQ(endpoints->subsets[0].addresses[0].hostname, "web-1");
  EXPECT_TRUE(endpoints->metadata.labels.contains("service.kubernetes.io/headless"));
}

}  // namespace
}  // namespace kube::envtest::internal
