#ifndef APISERVER_CLUSTER_BOOTSTRAP_H_
#define APISERVER_CLUSTER_BOOTSTRAP_H_

#include "absl/strings/string_view.h"
#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"

namespace kube::apiserver::internal {

// The namespaces that every cluster has from the start.
inline constexpr absl::string_view kFirstNamespaces[] = {"default", "kube-system", "kube-public",
                                                         "kube-node-lease"};

// Creates them.
void Bootstrap(Registry& registry, const Resources& resources);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CLUSTER_BOOTSTRAP_H_
