#include "apiserver/auth/authorize.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {
namespace {

constexpr absl::string_view kAnonymous = "system:anonymous";
constexpr absl::string_view kAuthenticated = "system:authenticated";

bool IsOpen(absl::string_view path) {
  for (absl::string_view each : {"/version", "/healthz", "/livez", "/readyz"}) {
    if (path == each || path == absl::StrCat(each, "/")) return true;
  }
  return false;
}

std::string FullResource(const RequestInfo& info) {
  return info.subresource.empty() ? info.resource
                                  : absl::StrCat(info.resource, "/", info.subresource);
}

bool Denies(const DenyRule& rule, const User& user, const RequestInfo& info) {
  if (!rule.user.empty() && rule.user != user.name) return false;
  // For deny rules all ways to impersonate are one: a rule for the verb "impersonate" forbids them
  // all.
  const bool impersonates = absl::StartsWith(info.verb, "impersonate:");
  const absl::string_view verb = impersonates ? "impersonate" : absl::string_view(info.verb);
  if (!rule.verb.empty() && rule.verb != verb) return false;
  if (!rule.namespace_name.empty() && rule.namespace_name != info.namespace_name) return false;
  if (rule.resource.empty()) return true;
  const bool same_group = rule.group == info.group || (impersonates && rule.group.empty());
  return info.is_resource_request && same_group && rule.resource == FullResource(info);
}

std::string WithReason(std::string message, absl::string_view reason) {
  if (!reason.empty()) absl::StrAppend(&message, ": ", reason);
  return message;
}

}  // namespace

absl::Status ForbiddenTo(const User& user, const RequestInfo& info, absl::string_view reason) {
  if (!info.is_resource_request) {
    api::meta::v1::Status status;
    status.status = "Failure";
    status.reason = "Forbidden";
    status.message = WithReason(absl::StrCat("forbidden: User \"", user.name, "\" cannot ",
                                             info.verb, " path \"", info.path, "\""),
                                reason);
    status.details.emplace();
    status.code = 403;
    return errors::FromStatus(status);
  }
  const std::string where = info.namespace_name.empty()
                                ? "at the cluster scope"
                                : absl::StrCat("in the namespace \"", info.namespace_name, "\"");
  return errors::Forbidden(
      {.group = info.group, .resource = info.resource}, info.name,
      WithReason(absl::StrCat("User \"", user.name, "\" cannot ", info.verb, " resource \"",
                              FullResource(info), "\" in API group \"", info.group, "\" ", where),
                 reason));
}

User Authenticated(User user) {
  if (std::find(user.groups.begin(), user.groups.end(), kAuthenticated) == user.groups.end()) {
    user.groups.push_back(std::string(kAuthenticated));
  }
  return user;
}

absl::Status Authorize(const User& user, const RequestInfo& info, Anonymous anonymous,
                       const std::vector<DenyRule>& rules) {
  const bool closed = user.name == kAnonymous && anonymous == Anonymous::kHealthOnly;
  if (closed && (info.is_resource_request || !IsOpen(info.path))) return ForbiddenTo(user, info);
  for (const DenyRule& rule : rules) {
    if (Denies(rule, user, info)) return ForbiddenTo(user, info);
  }
  return absl::OkStatus();
}

}  // namespace kube::apiserver::internal
