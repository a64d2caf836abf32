#ifndef APISERVER_SERVICES_SERVICE_TYPE_H_
#define APISERVER_SERVICES_SERVICE_TYPE_H_

#include "api/core/v1/types.kube.h"

// What the type of a Service, and what else it says, ask of the server. Pure functions:
// thread-safe.
namespace kube::apiserver::internal {

bool NeedsClusterIp(const api::core::v1::Service& service);
// Whether its cluster IPs are exactly "None".
bool IsHeadless(const api::core::v1::Service& service);
// Whether it needs `spec.healthCheckNodePort`.
bool NeedsHealthCheck(const api::core::v1::Service& service);
// Whether the server gives each of its ports a node port.
bool AllocatesNodePorts(const api::core::v1::Service& service);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SERVICES_SERVICE_TYPE_H_
