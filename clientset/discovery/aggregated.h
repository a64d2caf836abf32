#ifndef CLIENTSET_DISCOVERY_AGGREGATED_H_
#define CLIENTSET_DISCOVERY_AGGREGATED_H_

#include "api/apidiscovery/v2/types.kube.h"
#include "clientset/discovery/discovery.h"

namespace kube::discovery {

// Converts an aggregated discovery document to lists of groups and resources. Subresources become
// resources such as "pods/status"; entries without a kind are left out; the first version of a
// group is the preferred one; a stale version counts as failed. Documents of v2beta1 have the same
// form, and are decoded as v2. Pure: thread-safe. (client-go: `discovery.SplitGroupsAndResources`)
GroupsAndMaybeResources SplitGroupsAndResources(
    const api::apidiscovery::v2::APIGroupDiscoveryList& document);

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_AGGREGATED_H_
