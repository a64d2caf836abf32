// An update or an apply of an object that does not exist creates it (PUT and PATCH answer with 201
// then), and the server has asked for "create" as well, with the name in the URL. If that was
// forbidden, the log has it as the denied verb.
#include "controller/manifests/testing/logged_access.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apiserver/handler.h"

namespace kube::manifests {
namespace {

using apiserver::LoggedRequest;

bool CreatesByOtherVerb(const LoggedRequest& request) {
  return request.code == 201 && (request.verb == "patch" || request.verb == "update");
}

}  // namespace

std::vector<LoggedAccess> AccessesOf(const LoggedRequest& request) {
  LoggedAccess own = {.verb = request.verb,
                      .group = request.group,
                      .resource = request.resource,
                      .subresource = request.subresource,
                      .namespace_name = request.namespace_name,
                      .name = request.name,
                      .denied = request.decision == "forbid"};
  if (request.resource.empty()) own.path = request.target.substr(0, request.target.find('?'));
  LoggedAccess other = own;
  if (own.verb == "create" && own.subresource.empty()) own.name.clear();
  std::vector<LoggedAccess> accesses = {own};
  if (!own.denied && !request.denied_verb.empty()) {
    other.verb = request.denied_verb;
    other.denied = true;
    accesses.push_back(other);
  } else if (CreatesByOtherVerb(request)) {
    other.verb = "create";
    accesses.push_back(other);
  }
  return accesses;
}

std::string RuleResource(const LoggedAccess& access) {
  return access.subresource.empty() ? access.resource
                                    : absl::StrCat(access.resource, "/", access.subresource);
}

std::string AccessText(const LoggedAccess& access) {
  if (access.resource.empty()) return absl::StrCat(access.verb, " ", access.path);
  const std::string where =
      access.namespace_name.empty() ? "" : absl::StrCat(" in \"", access.namespace_name, "\"");
  return absl::StrCat(access.verb, " ", ResourceText(RuleResource(access), access.group), where);
}

std::string ResourceText(absl::string_view rule_resource, absl::string_view group) {
  const size_t slash = std::min(rule_resource.find('/'), rule_resource.size());
  return absl::StrCat(rule_resource.substr(0, slash), group.empty() ? "" : ".", group,
                      rule_resource.substr(slash));
}

}  // namespace kube::manifests
