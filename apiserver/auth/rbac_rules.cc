#include "apiserver/auth/rbac_rules.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apiserver/request_info.h"

namespace kube::apiserver::internal {
namespace {

namespace rbacv1 = api::rbac::v1;

constexpr absl::string_view kAll = "*";

bool Contains(const List<String>& all, absl::string_view text) {
  return std::any_of(all.begin(), all.end(),
                     [&](const String& each) { return each.view() == text; });
}

bool ContainsOrAll(const List<String>& all, absl::string_view text) {
  return Contains(all, kAll) || Contains(all, text);
}

// Returns whether a resource in a rule, such as "pods", "pods/log" or "*/scale", is that of the
// request.
bool IsResource(absl::string_view rule, const RequestInfo& info) {
  if (rule == kAll) return true;
  if (info.subresource.empty()) return rule == info.resource;
  if (!absl::ConsumeSuffix(&rule, info.subresource) || !absl::ConsumeSuffix(&rule, "/")) {
    return false;
  }
  return rule == kAll || rule == info.resource;
}

// Returns whether a path in a rule, which may end with "*", is or contains `path`.
bool CoversPath(absl::string_view rule, absl::string_view path) {
  if (rule == path) return true;
  if (!absl::EndsWith(rule, kAll)) return false;
  while (absl::ConsumeSuffix(&rule, kAll)) continue;
  return absl::StartsWith(path, rule);
}

bool AllowsPath(const rbacv1::PolicyRule& rule, absl::string_view path) {
  return std::any_of(rule.non_resource_urls.begin(), rule.non_resource_urls.end(),
                     [&](const String& each) { return CoversPath(each.view(), path); });
}

// Returns whether the resources of a rule contain "pods", "pods/log" or "*/scale".
bool CoversResource(const List<String>& held, absl::string_view resource) {
  if (ContainsOrAll(held, resource)) return true;
  const size_t slash = resource.find('/');
  if (slash == absl::string_view::npos) return false;
  return Contains(held, absl::StrCat("*", resource.substr(slash)));
}

// `part` is a result of BreakDown.
bool Covers(const rbacv1::PolicyRule& held, const rbacv1::PolicyRule& part) {
  if (!ContainsOrAll(held.verbs, part.verbs[0].view())) return false;
  if (!part.non_resource_urls.empty()) {
    return held.resource_names.empty() && AllowsPath(held, part.non_resource_urls[0].view());
  }
  if (!ContainsOrAll(held.api_groups, part.api_groups[0].view())) return false;
  if (!CoversResource(held.resources, part.resources[0].view())) return false;
  if (held.resource_names.empty()) return true;
  return !part.resource_names.empty() &&
         Contains(held.resource_names, part.resource_names[0].view());
}

// Returns the rule as rules that have one value in each member.
std::vector<rbacv1::PolicyRule> BreakDown(const rbacv1::PolicyRule& rule) {
  std::vector<rbacv1::PolicyRule> parts;
  for (const String& group : rule.api_groups) {
    for (const String& resource : rule.resources) {
      for (const String& verb : rule.verbs) {
        rbacv1::PolicyRule part;
        part.verbs = {verb};
        part.api_groups = {group};
        part.resources = {resource};
        if (rule.resource_names.empty()) parts.push_back(part);
        for (const String& name : rule.resource_names) {
          part.resource_names = {name};
          parts.push_back(part);
        }
      }
    }
  }
  for (const String& path : rule.non_resource_urls) {
    for (const String& verb : rule.verbs) {
      rbacv1::PolicyRule part;
      part.verbs = {verb};
      part.non_resource_urls = {path};
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

void AddTexts(absl::string_view name, const List<String>& texts, std::vector<std::string>& all) {
  if (texts.empty()) return;
  all.push_back(absl::StrCat(name, ":[",
                             absl::StrJoin(texts, " ",
                                           [](std::string* out, const String& each) {
                                             text::AppendQuoted(*out, each.view());
                                           }),
                             "]"));
}

}  // namespace

bool RuleAllows(const rbacv1::PolicyRule& rule, const RequestInfo& info) {
  if (!ContainsOrAll(rule.verbs, info.verb)) return false;
  if (!info.is_resource_request) return AllowsPath(rule, info.path);
  return ContainsOrAll(rule.api_groups, info.group) &&
         std::any_of(rule.resources.begin(), rule.resources.end(),
                     [&](const String& each) { return IsResource(each.view(), info); }) &&
         (rule.resource_names.empty() || Contains(rule.resource_names, info.name));
}

std::vector<rbacv1::PolicyRule> UncoveredRules(const std::vector<const rbacv1::PolicyRule*>& held,
                                               const List<rbacv1::PolicyRule>& wanted) {
  std::vector<rbacv1::PolicyRule> uncovered;
  for (const rbacv1::PolicyRule& rule : wanted) {
    for (rbacv1::PolicyRule& part : BreakDown(rule)) {
      const bool covered =
          std::any_of(held.begin(), held.end(),
                      [&](const rbacv1::PolicyRule* each) { return Covers(*each, part); });
      if (!covered) uncovered.push_back(std::move(part));
    }
  }
  return uncovered;
}

std::string CompactText(const rbacv1::PolicyRule& rule) {
  std::vector<std::string> members;
  AddTexts("APIGroups", rule.api_groups, members);
  AddTexts("Resources", rule.resources, members);
  AddTexts("NonResourceURLs", rule.non_resource_urls, members);
  AddTexts("ResourceNames", rule.resource_names, members);
  AddTexts("Verbs", rule.verbs, members);
  return absl::StrCat("{", absl::StrJoin(members, ", "), "}");
}

std::string MissingRulesText(const std::vector<rbacv1::PolicyRule>& missing) {
  // By group, resource, whether there is a name, and name.
  std::map<std::tuple<std::string, std::string, bool, std::string>, rbacv1::PolicyRule> joined;
  std::set<std::string> lines;
  for (const rbacv1::PolicyRule& rule : missing) {
    if (!rule.non_resource_urls.empty()) {
      lines.insert(CompactText(rule));
      continue;
    }
    const bool named = !rule.resource_names.empty();
    const auto [it, added] = joined.emplace(
        std::make_tuple(std::string(rule.api_groups[0]), std::string(rule.resources[0]), named,
                        named ? std::string(rule.resource_names[0]) : ""),
        rule);
    if (!added) it->second.verbs.push_back(rule.verbs[0]);
  }
  for (const auto& [key, rule] : joined) lines.insert(CompactText(rule));
  return absl::StrJoin(lines, "\n");
}

}  // namespace kube::apiserver::internal
