#include "envtest/workloads/internal/services/service_pods.h"

#include <cstdint>

#include "api/core/v1/types.kube.h"
#include "apimachinery/types/int_or_string.h"
#include "apimachinery/types/string.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {

namespace corev1 = api::core::v1;

bool HasEndpoints(const corev1::Service& service) {
  return !service.spec.selector.empty() && service.spec.type != "ExternalName" &&
         !service.metadata.deletion_timestamp.has_value();
}

bool Selects(const corev1::Service& service, const corev1::Pod& pod) {
  for (const auto& [key, value] : service.spec.selector) {
    const String* label = pod.metadata.labels.find(key);
    if (label == nullptr || *label != value) return false;
  }
  return !HasEnded(pod) && !pod.status.pod_ips.empty();
}

int32_t PortOf(const corev1::ServicePort& port, const corev1::Pod& pod) {
  if (!port.target_port.is_string()) return static_cast<int32_t>(port.target_port.IntValue());
  for (const corev1::Container& container : pod.spec.containers) {
    for (const corev1::ContainerPort& each : container.ports) {
      if (each.name == port.target_port.text() && each.protocol == port.protocol) {
        return each.container_port;
      }
    }
  }
  return 0;
}

bool IsHeadless(const corev1::Service& service) {
  return service.spec.cluster_ip == "None" || service.spec.cluster_ip.empty();
}

}  // namespace kube::envtest::internal
