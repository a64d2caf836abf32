#include "apiserver/auth/rbac_policy.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/types/list.h"
#include "apiserver/auth/rbac_rules.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {
namespace {

namespace rbacv1 = api::rbac::v1;

std::string RoleKey(absl::string_view namespace_name, absl::string_view name) {
  return absl::StrCat(namespace_name, "/", name);
}

// Returns the error of client-go's lister for a role that does not exist.
std::string NoSuchRole(const rbacv1::RoleRef& role) {
  if (role.kind == "Role") {
    return absl::StrCat("role.rbac.authorization.k8s.io ", text::Quoted(role.name.view()),
                        " not found");
  }
  if (role.kind == "ClusterRole") {
    return absl::StrCat("clusterrole.rbac.authorization.k8s.io ", text::Quoted(role.name.view()),
                        " not found");
  }
  return absl::StrCat("unsupported role reference kind: ", text::Quoted(role.kind.view()));
}

}  // namespace

std::string AggregateText(const std::vector<std::string>& errors) {
  std::vector<std::string> different;
  for (const std::string& each : errors) {
    if (std::find(different.begin(), different.end(), each) == different.end()) {
      different.push_back(each);
    }
  }
  if (different.empty()) return "";
  if (different.size() == 1) return different[0];
  return absl::StrCat("[", absl::StrJoin(different, ", "), "]");
}

std::string UnresolvedText(const std::vector<const rbacv1::RoleRef*>& roles) {
  std::vector<std::string> errors;
  for (const rbacv1::RoleRef* role : roles) errors.push_back(NoSuchRole(*role));
  return AggregateText(errors);
}

RbacPolicy::RbacPolicy(RbacObjects objects) : objects_(std::move(objects)) {
  for (const ObjectPtr& each : objects_.cluster_roles) {
    const auto* role = each->object().As<rbacv1::ClusterRole>();
    if (role != nullptr) cluster_roles_[std::string(role->metadata.name)] = &role->rules;
  }
  for (const ObjectPtr& each : objects_.roles) {
    const auto* role = each->object().As<rbacv1::Role>();
    if (role == nullptr) continue;
    roles_[RoleKey(role->metadata.namespace_.view(), role->metadata.name.view())] = &role->rules;
  }
  for (const ObjectPtr& each : objects_.cluster_role_bindings) {
    const auto* binding = each->object().As<rbacv1::ClusterRoleBinding>();
    if (binding != nullptr) AddBinding(*binding, "");
  }
  for (const ObjectPtr& each : objects_.role_bindings) {
    const auto* binding = each->object().As<rbacv1::RoleBinding>();
    if (binding != nullptr) AddBinding(*binding, binding->metadata.namespace_.view());
  }
}

template <typename T>
void RbacPolicy::AddBinding(const T& binding, absl::string_view namespace_name) {
  Scope& scope = namespace_name.empty() ? cluster_ : namespaces_[std::string(namespace_name)];
  const size_t index = scope.bindings.size();
  scope.bindings.push_back({.metadata = &binding.metadata,
                            .subjects = &binding.subjects,
                            .role = &binding.role_ref,
                            .rules = FindRole(binding.role_ref, namespace_name)});
  for (size_t i = 0; i < binding.subjects.size(); ++i) {
    const rbacv1::Subject& subject = binding.subjects[i];
    const Place place = {.binding = index, .subject = i};
    if (subject.kind == rbacv1::kUserKind) {
      scope.users[std::string(subject.name)].push_back(place);
    } else if (subject.kind == rbacv1::kGroupKind) {
      scope.groups[std::string(subject.name)].push_back(place);
    } else if (subject.kind == rbacv1::kServiceAccountKind) {
      const absl::string_view space =
          subject.namespace_.empty() ? namespace_name : subject.namespace_.view();
      if (space.empty()) continue;
      scope.users[absl::StrCat("system:serviceaccount:", space, ":", subject.name.view())]
          .push_back(place);
    }
  }
}

const List<rbacv1::PolicyRule>* RbacPolicy::FindRole(const rbacv1::RoleRef& role,
                                                     absl::string_view namespace_name) const {
  if (role.kind == "ClusterRole") {
    const auto it = cluster_roles_.find(role.name.view());
    return it == cluster_roles_.end() ? nullptr : it->second;
  }
  if (role.kind != "Role") return nullptr;
  const auto it = roles_.find(RoleKey(namespace_name, role.name.view()));
  return it == roles_.end() ? nullptr : it->second;
}

bool RbacPolicy::VisitScope(const Scope& scope, const User& user, Visitor visit) {
  std::vector<Place> places;
  if (const auto it = scope.users.find(user.name); it != scope.users.end()) places = it->second;
  for (const std::string& group : user.groups) {
    const auto it = scope.groups.find(group);
    if (it != scope.groups.end()) places.insert(places.end(), it->second.begin(), it->second.end());
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::tie(a.binding, a.subject) < std::tie(b.binding, b.subject);
  });
  // As upstream, the first subject of a binding that is the user stands for all.
  places.erase(std::unique(places.begin(), places.end(),
                           [](const Place& a, const Place& b) { return a.binding == b.binding; }),
               places.end());
  for (const Place& place : places) {
    const Binding& binding = scope.bindings[place.binding];
    if (binding.rules == nullptr) {
      if (!visit(binding, place.subject, nullptr)) return false;
      continue;
    }
    for (const rbacv1::PolicyRule& rule : *binding.rules) {
      if (!visit(binding, place.subject, &rule)) return false;
    }
  }
  return true;
}

void RbacPolicy::Visit(const User& user, absl::string_view namespace_name, Visitor visit) const {
  if (!VisitScope(cluster_, user, visit) || namespace_name.empty()) return;
  const auto it = namespaces_.find(namespace_name);
  if (it != namespaces_.end()) VisitScope(it->second, user, visit);
}

std::string RbacPolicy::Describe(const Binding& binding, size_t subject) {
  const rbacv1::Subject& to = (*binding.subjects)[subject];
  const absl::string_view space = binding.metadata->namespace_.view();
  // As upstream, the namespace comes after the name.
  std::string name(binding.metadata->name);
  if (!space.empty()) absl::StrAppend(&name, "/", space);
  std::string subject_name(to.name);
  if (to.kind == rbacv1::kServiceAccountKind) {
    absl::StrAppend(&subject_name, "/", to.namespace_.empty() ? space : to.namespace_.view());
  }
  return absl::StrCat(space.empty() ? "ClusterRoleBinding " : "RoleBinding ", text::Quoted(name),
                      " of ", binding.role->kind.view(), " ",
                      text::Quoted(binding.role->name.view()), " to ", to.kind.view(), " ",
                      text::Quoted(subject_name));
}

RbacAnswer RbacPolicy::Authorize(const User& user, const RequestInfo& info) const {
  RbacAnswer answer;
  std::vector<const rbacv1::RoleRef*> unresolved;
  Visit(user, info.namespace_name,
        [&](const Binding& binding, size_t subject, const rbacv1::PolicyRule* rule) {
          if (rule == nullptr) {
            unresolved.push_back(binding.role);
          } else if (RuleAllows(*rule, info)) {
            answer.allowed = true;
            answer.reason = absl::StrCat("RBAC: allowed by ", Describe(binding, subject));
          }
          return !answer.allowed;
        });
  if (!answer.allowed && !unresolved.empty()) {
    answer.reason = absl::StrCat("RBAC: ", UnresolvedText(unresolved));
  }
  return answer;
}

RbacPolicy::Rules RbacPolicy::RulesOf(const User& user, absl::string_view namespace_name) const {
  Rules found;
  Visit(user, namespace_name, [&](const Binding& binding, size_t, const rbacv1::PolicyRule* rule) {
    if (rule == nullptr) {
      found.unresolved.push_back(binding.role);
    } else {
      found.rules.push_back(rule);
    }
    return true;
  });
  return found;
}

}  // namespace kube::apiserver::internal
