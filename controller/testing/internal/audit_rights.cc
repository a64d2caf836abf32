#include <cstddef>
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
#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"
#include "controller/testing/audits.h"
#include "controller/testing/internal/audit_sink.h"
#include "controller/testing/internal/logged_object.h"

namespace kube::controller {

using api::rbac::v1::PolicyRule;
using apiserver::LoggedRequest;

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

std::string PathOf(const LoggedRequest& request) {
  return request.target.substr(0, request.target.find('?'));
}

// Returns "deployments.apps/status" for "deployments/status" of the group "apps".
std::string RightResource(absl::string_view resource, absl::string_view group) {
  const size_t slash = resource.find('/');
  const std::string name = internal::ResourceName(resource.substr(0, slash), group);
  return slash == absl::string_view::npos ? name : absl::StrCat(name, resource.substr(slash));
}

std::string RightText(const Right& right) {
  if (!right.path.empty()) return absl::StrCat(right.verb, " ", right.path);
  return absl::StrCat(right.verb, " ", RightResource(right.resource, right.group));
}

Right RightOf(const LoggedRequest& request) {
  Right right = {.verb = request.verb, .group = request.group, .resource = request.resource};
  if (request.resource.empty()) right.path = PathOf(request);
  if (!request.subresource.empty()) absl::StrAppend(&right.resource, "/", request.subresource);
  return right;
}

bool MatchesResource(absl::string_view pattern, const LoggedRequest& request, const Right& needed) {
  if (pattern == "*" || pattern == needed.resource) return true;
  return !request.subresource.empty() && pattern == absl::StrCat("*/", request.subresource);
}

bool MatchesPath(absl::string_view pattern, absl::string_view path) {
  if (!pattern.empty() && pattern.back() == '*') {
    return absl::StartsWith(path, pattern.substr(0, pattern.size() - 1));
  }
  return pattern == path;
}

bool MatchesName(const List<String>& names, const LoggedRequest& request) {
  if (names.empty()) return true;
  for (const String& each : names) {
    if (each.view() == request.name) return true;
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

// Returns whether an apply or update has created its object, which needs the right to create, too.
bool CreatesByOtherVerb(const LoggedRequest& request) {
  return request.code == 201 && (request.verb == "patch" || request.verb == "update");
}

// Returns whether the request needed the right.
bool Needs(const LoggedRequest& request, const Right& right, const List<String>& names) {
  const bool is_called_for =
      CallsFor(request.verb, right.verb) || (CreatesByOtherVerb(request) && right.verb == "create");
  if (!is_called_for) return false;
  if (!right.path.empty()) {
    return request.resource.empty() && MatchesPath(right.path, PathOf(request));
  }
  if (request.resource.empty()) return false;
  if (right.group != "*" && right.group != request.group) return false;
  return MatchesResource(right.resource, request, RightOf(request)) && MatchesName(names, request);
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

// Adds the right to do `verb`, which is that of the request unless it is its denied verb.
void AddMissing(const LoggedRequest& request, absl::string_view verb, internal::AuditSink& sink) {
  Right right = RightOf(request);
  right.verb = std::string(verb);
  std::string message = absl::StrCat("forbidden to ", internal::WriterText(request), ", for ",
                                     internal::NamesObject(request) || request.resource.empty()
                                         ? request.target
                                         : internal::ObjectText(request));
  // The reason is that of the decision about the request's own verb.
  if (verb == request.verb && !request.reason.empty()) {
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
  std::vector<const LoggedRequest*> allowed;
  for (const LoggedRequest& request : log) {
    if (!internal::IsOperators(request, options)) continue;
    if (request.decision == "forbid") {
      AddMissing(request, request.verb, sink);
      continue;
    }
    allowed.push_back(&request);
    if (!request.denied_verb.empty()) AddMissing(request, request.denied_verb, sink);
  }
  std::set<std::string> needed;
  std::set<std::string> unneeded;
  for (const PolicyRule& rule : options.rules) {
    for (const Right& right : RightsOf(rule)) {
      bool found = IsUnseen(right);
      for (const LoggedRequest* request : allowed) {
        found = found || Needs(*request, right, rule.resource_names);
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
