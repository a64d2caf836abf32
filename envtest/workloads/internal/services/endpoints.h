#ifndef ENVTEST_WORKLOADS_INTERNAL_SERVICES_ENDPOINTS_H_
#define ENVTEST_WORKLOADS_INTERNAL_SERVICES_ENDPOINTS_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {

// The label of Endpoints that a controller has made, and its value.
inline constexpr absl::string_view kEndpointsManagedBy = "endpoints.kubernetes.io/managed-by";
inline constexpr absl::string_view kEndpointsManager = "endpoint-controller";

// Returns the Endpoints of a service as they must be written: new ones if `existing` is null, or
// nothing if they are up to date. `pods` must contain all those of the namespace. Call it only if
// HasEndpoints(service).
//
// Ports and subsets are sorted by their numbers; Kubernetes sorts them by hashes. IPv4 only, not
// cut off after 1000 addresses, and without the annotation that says when the endpoints changed.
// Pure. (Go: `syncService` of the endpoints controller, `RepackSubsets`)
std::optional<api::core::v1::Endpoints> PlanEndpoints(const api::core::v1::Service& service,
                                                      const Objects<api::core::v1::Pod>& pods,
                                                      const api::core::v1::Endpoints* existing);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_SERVICES_ENDPOINTS_H_
