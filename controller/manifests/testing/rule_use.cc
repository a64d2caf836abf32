#include "controller/manifests/testing/rule_use.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apiserver/handler.h"
#include "controller/cache/required_access.h"
#include "controller/manifests/testing/logged_access.h"

namespace kube::manifests {
namespace {

using apiserver::LoggedRequest;
using controller::RequiredAccess;

bool Has(const std::vector<std::string>& texts, absl::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// Returns whether the right is for all names. RBAC cannot limit these verbs to names, so RolesOf
// does not if they are declared; those that "*" includes are limited.
bool IsForAllNames(const RequiredAccess& right, absl::string_view verb) {
  if (right.names.empty()) return true;
  return (verb == "create" || verb == "deletecollection") && Has(right.verbs, verb);
}

bool Allows(const RequiredAccess& right, const LoggedAccess& access) {
  if (right.group != access.group || right.resource != RuleResource(access)) return false;
  if (!right.namespaces.empty() && !Has(right.namespaces, access.namespace_name)) return false;
  if (!IsForAllNames(right, access.verb) && !Has(right.names, access.name)) return false;
  return Has(right.verbs, access.verb) || Has(right.verbs, "*");
}

// Returns whether a verb that nobody has used is as it should be.
bool MayBeUnused(const RequiredAccess& access, absl::string_view verb) {
  if (verb == "get" && Has(access.verbs, "list")) return true;
  // Informers list only where a server cannot begin a watch with a list.
  if (verb == "list" && Has(access.verbs, "watch")) return true;
  return access.resource.empty() || absl::EndsWith(access.resource, "/finalizers");
}

}  // namespace

RuleUse CompareWithRequests(const std::vector<RequiredAccess>& access,
                            const std::vector<LoggedRequest>& requests, absl::string_view user) {
  std::set<std::string> not_declared;
  std::set<std::pair<const RequiredAccess*, std::string>> used;
  for (const LoggedRequest& request : requests) {
    if (request.user != user || request.resource.empty()) continue;
    for (const LoggedAccess& needed : AccessesOf(request)) {
      bool is_declared = false;
      for (const RequiredAccess& one : access) {
        if (!Allows(one, needed)) continue;
        is_declared = true;
        used.emplace(&one, needed.verb);
      }
      if (!is_declared) not_declared.insert(AccessText(needed));
    }
  }
  std::set<std::string> not_used;
  for (const RequiredAccess& one : access) {
    for (const std::string& verb : one.verbs) {
      if (used.contains({&one, verb}) || MayBeUnused(one, verb)) continue;
      not_used.insert(absl::StrCat(verb, " ", ResourceText(one.resource, one.group)));
    }
  }
  return {.not_declared = {not_declared.begin(), not_declared.end()},
          .not_used = {not_used.begin(), not_used.end()}};
}

}  // namespace kube::manifests
