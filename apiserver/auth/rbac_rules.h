#ifndef APISERVER_AUTH_RBAC_RULES_H_
#define APISERVER_AUTH_RBAC_RULES_H_

#include <string>
#include <vector>

#include "api/rbac/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apiserver/request_info.h"

// What a rule of a role means (kube-apiserver: `pkg/apis/rbac/v1`, component-helpers:
// `auth/rbac/validation`). Pure and thread-safe.
namespace kube::apiserver::internal {

// Returns whether the rule allows the request to the subjects of its bindings (kube-apiserver:
// `RuleAllows`).
bool RuleAllows(const api::rbac::v1::PolicyRule& rule, const RequestInfo& info);

// Returns the parts of `wanted` that no rule of `held` allows: rules with one verb, one API group,
// one resource and at most one name each, or with one verb and one path (component-helpers:
// `Covers`).
std::vector<api::rbac::v1::PolicyRule> UncoveredRules(
    const std::vector<const api::rbac::v1::PolicyRule*>& held,
    const List<api::rbac::v1::PolicyRule>& wanted);

// Returns the text of a rule: `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`
// (kube-apiserver: `CompactString`).
std::string CompactText(const api::rbac::v1::PolicyRule& rule);

// Returns the texts of the results of UncoveredRules, one a line and sorted. Rules that differ in
// their verb only are one line (kube-apiserver: `CompactRules`).
std::string MissingRulesText(const std::vector<api::rbac::v1::PolicyRule>& missing);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_RBAC_RULES_H_
