#ifndef APISERVER_SERVICES_SERVICE_FIELDS_H_
#define APISERVER_SERVICES_SERVICE_FIELDS_H_

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"

// The members of a Service that depend on each other: its type, its addresses, their families and
// its node ports. A server allocates some of them, so an update may leave those out; and some
// belong to one type only, so a change of the type drops them. (pkg/registry/core/service)
//
// Pure functions: thread-safe.
namespace kube::apiserver::internal {

// Fills in the addresses and node ports of `old` that `service`, an update of it, leaves out.
// (patchAllocatedValues)
void KeepAllocated(const api::core::v1::Service& old, api::core::v1::Service& service);

// Makes clusterIP and clusterIPs of `service` say the same where the client wrote only one of them.
// `old` is null for a new service. (normalizeClusterIPs)
void NormalizeClusterIps(const api::core::v1::Service* old, api::core::v1::Service& service);

// Fills in ipFamilies and ipFamilyPolicy, for a cluster that has IPv4 only. `old` is null for a new
// service. 422 if they do not fit to the addresses or to the cluster. (initIPFamilyFields)
absl::Status SetIpFamilies(const api::core::v1::Service* old, api::core::v1::Service& service);

// Clears what the type of `service`, an update of `old`, has no use for, unless the update changes
// it as well. (dropTypeDependentFields)
void DropTypeDependentFields(const api::core::v1::Service& old, api::core::v1::Service& service);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SERVICES_SERVICE_FIELDS_H_
