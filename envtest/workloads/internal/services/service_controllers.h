#ifndef ENVTEST_WORKLOADS_INTERNAL_SERVICES_SERVICE_CONTROLLERS_H_
#define ENVTEST_WORKLOADS_INTERNAL_SERVICES_SERVICE_CONTROLLERS_H_

#include "apimachinery/base/context.h"
#include "envtest/workloads/internal/cluster/cluster.h"
#include "envtest/workloads/internal/cluster/outcome.h"

namespace kube::envtest::internal {

// Makes one pass over all services: plans and writes their endpoint slices and Endpoints. Endpoints
// that a controller has made are deleted when their service is gone. Others, also those that
// somebody has made for a service without a selector, are left alone: they are not mirrored to
// slices, nor deleted with their service.
void SyncServices(const Context& ctx, Cluster& cluster, Outcome& outcome);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_SERVICES_SERVICE_CONTROLLERS_H_
