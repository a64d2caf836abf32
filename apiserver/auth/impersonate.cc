#include "apiserver/auth/impersonate.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apimachinery/validation/label.h"
#include "apimachinery/validation/object_meta.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/service_account.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"
#include "net/http/headers.h"
#include "net/url/path.h"

namespace kube::apiserver::internal {
namespace {

constexpr absl::string_view kExtraPrefix = "impersonate-extra-";
constexpr absl::string_view kAnonymous = "system:anonymous";
constexpr absl::string_view kAuthenticated = "system:authenticated";
constexpr absl::string_view kUnauthenticated = "system:unauthenticated";
constexpr absl::string_view kAuthentication = "authentication.k8s.io";

// ---- the error for headers without a user, in which upstream prints its struct with Go's %#v

std::string GoText(absl::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') quoted.push_back('\\');
    quoted.push_back(c);
  }
  return quoted + "\"";
}

std::string GoTexts(const std::vector<std::string>& texts) {
  if (texts.empty()) return "[]string(nil)";
  return absl::StrCat(
      "[]string{",
      absl::StrJoin(texts, ", ",
                    [](std::string* out, const std::string& each) { out->append(GoText(each)); }),
      "}");
}

std::string GoUser(const User& user) {
  std::string extra = "map[string][]string(nil)";
  if (!user.extra.empty()) {
    extra = absl::StrCat("map[string][]string{",
                         absl::StrJoin(user.extra, ", ",
                                       [](std::string* out, const auto& each) {
                                         absl::StrAppend(out, GoText(each.first), ":",
                                                         GoTexts(each.second));
                                       }),
                         "}");
  }
  return absl::StrCat("&user.DefaultInfo{Name:", GoText(user.name), ", UID:", GoText(user.uid),
                      ", Groups:", GoTexts(user.groups), ", Extra:", extra, "}");
}

// ---- names

std::optional<std::string> NodeOf(absl::string_view user) {
  if (!absl::ConsumePrefix(&user, "system:node:")) return std::nullopt;
  if (!validation::NameIsDnsSubdomain(user, false).empty()) return std::nullopt;
  return std::string(user);
}

bool Contains(const std::vector<std::string>& all, absl::string_view text) {
  return std::find(all.begin(), all.end(), text) != all.end();
}

// ---- permissions

// One way to get the permission. The name "" is the legacy way, without constraints.
struct Mode {
  absl::string_view name = {};
  // The API group of users and groups.
  absl::string_view group = {};

  std::string verb() const {
    return name.empty() ? "impersonate" : absl::StrCat("impersonate:", name);
  }
};

class Check {
 public:
  Check(const User& requestor, const User& wanted, const Mode& mode, Authorizer authorize)
      : requestor_(requestor), wanted_(wanted), mode_(mode), authorize_(authorize) {}

  absl::StatusOr<User> Run() const {
    User user = wanted_;
    KUBE_RETURN_IF_ERROR(CheckName(user));
    if (!wanted_.uid.empty()) {
      KUBE_RETURN_IF_ERROR(authorize_(InfoOf(kAuthentication, "uids", wanted_.uid)));
    }
    KUBE_RETURN_IF_ERROR(CheckGroups());
    KUBE_RETURN_IF_ERROR(CheckExtra());
    AddCommonGroup(user);
    return user;
  }

 private:
  RequestInfo InfoOf(absl::string_view group, absl::string_view resource,
                     absl::string_view name) const {
    return {.is_resource_request = true,
            .verb = mode_.verb(),
            .group = std::string(group),
            .resource = std::string(resource),
            .name = std::string(name)};
  }

  absl::Status CheckName(User& user) const {
    RequestInfo info = InfoOf(mode_.group, "users", wanted_.name);
    if (mode_.name == "arbitrary-node") {
      info.resource = "nodes";
      info.name = *NodeOf(wanted_.name);
      user.groups = {"system:nodes"};
    } else if (const auto account = ServiceAccountOf(wanted_.name)) {
      info.resource = "serviceaccounts";
      info.namespace_name = account->namespace_name;
      info.name = account->name;
      // A client that names groups gets these only.
      if (user.groups.empty()) user.groups = ServiceAccountGroups(account->namespace_name);
    }
    return authorize_(info);
  }

  absl::Status CheckGroups() const {
    // Only the legacy way allows to become an administrator.
    for (absl::string_view never : {"", "system:masters"}) {
      if (mode_.name.empty() || !Contains(wanted_.groups, never)) continue;
      return ForbiddenTo(requestor_, InfoOf(mode_.group, "groups", never),
                         absl::StrCat("impersonating the ", never.empty() ? "empty string" : never,
                                      " group is not allowed"));
    }
    // The permission for all groups spares the others.
    if (IsMany(wanted_.groups.size()) && authorize_(InfoOf(mode_.group, "groups", "*")).ok()) {
      return absl::OkStatus();
    }
    for (const std::string& group : wanted_.groups) {
      KUBE_RETURN_IF_ERROR(authorize_(InfoOf(mode_.group, "groups", group)));
    }
    return absl::OkStatus();
  }

  absl::Status CheckExtra() const {
    RequestInfo info = InfoOf(kAuthentication, "userextras", "");
    if (const std::string wrong = WrongExtra(); !wrong.empty()) {
      return ForbiddenTo(requestor_, info, wrong);
    }
    size_t count = 0;
    for (const auto& [key, values] : wanted_.extra) count += values.size();
    if (IsMany(std::max(count, wanted_.extra.size()))) {
      info.subresource = "*";
      info.name = "*";
      if (authorize_(info).ok()) return absl::OkStatus();
    }
    for (const auto& [key, values] : wanted_.extra) {
      info.subresource = key;
      for (const std::string& value : values) {
        info.name = value;
        KUBE_RETURN_IF_ERROR(authorize_(info));
      }
    }
    return absl::OkStatus();
  }

  // Returns what the new ways do not allow of keys and values, or "".
  std::string WrongExtra() const {
    if (mode_.name.empty()) return "";
    for (const auto& [key, values] : wanted_.extra) {
      if (key.empty()) return "impersonating the empty string key in extra is not allowed";
      const absl::Status wrong = validation::field::ToAggregate(
          validation::IsDomainPrefixedPath(validation::field::Path("extra").Child("key"), key));
      if (!wrong.ok()) {
        return absl::StrCat("impersonating an invalid key in extra is not allowed: ",
                            wrong.message());
      }
      if (Contains(values, "")) {
        return "impersonating the empty string value in extra is not allowed";
      }
    }
    return "";
  }

  // Returns whether the request needs at least four permissions of a kind. Then the permission "*",
  // which covers them all, is tried first.
  bool IsMany(size_t count) const { return !mode_.name.empty() && count >= 4; }

  static void AddCommonGroup(User& user) {
    const bool anonymous = user.name == kAnonymous;
    if (!anonymous && Contains(user.groups, kUnauthenticated)) return;
    const absl::string_view group = anonymous ? kUnauthenticated : kAuthenticated;
    if (!Contains(user.groups, group)) user.groups.emplace_back(group);
  }

  const User& requestor_;
  const User& wanted_;
  const Mode& mode_;
  Authorizer authorize_;
};

// Returns the ways that apply to such a user, in the order in which they are tried.
std::vector<Mode> ModesOf(const User& wanted) {
  const bool only_name = wanted.uid.empty() && wanted.groups.empty() && wanted.extra.empty();
  const bool node = NodeOf(wanted.name).has_value();
  const bool account = ServiceAccountOf(wanted.name).has_value();
  std::vector<Mode> modes;
  if (node && only_name) modes.push_back({.name = "arbitrary-node", .group = kAuthentication});
  if (account && only_name) modes.push_back({.name = "serviceaccount", .group = kAuthentication});
  if (!node && !account) modes.push_back({.name = "user-info", .group = kAuthentication});
  modes.push_back({});
  return modes;
}

}  // namespace

absl::StatusOr<std::optional<User>> WantedUser(const http::Headers& headers) {
  User user{.name = std::string(headers.Get("impersonate-user").value_or("")),
            .uid = std::string(headers.Get("impersonate-uid").value_or("")),
            .groups = {},
            .extra = {}};
  for (absl::string_view group : headers.GetAll("impersonate-group")) {
    user.groups.emplace_back(group);
  }
  for (const http::Header& header : headers) {
    absl::string_view key = header.name;
    if (!absl::ConsumePrefix(&key, kExtraPrefix)) continue;
    // A key that is not a valid escape is used as it is.
    const std::string lower = absl::AsciiStrToLower(key);
    user.extra[url::UnescapePath(lower).value_or(lower)].push_back(header.value);
  }
  if (!user.name.empty()) return std::optional<User>(std::move(user));
  if (user == User()) return std::optional<User>();
  return errors::BadRequest(
      absl::StrCat("requested ", GoUser(user), " without impersonating a user name"));
}

absl::StatusOr<User> Impersonated(const User& requestor, const User& wanted,
                                  const RequestInfo& request, Authorizer authorize) {
  absl::Status first;
  for (const Mode& mode : ModesOf(wanted)) {
    absl::Status allowed;
    if (!mode.name.empty()) {
      RequestInfo on = request;
      on.verb = absl::StrCat("impersonate-on:", mode.name, ":", request.verb);
      allowed = authorize(on);
    }
    if (allowed.ok()) {
      absl::StatusOr<User> user = Check(requestor, wanted, mode, authorize).Run();
      if (user.ok()) return user;
      allowed = user.status();
    }
    if (first.ok()) first = allowed;
  }
  return first;
}

}  // namespace kube::apiserver::internal
