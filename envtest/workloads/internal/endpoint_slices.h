#ifndef ENVTEST_WORKLOADS_INTERNAL_ENDPOINT_SLICES_H_
#define ENVTEST_WORKLOADS_INTERNAL_ENDPOINT_SLICES_H_

#include <vector>

#include "api/core/v1/types.kube.h"
#include "api/discovery/v1/types.kube.h"
#include "envtest/workloads/internal/pods.h"

namespace kube::envtest::internal {

// What is to be done about the endpoint slices of a service.
struct EndpointSlicesPlan {
  std::vector<api::discovery::v1::EndpointSlice> create = {};
  std::vector<api::discovery::v1::EndpointSlice> update = {};
  Objects<api::discovery::v1::EndpointSlice> remove = {};
};

// `pods` and `slices` are all of its namespace. A service without a selector has none of ours.
// Endpoints are in the order of their pods' names, 100 in a slice; upstream's are where there was
// room. IPv4 only. Pure. (endpointslice.Reconciler)
EndpointSlicesPlan PlanEndpointSlices(const api::core::v1::Service& service,
                                      const Objects<api::core::v1::Pod>& pods,
                                      const Objects<api::discovery::v1::EndpointSlice>& slices);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_ENDPOINT_SLICES_H_
