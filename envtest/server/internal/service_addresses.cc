#include "envtest/server/internal/service_addresses.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "api/core/v1/types.kube.h"

namespace kube::envtest::internal {
namespace {

// 10.0.0.0/16 and 30000-32767, as kube-apiserver by default; ".1" is that of the service
// "kubernetes".
constexpr uint32_t kAddresses = 65000;
constexpr uint32_t kPorts = 2768;

}  // namespace

void ServiceAddresses::Assign(api::core::v1::Service& service) {
  api::core::v1::ServiceSpec& spec = service.spec;
  if (spec.type == "ExternalName") return;
  if (spec.cluster_ip.empty()) {
    const uint32_t host = 2 + next_address_++ % kAddresses;
    spec.cluster_ip = absl::StrCat("10.0.", host >> 8, ".", host & 255);
  }
  spec.cluster_ips = {spec.cluster_ip};
  // What is behind a service without addresses and selector is anybody's guess.
  const bool unknown = spec.cluster_ip == "None" && spec.selector.empty();
  if (spec.ip_families.empty()) {
    spec.ip_families = {"IPv4"};
    if (unknown) spec.ip_families.push_back("IPv6");
  }
  if (!spec.ip_family_policy.has_value()) {
    spec.ip_family_policy = unknown ? "RequireDualStack" : "SingleStack";
  }
  if (spec.type != "NodePort" && spec.type != "LoadBalancer") return;
  for (api::core::v1::ServicePort& port : spec.ports) {
    if (port.node_port == 0) port.node_port = static_cast<int32_t>(30000 + next_port_++ % kPorts);
  }
}

}  // namespace kube::envtest::internal
