#ifndef ENVTEST_SERVER_CLUSTER_BOOTSTRAP_H_
#define ENVTEST_SERVER_CLUSTER_BOOTSTRAP_H_

#include "envtest/server/registry/registry.h"
#include "envtest/server/resources.h"

namespace kube::envtest::internal {

// What every cluster has from the start: its four namespaces.
void Bootstrap(Registry& registry, const Resources& resources);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_CLUSTER_BOOTSTRAP_H_
