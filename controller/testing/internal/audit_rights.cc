#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apiserver/handler.h"
#include "controller/manifests/testing/logged_access.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"
#include "controller/testing/audits.h"
#include "controller/testing/internal/audit_sink.h"
#include "controller/testing/internal/logged_object.h"

namespace kube::controller {

using api::rbac::v1::PolicyRule;
using apiserver::LoggedRequest;
using manifests::AccessesOf;
using manifests::LoggedAccess;
using manifests::ResourceText;
using manifests::RuleResource;

namespace {

// Verbs that admission and other parts of the server ask for.
constexpr absl::string_view kUnseenVerbs[] = {
    "approve", "attest", "bind", "escalate", "impersonate", "sign", "use",
};

// One right of a rule: a verb for a resource, or for a path.
struct Right {
  std::string verb = {};
  std::string group = {};
  std::string resource = {};  // with the subresource: "deployments/status"
  std::string path = {};
};

std::string RightText(const Right& right) {
  if (!right.path.empty()) return absl::StrCat(right.verb, " ", right.path);
  return absl::StrCat(right.verb, " ", ResourceText(right.resource, right.group));
}

bool MatchesResource(absl::string_view pattern, const LoggedAccess& access) {
  if (pattern == "*" || pattern == RuleResource(access)) return true;
  return !access.subresource.empty() && pattern == absl::StrCat("*/", access.subresource);
}

bool MatchesPath(absl::string_view pattern, absl::string_view path) {
  if (!pattern.empty() && pattern.back() == '*') {
    return absl::StartsWith(path, pattern.substr(0, pattern.size() - 1));
  }
  return pattern == path;
}

bool MatchesName(const List<String>& names, const LoggedAccess& access) {
  if (names.empty()) return true;
  for (const String& each : names) {
    if (each.view() == access.name) return true;
  }
  return false;
}

// Returns whether a request with this verb is a reason to grant the other verb: a watch begins with
// a list, and a get shows no more than a list.
bool CallsFor(absl::string_view sent, absl::string_view granted) {
  if (granted == "*" || granted == sent) return true;
  if (granted == "get") return sent == "list" || sent == "watch";
  return granted == "list" && sent == "watch";
}

// Returns whether no request shows that the right is needed. Admission asks for "update" of
// finalizers when an object gets an owner reference that blocks the owner's deletion.
bool IsUnseen(const Right& right) {
  if (right.verb == "update" && absl::EndsWith(right.resource, "/finalizers")) return true;
  return absl::c_linear_search(kUnseenVerbs, right.verb);
}

// Returns whether the right was needed for the access.
bool Needs(const LoggedAccess& access, const Right& right, const List<String>& names) {
  if (!CallsFor(access.verb, right.verb)) return false;
  if (!right.path.empty()) {
    return access.resource.empty() && MatchesPath(right.path, access.path);
  }
  if (access.resource.empty()) return false;
  if (right.group != "*" && right.group != access.group) return false;
  return MatchesResource(right.resource, access) && MatchesName(names, access);
}

std::vector<Right> RightsOf(const PolicyRule& rule) {
  std::vector<Right> rights;
  for (const String& verb : rule.verbs) {
    for (const String& path : rule.non_resource_urls) {
      rights.push_back({.verb = std::string(verb.view()), .path = std::string(path.view())});
    }
    for (const String& group : rule.api_groups) {
      for (const String& resource : rule.resources) {
        rights.push_back({.verb = std::string(verb.view()),
                          .group = std::string(group.view()),
                          .resource = std::string(resource.view())});
      }
    }
  }
  return rights;
}

// Adds the right that the request lacked.
void AddMissing(const LoggedRequest& request, const LoggedAccess& access,
                internal::AuditSink& sink) {
  const Right right = {.verb = access.verb,
                       .group = access.group,
                       .resource = RuleResource(access),
                       .path = access.path};
  std::string message = absl::StrCat("forbidden to ", internal::WriterText(request), ", for ",
                                     internal::NamesObject(request) || request.resource.empty()
                                         ? request.target
                                         : internal::ObjectText(request));
  // The reason is that of the decision about the request's own verb.
  if (access.verb == request.verb && !request.reason.empty()) {
    absl::StrAppend(&message, ": ", request.reason);
  }
  sink.Add({.kind = AuditKind::kMissingRight,
            .object = RightText(right),
            .message = std::move(message),
            .time = request.time,
            .count = 1});
}

}  // namespace

std::vector<AuditFinding> AuditRights(const std::vector<LoggedRequest>& log,
                                      const AuditOptions& options) {
  internal::AuditSink sink(options);
  std::vector<LoggedAccess> allowed;
  for (const LoggedRequest& request : log) {
    if (!internal::IsOperators(request, options)) continue;
    for (LoggedAccess& access : AccessesOf(request)) {
      if (access.denied) {
        AddMissing(request, access, sink);
      } else {
        allowed.push_back(std::move(access));
      }
    }
  }
  std::set<std::string> needed;
  std::set<std::string> unneeded;
  for (const PolicyRule& rule : options.rules) {
    for (const Right& right : RightsOf(rule)) {
      bool found = IsUnseen(right);
      for (const LoggedAccess& access : allowed) {
        found = found || Needs(access, right, rule.resource_names);
      }
      (found ? needed : unneeded).insert(RightText(right));
    }
  }
  for (const std::string& each : unneeded) {
    // Another rule may grant the same for other names.
    if (needed.count(each) != 0) continue;
    sink.Add({.kind = AuditKind::kUnusedRight,
              .object = each,
              .message = "no request needed this right: remove it from the role, or test what "
                         "needs it"});
  }
  return sink.Findings();
}

}  // namespace kube::controller
