#ifndef ENVTEST_SERVER_SERVICES_SERVICE_TYPE_H_
#define ENVTEST_SERVER_SERVICES_SERVICE_TYPE_H_

#include "api/core/v1/types.kube.h"

// What the type of a Service, and what else it says, ask of the server. Pure functions:
// thread-safe.
namespace kube::envtest::internal {

bool NeedsClusterIp(const api::core::v1::Service& service);
// Whether its cluster IPs are exactly "None".
bool IsHeadless(const api::core::v1::Service& service);
// Whether it needs `spec.healthCheckNodePort`.
bool NeedsHealthCheck(const api::core::v1::Service& service);
// Whether the server gives each of its ports a node port.
bool AllocatesNodePorts(const api::core::v1::Service& service);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_SERVICES_SERVICE_TYPE_H_
