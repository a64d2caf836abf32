#ifndef CONTROLLER_MANIFESTS_ROLES_H_
#define CONTROLLER_MANIFESTS_ROLES_H_

#include <string>
#include <vector>

#include "api/rbac/v1/types.kube.h"
#include "controller/cache/required_access.h"

namespace kube::manifests {

// The rules of one role of a program.
struct RoleRules {
  controller::AccessPurpose purpose = controller::AccessPurpose::kWork;
  // The namespace of a Role; empty for a ClusterRole.
  std::string namespace_name = {};
  std::vector<api::rbac::v1::PolicyRule> rules = {};
};

// Returns the roles that grant these rights and no others, sorted by purpose and namespace: for
// each purpose a ClusterRole if a right holds in all namespaces, and a Role for each namespace that
// a right names. Rights that are limited to names and have verbs that cannot be, "create" and
// "deletecollection", get a rule without names for these verbs; "*" stays limited, so name "create"
// beside it if the program creates objects. Pure function. (controller-gen: `rbac`)
//
//   const std::vector<manifests::RoleRules> roles = manifests::RolesOf(manager->RequiredRules());
std::vector<RoleRules> RolesOf(const std::vector<controller::RequiredAccess>& access);

// Returns the fewest rules that grant the same, sorted, as controller-gen writes them: resources of
// equal verbs are in one rule, then groups, then paths, and "*" swallows all other verbs. Pure
// function.
std::vector<api::rbac::v1::PolicyRule> MergeRules(
    const std::vector<api::rbac::v1::PolicyRule>& rules);

}  // namespace kube::manifests

#endif  // CONTROLLER_MANIFESTS_ROLES_H_
