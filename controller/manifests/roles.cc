// How rules are merged: one rule for each resource, then equal ones are joined in four steps: their
// verbs if all else is equal, then their resources, their groups, their paths. Each step keeps what
// is granted: two rules that differ in one list alone grant the same as one with both lists.

#include "controller/manifests/roles.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "controller/cache/required_access.h"

namespace kube::manifests {
namespace {

namespace rbacv1 = api::rbac::v1;
using controller::RequiredAccess;

using Texts = std::set<std::string>;

struct Rule {
  Texts groups = {};
  Texts resources = {};
  Texts names = {};
  Texts urls = {};
  Texts verbs = {};
};
using Field = Texts Rule::*;

constexpr Field kFields[] = {&Rule::groups, &Rule::resources, &Rule::names, &Rule::urls,
                             &Rule::verbs};

Texts TextsOf(const List<String>& list) {
  Texts texts;
  for (const String& text : list) texts.emplace(text.view());
  return texts;
}

// Returns null for an empty set, so that the field is left out.
List<String> ListOf(const Texts& texts) {
  if (texts.empty()) return {};
  return List<String>(texts.begin(), texts.end());
}

// Returns a rule for each resource, or one if there are only paths.
std::vector<Rule> Split(const std::vector<rbacv1::PolicyRule>& rules) {
  std::vector<Rule> split;
  for (const rbacv1::PolicyRule& rule : rules) {
    const Rule whole = {.groups = TextsOf(rule.api_groups),
                        .resources = {},
                        .names = TextsOf(rule.resource_names),
                        .urls = TextsOf(rule.non_resource_urls),
                        .verbs = TextsOf(rule.verbs)};
    if (rule.resources.empty()) split.push_back(whole);
    for (const String& resource : rule.resources) {
      split.push_back(whole);
      split.back().resources = {std::string(resource.view())};
    }
  }
  return split;
}

bool AgreeBut(const Rule& a, const Rule& b, Field ignored) {
  return std::all_of(std::begin(kFields), std::end(kFields),
                     [&](Field field) { return field == ignored || a.*field == b.*field; });
}

// Makes one rule of those that differ in this field alone.
void Join(Field field, std::vector<Rule>& rules) {
  std::vector<Rule> joined;
  for (Rule& rule : rules) {
    const auto same = std::find_if(joined.begin(), joined.end(),
                                   [&](const Rule& other) { return AgreeBut(rule, other, field); });
    if (same == joined.end()) {
      joined.push_back(std::move(rule));
    } else {
      ((*same).*field).merge(rule.*field);
    }
  }
  rules = std::move(joined);
}

std::string SortKey(const Rule& rule) {
  return absl::StrCat(absl::StrJoin(rule.groups, "&"), " + ", absl::StrJoin(rule.resources, "&"),
                      " + ", absl::StrJoin(rule.names, "&"), " + ", absl::StrJoin(rule.urls, "&"));
}

rbacv1::PolicyRule PolicyRuleOf(const Rule& rule) {
  rbacv1::PolicyRule made;
  made.api_groups = ListOf(rule.groups);
  made.resources = ListOf(rule.resources);
  made.resource_names = ListOf(rule.names);
  made.non_resource_urls = ListOf(rule.urls);
  made.verbs = rule.verbs.contains("*") ? List<String>{"*"} : ListOf(rule.verbs);
  return made;
}

// "*" can be: it then grants all verbs of requests that name one of the objects.
bool CanBeLimitedToNames(const std::string& verb) {
  return verb != "create" && verb != "deletecollection";
}

// Returns the rules of a right: those of verbs that can be limited to its names, and of others.
std::vector<rbacv1::PolicyRule> RulesOf(const RequiredAccess& access) {
  Rule limited;
  if (access.urls.empty()) {
    limited.groups = {access.group};
    limited.resources = {access.resource};
    limited.names = Texts(access.names.begin(), access.names.end());
  }
  limited.urls = Texts(access.urls.begin(), access.urls.end());
  Rule unlimited = limited;
  unlimited.names.clear();
  for (const std::string& verb : access.verbs) {
    const bool is_limited = !limited.names.empty() && CanBeLimitedToNames(verb);
    (is_limited ? limited : unlimited).verbs.insert(verb);
  }
  std::vector<rbacv1::PolicyRule> rules;
  for (const Rule* rule : {&limited, &unlimited}) {
    if (!rule->verbs.empty()) rules.push_back(PolicyRuleOf(*rule));
  }
  return rules;
}

}  // namespace

std::vector<rbacv1::PolicyRule> MergeRules(const std::vector<rbacv1::PolicyRule>& rules) {
  std::vector<Rule> merged = Split(rules);
  for (const Field field : {&Rule::verbs, &Rule::resources, &Rule::groups, &Rule::urls}) {
    Join(field, merged);
  }
  std::sort(merged.begin(), merged.end(),
            [](const Rule& a, const Rule& b) { return SortKey(a) < SortKey(b); });
  std::vector<rbacv1::PolicyRule> made;
  for (const Rule& rule : merged) made.push_back(PolicyRuleOf(rule));
  return made;
}

std::vector<RoleRules> RolesOf(const std::vector<RequiredAccess>& access) {
  using Role = std::pair<controller::AccessPurpose, std::string>;
  std::map<Role, std::vector<rbacv1::PolicyRule>> rules;
  for (const RequiredAccess& one : access) {
    std::vector<std::string> namespaces = one.namespaces;
    if (namespaces.empty()) namespaces = {""};
    for (const std::string& namespace_name : namespaces) {
      std::vector<rbacv1::PolicyRule>& of_role = rules[{one.purpose, namespace_name}];
      for (rbacv1::PolicyRule& rule : RulesOf(one)) of_role.push_back(std::move(rule));
    }
  }
  std::vector<RoleRules> roles;
  for (const auto& [role, of_role] : rules) {
    if (of_role.empty()) continue;
    roles.push_back(
        {.purpose = role.first, .namespace_name = role.second, .rules = MergeRules(of_role)});
  }
  return roles;
}

}  // namespace kube::manifests
