#include "controller/manifests/testing/rule_use.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apiserver/handler.h"
#include "controller/cache/required_access.h"

namespace kube::manifests {
namespace {

using apiserver::LoggedRequest;
using controller::RequiredAccess;

bool Has(const std::vector<std::string>& texts, absl::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::string ResourceOf(const LoggedRequest& request) {
  return request.subresource.empty() ? request.resource
                                     : absl::StrCat(request.resource, "/", request.subresource);
}

// "deployments.apps", and "deployments.apps/status".
std::string Describe(absl::string_view group, const std::string& resource) {
  const size_t slash = std::min(resource.find('/'), resource.size());
  return absl::StrCat(resource.substr(0, slash), group.empty() ? "" : ".", group,
                      resource.substr(slash));
}

std::string Describe(const LoggedRequest& request, absl::string_view verb) {
  const std::string where =
      request.namespace_name.empty() ? "" : absl::StrCat(" in \"", request.namespace_name, "\"");
  return absl::StrCat(verb, " ", Describe(request.group, ResourceOf(request)), where);
}

// Returns whether the right is for all names. RBAC cannot limit these verbs to names, so RolesOf
// does not if they are declared; those that "*" includes are limited.
bool IsForAllNames(const RequiredAccess& access, absl::string_view verb) {
  if (access.names.empty()) return true;
  return (verb == "create" || verb == "deletecollection") && Has(access.verbs, verb);
}

// Returns whether a server would find the name of the request among those of the right: the one in
// its URL, which a POST of a new object does not have.
bool HasName(const RequiredAccess& access, const LoggedRequest& request) {
  if (request.verb == "create" && request.subresource.empty()) return false;
  return Has(access.names, request.name);
}

bool Allows(const RequiredAccess& access, const LoggedRequest& request, absl::string_view verb) {
  if (access.group != request.group || access.resource != ResourceOf(request)) return false;
  if (!access.namespaces.empty() && !Has(access.namespaces, request.namespace_name)) return false;
  if (!IsForAllNames(access, verb) && !HasName(access, request)) return false;
  return Has(access.verbs, verb) || Has(access.verbs, "*");
}

// Returns the verbs that a server asks for: two if an apply has created an object.
std::vector<std::string> VerbsOf(const LoggedRequest& request) {
  std::vector<std::string> verbs = {request.verb};
  if (request.verb == "patch" && request.code == 201 &&
      absl::StrContains(request.content_type, "apply-patch")) {
    verbs.emplace_back("create");
  }
  return verbs;
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
    for (const std::string& verb : VerbsOf(request)) {
      bool is_declared = false;
      for (const RequiredAccess& one : access) {
        if (!Allows(one, request, verb)) continue;
        is_declared = true;
        used.emplace(&one, verb);
      }
      if (!is_declared) not_declared.insert(Describe(request, verb));
    }
  }
  std::set<std::string> not_used;
  for (const RequiredAccess& one : access) {
    for (const std::string& verb : one.verbs) {
      if (used.contains({&one, verb}) || MayBeUnused(one, verb)) continue;
      not_used.insert(absl::StrCat(verb, " ", Describe(one.group, one.resource)));
    }
  }
  return {.not_declared = {not_declared.begin(), not_declared.end()},
          .not_used = {not_used.begin(), not_used.end()}};
}

}  // namespace kube::manifests
