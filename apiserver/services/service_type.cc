#include "apiserver/services/service_type.h"

#include "api/core/v1/types.kube.h"

namespace kube::apiserver::internal {

using api::core::v1::Service;

bool NeedsClusterIp(const Service& service) { return service.spec.type != "ExternalName"; }

bool IsHeadless(const Service& service) {
  return service.spec.cluster_ips.size() == 1 && service.spec.cluster_ips[0] == "None";
}

bool NeedsHealthCheck(const Service& service) {
  return service.spec.type == "LoadBalancer" && service.spec.external_traffic_policy == "Local";
}

bool AllocatesNodePorts(const Service& service) {
  if (service.spec.type == "NodePort") return true;
  return service.spec.type == "LoadBalancer" &&
         service.spec.allocate_load_balancer_node_ports.value_or(true);
}

}  // namespace kube::apiserver::internal
