#include "apiserver/auth/escalation.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/types/list.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/rbac_policy.h"
#include "apiserver/auth/rbac_rules.h"
#include "apiserver/errors/plain_error.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;
namespace rbacv1 = api::rbac::v1;

constexpr absl::string_view kGroup = "rbac.authorization.k8s.io";

// Returns the 404 or 500 of the storage for a role that cannot be found. As upstream's, it names
// the resource of the request, not that of the role.
absl::Status NoSuchRole(const RoleWrite& write, const rbacv1::RoleRef& role) {
  if (role.kind == "Role" || role.kind == "ClusterRole") {
    return errors::NotFound({.group = std::string(kGroup), .resource = write.info.resource},
                            role.name.view());
  }
  return PlainError(
      absl::StrCat("unsupported role reference kind: ", text::Quoted(role.kind.view())));
}

std::string GroupsText(const User& user) {
  return absl::StrCat("[",
                      absl::StrJoin(user.groups, " ",
                                    [](std::string* out, const std::string& group) {
                                      text::AppendQuoted(*out, group);
                                    }),
                      "]");
}

// Returns "" if the user has all of `rules`, or else what upstream says about those that are
// missing (kube-apiserver: `ConfirmNoEscalation`).
std::string Missing(const RoleWrite& write, const List<rbacv1::PolicyRule>& rules) {
  const RbacPolicy::Rules held = write.policy.RulesOf(write.user, write.info.namespace_name);
  const std::vector<rbacv1::PolicyRule> missing = UncoveredRules(held.rules, rules);
  if (missing.empty()) return "";
  std::string message = absl::StrCat(
      "user ", text::Quoted(write.user.name), " (groups=", GroupsText(write.user),
      ") is attempting to grant RBAC permissions not currently held:\n", MissingRulesText(missing));
  if (!held.unresolved.empty()) {
    std::vector<std::string> unresolved;
    for (const rbacv1::RoleRef* role : held.unresolved) {
      unresolved.emplace_back(NoSuchRole(write, *role).message());
    }
    absl::StrAppend(&message, "; resolution errors: [", AggregateText(unresolved), "]");
  }
  return message;
}

// Returns whether everything but owner references and finalizers is as before.
bool OnlyForCollector(const Object* old, const Object& object) {
  if (old == nullptr) return false;
  Object changed = object.Copy();
  metav1::ObjectMeta& metadata = changed.metadata();
  const metav1::ObjectMeta& before = old->metadata();
  metadata.owner_references = before.owner_references;
  metadata.finalizers = before.finalizers;
  metadata.self_link = before.self_link;
  metadata.managed_fields = before.managed_fields;
  // Makes apiVersion and kind equal: stored objects do not have them.
  return StoredObject(std::move(changed)).object() == StoredObject(old->Copy()).object();
}

absl::Status Forbidden(absl::string_view resource, const Object& object, absl::string_view why) {
  return errors::Forbidden({.group = std::string(kGroup), .resource = std::string(resource)},
                           object.metadata().name.view(), why);
}

bool Aggregates(const rbacv1::ClusterRole* role) {
  return role != nullptr && role->aggregation_rule &&
         !role->aggregation_rule->cluster_role_selectors.empty();
}

List<rbacv1::PolicyRule> FullAuthority() {
  rbacv1::PolicyRule resources;
  resources.verbs = {"*"};
  resources.api_groups = {"*"};
  resources.resources = {"*"};
  rbacv1::PolicyRule paths;
  paths.verbs = {"*"};
  paths.non_resource_urls = {"*"};
  return {resources, paths};
}

absl::Status CheckRole(const RoleWrite& write, const Object* old, const Object& object,
                       const List<rbacv1::PolicyRule>& rules, bool aggregates) {
  if (write.allows({.is_resource_request = true,
                    .verb = "escalate",
                    .group = write.info.group,
                    .version = "*",
                    .namespace_name = write.info.namespace_name,
                    .resource = write.info.resource,
                    .name = write.info.name})) {
    return absl::OkStatus();
  }
  if (OnlyForCollector(old, object)) return absl::OkStatus();
  const std::string missing = Missing(write, rules);
  if (!missing.empty()) return Forbidden(write.info.resource, object, missing);
  // Such a role can gather any rules.
  if (aggregates && !Missing(write, FullAuthority()).empty()) {
    return Forbidden(write.info.resource, object,
                     "must have cluster-admin privileges to use the aggregationRule");
  }
  return absl::OkStatus();
}

absl::Status CheckBinding(const RoleWrite& write, const Object* old, const Object& object,
                          const rbacv1::RoleRef& role) {
  if (OnlyForCollector(old, object)) return absl::OkStatus();
  const bool known = role.kind == "Role" || role.kind == "ClusterRole";
  if (known && write.allows({.is_resource_request = true,
                             .verb = "bind",
                             .group = std::string(role.api_group),
                             .version = "*",
                             .namespace_name = write.info.namespace_name,
                             .resource = role.kind == "Role" ? "roles" : "clusterroles",
                             .name = std::string(role.name)})) {
    return absl::OkStatus();
  }
  const List<rbacv1::PolicyRule>* rules = write.policy.FindRole(role, write.info.namespace_name);
  if (rules == nullptr) return NoSuchRole(write, role);
  const std::string missing = Missing(write, *rules);
  return missing.empty() ? absl::OkStatus() : Forbidden(write.info.resource, object, missing);
}

}  // namespace

absl::Status CheckEscalation(const RoleWrite& write, const Object* old, const Object& object) {
  if (IsMaster(write.user)) return absl::OkStatus();
  if (const auto* role = object.As<rbacv1::Role>()) {
    return CheckRole(write, old, object, role->rules, /*aggregates=*/false);
  }
  if (const auto* role = object.As<rbacv1::ClusterRole>()) {
    const auto* before = old == nullptr ? nullptr : old->As<rbacv1::ClusterRole>();
    return CheckRole(write, old, object, role->rules, Aggregates(role) || Aggregates(before));
  }
  if (const auto* binding = object.As<rbacv1::RoleBinding>()) {
    return CheckBinding(write, old, object, binding->role_ref);
  }
  if (const auto* binding = object.As<rbacv1::ClusterRoleBinding>()) {
    return CheckBinding(write, old, object, binding->role_ref);
  }
  return absl::OkStatus();
}

}  // namespace kube::apiserver::internal
