#ifndef APISERVER_CLUSTER_BOOTSTRAP_H_
#define APISERVER_CLUSTER_BOOTSTRAP_H_

#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// Creates the namespaces that every cluster has from the start.
void Bootstrap(Registry& registry, const Resources& resources);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CLUSTER_BOOTSTRAP_H_
