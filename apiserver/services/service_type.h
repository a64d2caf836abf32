#ifndef APISERVER_SERVICES_SERVICE_TYPE_H_
#define APISERVER_SERVICES_SERVICE_TYPE_H_

#include "api/core/v1/types.kube.h"

// What a Service needs from the server, depending on its type and other fields. Pure and
// thread-safe.
namespace kube::apiserver::internal {

bool NeedsClusterIp(const api::core::v1::Service& service);
// Returns whether its cluster IPs are exactly "None".
bool IsHeadless(const api::core::v1::Service& service);
// Returns whether it needs `spec.healthCheckNodePort`.
bool NeedsHealthCheck(const api::core::v1::Service& service);
// Returns whether the server allocates a node port for each of its ports.
bool AllocatesNodePorts(const api::core::v1::Service& service);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SERVICES_SERVICE_TYPE_H_
