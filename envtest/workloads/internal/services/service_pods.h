#ifndef ENVTEST_WORKLOADS_INTERNAL_SERVICES_SERVICE_PODS_H_
#define ENVTEST_WORKLOADS_INTERNAL_SERVICES_SERVICE_PODS_H_

#include <cstdint>

#include "api/core/v1/types.kube.h"

// The pods of a service, as both controllers of endpoints see them. Pure functions.
namespace kube::envtest::internal {

// Returns whether a controller makes endpoints for the service: it has a selector, is no alias of
// another name, and is not being deleted.
bool HasEndpoints(const api::core::v1::Service& service);

// Returns whether the selector of the service matches the pod, which has an address and has not
// ended. (Go: `ShouldPodBeInEndpoints`)
bool Selects(const api::core::v1::Service& service, const api::core::v1::Pod& pod);

// Returns the number of the pod's port that a port of the service stands for, or zero if the pod
// has none of that name. (Go: `FindPort`)
int32_t PortOf(const api::core::v1::ServicePort& port, const api::core::v1::Pod& pod);

// Returns whether the service has no cluster IP.
bool IsHeadless(const api::core::v1::Service& service);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_SERVICES_SERVICE_PODS_H_
