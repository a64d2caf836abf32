#ifndef APISERVER_REGISTRY_AGGREGATED_RULES_H_
#define APISERVER_REGISTRY_AGGREGATED_RULES_H_

#include <optional>
#include <vector>

#include "api/rbac/v1/types.kube.h"
#include "apimachinery/types/list.h"

namespace kube::apiserver::internal {

// Returns the rules that a role gets from the other roles that its aggregationRule selects: for
// each selector those of the roles in the order of `all`, each rule once. Returns nullopt if it has
// no aggregationRule, or if a selector is not valid. `all` are all roles of the cluster, sorted by
// name; it may contain `role`. Pure and thread-safe (kube-controller-manager: `syncClusterRole`).
std::optional<List<api::rbac::v1::PolicyRule>> AggregatedRules(
    const api::rbac::v1::ClusterRole& role,
    const std::vector<const api::rbac::v1::ClusterRole*>& all);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_REGISTRY_AGGREGATED_RULES_H_
