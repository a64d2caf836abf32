#include "apiserver/services/service_addresses.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apiserver/errors/plain_error.h"
#include "apiserver/services/service_fields.h"
#include "apiserver/services/service_type.h"

namespace kube::apiserver::internal {
namespace {

using api::core::v1::Service;
using api::core::v1::ServicePort;

// Node ports are 30000-32767, kube-apiserver's default. Addresses start in its default network,
// 10.0.0.0/24, whose ".1" belongs to the service "kubernetes", but go on beyond its end, because a
// test may have more services.
constexpr uint32_t kAddresses = 65000;
constexpr uint32_t kPorts = 2768;

// Without cluster IPs there is no internal traffic. Upstream drops the policy when it reads such a
// service (kube-apiserver: `defaultOnReadInternalTrafficPolicy`).
void DropInternalPolicy(Service& service) {
  if (!NeedsClusterIp(service)) service.spec.internal_traffic_policy.reset();
}

// Two ports of a protocol must not have the same node port (kube-apiserver: `updateNodePorts`).
absl::Status CheckNodePortsDiffer(const Service& service) {
  std::set<std::pair<std::string, int32_t>> seen;
  if (service.spec.type != "NodePort" && service.spec.type != "LoadBalancer") {
    return absl::OkStatus();
  }
  for (const ServicePort& port : service.spec.ports) {
    if (port.node_port == 0 || seen.emplace(port.protocol, port.node_port).second) continue;
    return PlainError(
        absl::StrCat("duplicate nodePort: {", port.protocol.view(), " ", port.node_port, "}"));
  }
  return absl::OkStatus();
}

}  // namespace

int32_t ServiceAddresses::NextPort() { return static_cast<int32_t>(30000 + next_port_++ % kPorts); }

void ServiceAddresses::AddClusterIp(Service& service) {
  api::core::v1::ServiceSpec& spec = service.spec;
  if (!NeedsClusterIp(service) || IsHeadless(service) || !spec.cluster_ip.empty()) return;
  const uint32_t host = 2 + next_address_++ % kAddresses;
  spec.cluster_ip = absl::StrCat("10.0.", host >> 8, ".", host & 255);
  spec.cluster_ips = {spec.cluster_ip};
}

void ServiceAddresses::AddNodePorts(Service& service) {
  if (!AllocatesNodePorts(service)) return;
  // Ports with the same number and different protocols get the same node port.
  std::map<int32_t, int32_t> by_port;
  for (const ServicePort& port : service.spec.ports) {
    if (port.node_port != 0) by_port.emplace(port.port, port.node_port);
  }
  for (ServicePort& port : service.spec.ports) {
    if (port.node_port != 0) continue;
    const auto [it, is_new] = by_port.emplace(port.port, 0);
    if (is_new) it->second = NextPort();
    port.node_port = it->second;
  }
}

void ServiceAddresses::AddHealthCheckPort(Service& service) {
  int32_t& port = service.spec.health_check_node_port;
  if (NeedsHealthCheck(service) && port == 0) port = NextPort();
}

absl::Status ServiceAddresses::Assign(Service& service) {
  NormalizeClusterIps(nullptr, service);
  KUBE_RETURN_IF_ERROR(SetIpFamilies(nullptr, service));
  AddClusterIp(service);
  AddNodePorts(service);
  AddHealthCheckPort(service);
  DropInternalPolicy(service);
  return absl::OkStatus();
}

absl::Status ServiceAddresses::Reassign(const Service& old, Service& service) {
  KeepAllocated(old, service);
  NormalizeClusterIps(&old, service);
  KUBE_RETURN_IF_ERROR(SetIpFamilies(&old, service));
  if (!NeedsClusterIp(old)) AddClusterIp(service);
  if (AllocatesNodePorts(service)) {
    // Unlike with a new service, each port gets a node port of its own.
    for (ServicePort& port : service.spec.ports) {
      if (port.node_port == 0) port.node_port = NextPort();
    }
  }
  KUBE_RETURN_IF_ERROR(CheckNodePortsDiffer(service));
  if (!NeedsHealthCheck(old)) AddHealthCheckPort(service);
  DropInternalPolicy(service);
  return absl::OkStatus();
}

}  // namespace kube::apiserver::internal
