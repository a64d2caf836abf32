#ifndef CLIENTSET_DISCOVERY_AGGREGATED_H_
#define CLIENTSET_DISCOVERY_AGGREGATED_H_

#include "api/apidiscovery/v2/types.kube.h"
#include "clientset/discovery/discovery.h"

namespace kube::discovery {

// What an aggregated document says, as groups and resources of old. Subresources become resources
// "pods/status"; what has no kind is left away; the preferred version is the first one. A version
// that is stale has failed. v2beta1 documents look the same, and are read as v2.
// (SplitGroupsAndResources) Pure: thread-safe.
GroupsAndMaybeResources SplitGroupsAndResources(
    const api::apidiscovery::v2::APIGroupDiscoveryList& document);

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_AGGREGATED_H_
