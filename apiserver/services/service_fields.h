#ifndef APISERVER_SERVICES_SERVICE_FIELDS_H_
#define APISERVER_SERVICES_SERVICE_FIELDS_H_

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"

// The fields of a Service that depend on each other: its type, addresses, address families and node
// ports. A server allocates some of them, so an update may leave those out; others belong to one
// type only, so a change of the type drops them (kube-apiserver: `pkg/registry/core/service`).
//
// Pure and thread-safe.
namespace kube::apiserver::internal {

// Fills in the addresses and node ports of `old` that its update `service` leaves out
// (kube-apiserver: `patchAllocatedValues`).
void KeepAllocated(const api::core::v1::Service& old, api::core::v1::Service& service);

// Makes clusterIP and clusterIPs consistent if the client wrote only one of them. `old` is null for
// a new service (kube-apiserver: `normalizeClusterIPs`).
void NormalizeClusterIps(const api::core::v1::Service* old, api::core::v1::Service& service);

// Fills in ipFamilies and ipFamilyPolicy for a cluster that has only IPv4. `old` is null for a new
// service. Returns a 422 if they do not match the addresses or the cluster (kube-apiserver:
// `initIPFamilyFields`).
absl::Status SetIpFamilies(const api::core::v1::Service* old, api::core::v1::Service& service);

// Clears the fields that the type of `service`, an update of `old`, does not use, unless the update
// changes them too (kube-apiserver: `dropTypeDependentFields`).
void DropTypeDependentFields(const api::core::v1::Service& old, api::core::v1::Service& service);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SERVICES_SERVICE_FIELDS_H_
