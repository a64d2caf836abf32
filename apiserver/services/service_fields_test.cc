#include "apiserver/services/service_fields.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apiserver/services/service_addresses.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using api::core::v1::Service;
using api::core::v1::ServiceSpec;
using base::IsOk;

Service ServiceOf(absl::string_view spec) {
  Service service;
  service.spec = *codec::DecodeJson<ServiceSpec>(spec);
  return service;
}

std::string Json(const Service& service) { return *codec::EncodeJson(service.spec); }

TEST(ServiceFields, UpdatesKeepWhatWasAllocated) {
  struct Row {
    std::string name, old, update, expected;
  };
  const std::vector<Row> rows = {
      {"an address", R"({"type":"ClusterIP","clusterIP":"1.2.3.4","clusterIPs":["1.2.3.4"]})",
       R"({"type":"ClusterIP"})",
       R"({"clusterIP":"1.2.3.4","clusterIPs":["1.2.3.4"],"type":"ClusterIP"})"},
      {"no address of an external name", R"({"type":"ExternalName"})", R"({"type":"ClusterIP"})",
       R"({"type":"ClusterIP"})"},
      {"node ports by name",
       R"({"type":"NodePort","ports":[{"name":"a","port":1,"nodePort":30001},{"name":"b","port":2,"nodePort":30002}]})",
       R"({"type":"NodePort","ports":[{"name":"b","port":2},{"name":"c","port":3}]})",
       R"({"ports":[{"name":"b","port":2,"targetPort":0,"nodePort":30002},{"name":"c","port":3,"targetPort":0}],"type":"NodePort"})"},
      {"no node port that another port takes",
       R"({"type":"NodePort","ports":[{"name":"a","port":1,"nodePort":30001},{"name":"b","port":2,"nodePort":30002}]})",
       R"({"type":"NodePort","ports":[{"name":"a","port":1},{"name":"b","port":2,"nodePort":30001}]})",
       R"({"ports":[{"name":"a","port":1,"targetPort":0},{"name":"b","port":2,"targetPort":0,"nodePort":30001}],"type":"NodePort"})"},
      {"a health check",
       R"({"type":"LoadBalancer","externalTrafficPolicy":"Local","healthCheckNodePort":30009})",
       R"({"type":"LoadBalancer","externalTrafficPolicy":"Local"})",
       R"({"type":"LoadBalancer","externalTrafficPolicy":"Local","healthCheckNodePort":30009})"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    Service service = ServiceOf(row.update);
    KeepAllocated(ServiceOf(row.old), service);
    EXPECT_EQ(Json(service), row.expected);
  }
}

TEST(ServiceFields, OneAddressIsToldTwice) {
  const Service old = ServiceOf(R"({"clusterIP":"1.2.3.4","clusterIPs":["1.2.3.4"]})");
  Service created = ServiceOf(R"({"clusterIP":"None"})");
  NormalizeClusterIps(nullptr, created);
  EXPECT_EQ(Json(created), R"({"clusterIP":"None","clusterIPs":["None"]})");
  Service changed = ServiceOf(R"({"clusterIP":"5.6.7.8","clusterIPs":["1.2.3.4"]})");
  NormalizeClusterIps(&old, changed);
  EXPECT_EQ(Json(changed), R"({"clusterIP":"5.6.7.8","clusterIPs":["5.6.7.8"]})");
  Service cleared = ServiceOf(R"({"clusterIPs":["1.2.3.4"]})");
  NormalizeClusterIps(&old, cleared);
  EXPECT_EQ(Json(cleared), "{}");
  // If both are changed, validation decides.
  Service both = ServiceOf(R"({"clusterIP":"5.6.7.8","clusterIPs":["9.9.9.9"]})");
  NormalizeClusterIps(&old, both);
  EXPECT_EQ(Json(both), R"({"clusterIP":"5.6.7.8","clusterIPs":["9.9.9.9"]})");
}

TEST(ServiceFields, FamiliesFollowTheAddresses) {
  struct Row {
    std::string name, spec, expected;
  };
  const std::vector<Row> rows = {
      {"by default", R"({"type":"ClusterIP"})",
       R"({"type":"ClusterIP","ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack"})"},
      {"headless without a selector", R"({"clusterIP":"None","clusterIPs":["None"]})",
       R"({"clusterIP":"None","clusterIPs":["None"],"ipFamilies":["IPv4","IPv6"],"ipFamilyPolicy":"RequireDualStack"})"},
      {"headless with one", R"({"clusterIP":"None","clusterIPs":["None"],"selector":{"a":"b"}})",
       R"({"selector":{"a":"b"},"clusterIP":"None","clusterIPs":["None"],"ipFamilies":["IPv4"],"ipFamilyPolicy":"SingleStack"})"},
      {"an external name", R"({"type":"ExternalName"})", R"({"type":"ExternalName"})"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    Service service = ServiceOf(row.spec);
    EXPECT_THAT(SetIpFamilies(nullptr, service), IsOk());
    EXPECT_EQ(Json(service), row.expected);
  }
  for (const absl::string_view wrong :
       {R"({"ipFamilyPolicy":"RequireDualStack"})", R"({"ipFamilies":["IPv6"]})",
        R"({"clusterIP":"::1","clusterIPs":["::1"]})", R"({"clusterIPs":["1.2.3.4"]})",
        R"({"ipFamilyPolicy":"SingleStack","ipFamilies":["IPv4","IPv6"]})"}) {
    Service service = ServiceOf(wrong);
    EXPECT_FALSE(SetIpFamilies(nullptr, service).ok()) << wrong;
  }
}

TEST(ServiceFields, AnotherTypeDropsWhatItHasNoUseFor) {
  Service old = ServiceOf(
      R"({"type":"LoadBalancer","clusterIP":"1.2.3.4","clusterIPs":["1.2.3.4"],"ipFamilies":["IPv4"],)"
      R"("ipFamilyPolicy":"SingleStack","externalTrafficPolicy":"Local","healthCheckNodePort":30009,)"
      R"("allocateLoadBalancerNodePorts":true,"ports":[{"port":1,"nodePort":30001}]})");
  old.status.load_balancer.ingress.push_back({.ip = "5.6.7.8"});
  Service service = old;
  service.spec.type = "ExternalName";
  DropTypeDependentFields(old, service);
  EXPECT_EQ(Json(service), R"({"ports":[{"port":1,"targetPort":0}],"type":"ExternalName"})");
  EXPECT_TRUE(service.status.load_balancer.ingress.empty());
  // A field that the update changes too is kept, and rejected by validation.
  Service changed = old;
  changed.spec.type = "ClusterIP";
  changed.spec.ports[0].node_port = 30002;
  changed.spec.health_check_node_port = 30010;
  DropTypeDependentFields(old, changed);
  EXPECT_EQ(changed.spec.ports[0].node_port, 30002);
  EXPECT_EQ(changed.spec.health_check_node_port, 30010);
  EXPECT_EQ(changed.spec.cluster_ip, "1.2.3.4");
}

TEST(ServiceAddresses, PortsOfOneNumberShareANodePort) {
  ServiceAddresses addresses;
  Service dns = ServiceOf(
      R"({"type":"NodePort","ports":[{"name":"u","protocol":"UDP","port":53},{"name":"t","protocol":"TCP","port":53}]})");
  ASSERT_THAT(addresses.Assign(dns), IsOk());
  EXPECT_EQ(dns.spec.ports[0].node_port, 30000);
  EXPECT_EQ(dns.spec.ports[1].node_port, 30000);
}

TEST(ServiceAddresses, AnExternalNameThatBecomesAnotherTypeGetsAnAddress) {
  ServiceAddresses addresses;
  const Service old = ServiceOf(R"({"type":"ExternalName","externalName":"a.b"})");
  Service service = ServiceOf(R"({"type":"ClusterIP"})");
  ASSERT_THAT(addresses.Reassign(old, service), IsOk());
  EXPECT_EQ(service.spec.cluster_ip, "10.0.0.2");
  const Service headless = ServiceOf(
      R"({"type":"ClusterIP","clusterIP":"None","clusterIPs":["None"],"selector":{"a":"b"}})");
  Service same = ServiceOf(R"({"type":"ClusterIP","selector":{"a":"b"}})");
  ASSERT_THAT(addresses.Reassign(headless, same), IsOk());
  EXPECT_EQ(same.spec.cluster_ip, "None");
}

}  // namespace
}  // namespace kube::apiserver::internal
