#include "apiserver/auth/authorize.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "apiserver/auth/rbac_policy.h"
#include "apiserver/auth/service_account.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {
namespace {

constexpr absl::string_view kAnonymous = "system:anonymous";
constexpr absl::string_view kAuthenticated = "system:authenticated";
constexpr absl::string_view kMasters = "system:masters";
constexpr absl::string_view kUnauthenticated = "system:unauthenticated";

bool IsIn(const User& user, absl::string_view group) {
  return std::find(user.groups.begin(), user.groups.end(), group) != user.groups.end();
}

void AddGroup(User& user, absl::string_view group) {
  if (!IsIn(user, group)) user.groups.emplace_back(group);
}

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

// Returns `deny rule: user "jane", verb "get"`.
std::string TextOf(const DenyRule& rule) {
  std::vector<std::string> parts;
  const auto add = [&](absl::string_view name, absl::string_view value) {
    if (!value.empty()) parts.push_back(absl::StrCat(name, " ", text::Quoted(value)));
  };
  add("user", rule.user);
  add("verb", rule.verb);
  if (!rule.resource.empty()) add("group", rule.group);
  add("resource", rule.resource);
  add("namespace", rule.namespace_name);
  return absl::StrCat("deny rule: ", parts.empty() ? "everything" : absl::StrJoin(parts, ", "));
}

// As upstream, nothing in the message can be taken for HTML. The reason is appended as it is.
std::string Message(absl::string_view message, absl::string_view reason) {
  std::string all = absl::StrReplaceAll(message, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}});
  if (!reason.empty()) absl::StrAppend(&all, ": ", reason);
  return all;
}

}  // namespace

absl::Status ForbiddenTo(const User& user, const RequestInfo& info, absl::string_view reason) {
  const std::string who = absl::StrCat("User ", text::Quoted(user.name), " cannot ", info.verb);
  if (!info.is_resource_request) {
    api::meta::v1::Status status;
    status.status = "Failure";
    status.reason = "Forbidden";
    status.message = absl::StrCat(
        "forbidden: ", Message(absl::StrCat(who, " path ", text::Quoted(info.path)), reason));
    status.details.emplace();
    status.code = 403;
    return errors::FromStatus(status);
  }
  const std::string where =
      info.namespace_name.empty()
          ? "at the cluster scope"
          : absl::StrCat("in the namespace ", text::Quoted(info.namespace_name));
  return errors::Forbidden(
      {.group = info.group, .resource = info.resource}, info.name,
      Message(absl::StrCat(who, " resource ", text::Quoted(FullResource(info)), " in API group ",
                           text::Quoted(info.group), " ", where),
              reason));
}

User Authenticated(User user) {
  if (const auto account = ServiceAccountOf(user.name)) {
    for (const std::string& group : ServiceAccountGroups(account->namespace_name)) {
      AddGroup(user, group);
    }
  }
  AddGroup(user, kAuthenticated);
  return user;
}

User AuthenticatedByCertificate(User user) {
  if (user.name != kAnonymous && !IsIn(user, kUnauthenticated)) AddGroup(user, kAuthenticated);
  return user;
}

bool IsMaster(const User& user) { return IsIn(user, kMasters); }

Decision Authorize(const User& user, const RequestInfo& info, Anonymous anonymous,
                   const std::vector<DenyRule>& rules, const RbacPolicy* policy) {
  for (const DenyRule& rule : rules) {
    if (Denies(rule, user, info)) {
      return {.allowed = false, .denied = true, .rule = TextOf(rule)};
    }
  }
  if (user.name == kAnonymous) {
    if (anonymous == Anonymous::kAll) return {.rule = "anonymous users may do everything"};
    const bool closed = info.is_resource_request || !IsOpen(info.path);
    if (policy == nullptr && anonymous == Anonymous::kHealthOnly && closed) {
      return {.allowed = false, .rule = "anonymous users may only see health and version"};
    }
  }
  if (policy == nullptr) return {};
  if (IsMaster(user)) return {.rule = "members of system:masters may do everything"};
  RbacAnswer answer = policy->Authorize(user, info);
  return {.allowed = answer.allowed, .reason = std::move(answer.reason)};
}

}  // namespace kube::apiserver::internal
