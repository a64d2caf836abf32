#ifndef ENVTEST_WORKLOADS_INTERNAL_SERVICES_ENDPOINT_SLICES_H_
#define ENVTEST_WORKLOADS_INTERNAL_SERVICES_ENDPOINT_SLICES_H_

#include <vector>

#include "api/core/v1/types.kube.h"
#include "api/discovery/v1/types.kube.h"
#include "envtest/workloads/internal/cluster/pods.h"

namespace kube::envtest::internal {

// The changes for the endpoint slices of a service.
struct EndpointSlicesPlan {
  std::vector<api::discovery::v1::EndpointSlice> create = {};
  std::vector<api::discovery::v1::EndpointSlice> update = {};
  Objects<api::discovery::v1::EndpointSlice> remove = {};
};

// Plans the changes for a service. `pods` and `slices` must contain all those of its namespace. A
// service without a selector gets no slices. Endpoints are in the order of their pods' names, 100
// per slice; Kubernetes puts them where there is room. IPv4 only. Pure.
// (Go: `endpointslice.Reconciler`)
EndpointSlicesPlan PlanEndpointSlices(const api::core::v1::Service& service,
                                      const Objects<api::core::v1::Pod>& pods,
                                      const Objects<api::discovery::v1::EndpointSlice>& slices);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_SERVICES_ENDPOINT_SLICES_H_
