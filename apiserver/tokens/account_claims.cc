#include "apiserver/tokens/account_claims.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {
namespace {

using unstructured::Value;

constexpr absl::string_view kPrivate = "kubernetes.io";

// ---- writing; empty members are left out

void SetText(Map<Value>& members, absl::string_view name, const std::string& text) {
  if (!text.empty()) members[name] = Value(text);
}

void SetTime(Map<Value>& members, absl::string_view name, std::optional<int64_t> seconds) {
  if (seconds.has_value()) members[name] = Value(*seconds);
}

void SetObject(Map<Value>& members, absl::string_view name,
               const std::optional<ClaimedObject>& object) {
  if (!object.has_value()) return;
  Map<Value> reference;
  SetText(reference, "name", object->name);
  SetText(reference, "uid", object->uid);
  members[name] = Value(std::move(reference));
}

// ---- reading

std::string TextAt(const Value& object, absl::string_view name) {
  const Value* const member = object.Find(name);
  if (member == nullptr) return "";
  return std::string(member->text().value_or(""));
}

std::optional<int64_t> TimeAt(const Value& object, absl::string_view name) {
  const Value* const member = object.Find(name);
  if (member == nullptr) return std::nullopt;
  if (const std::optional<int64_t> seconds = member->integer()) return seconds;
  const std::optional<double> number = member->number();
  if (!number.has_value()) return std::nullopt;
  // Within what an int64_t holds.
  constexpr double kMax = 9.2e18;
  return static_cast<int64_t>(std::clamp(*number, -kMax, kMax));
}

std::optional<ClaimedObject> ObjectAt(const Value& object, absl::string_view name) {
  const Value* const member = object.Find(name);
  if (member == nullptr || !member->is_object()) return std::nullopt;
  return ClaimedObject{.name = TextAt(*member, "name"), .uid = TextAt(*member, "uid")};
}

// One audience may stand without a list: section 4.1.3 of RFC 7519.
std::vector<std::string> AudiencesOf(const Value& claims) {
  const Value* const member = claims.Find("aud");
  std::vector<std::string> audiences;
  if (member == nullptr) return audiences;
  if (const auto text = member->text()) audiences.emplace_back(*text);
  if (const List<Value>* const list = member->list()) {
    for (const Value& each : *list) {
      if (const auto text = each.text()) audiences.emplace_back(*text);
    }
  }
  return audiences;
}

}  // namespace

std::string EncodeClaims(const AccountClaims& claims) {
  Map<Value> account;
  SetText(account, "namespace", claims.namespace_name);
  SetObject(account, "serviceaccount", claims.account);
  SetObject(account, "pod", claims.pod);
  SetObject(account, "secret", claims.secret);
  SetObject(account, "node", claims.node);
  SetTime(account, "warnafter", claims.warn_after);

  Map<Value> members;
  if (!claims.audiences.empty()) {
    List<Value> audiences;
    for (const std::string& each : claims.audiences) audiences.push_back(Value(each));
    members["aud"] = Value(std::move(audiences));
  }
  SetTime(members, "exp", claims.expiry);
  SetTime(members, "iat", claims.issued_at);
  SetText(members, "iss", claims.issuer);
  SetText(members, "jti", claims.id);
  members[kPrivate] = Value(std::move(account));
  SetTime(members, "nbf", claims.not_before);
  SetText(members, "sub", claims.subject);
  // Fails for infinite numbers only, and there are none.
  return unstructured::EncodeJson(Value(std::move(members))).value_or("{}");
}

absl::StatusOr<AccountClaims> DecodeClaims(absl::string_view json) {
  KUBE_ASSIGN_OR_RETURN(const Value members, unstructured::ParseJson(json), "read claims");
  if (!members.is_object()) return absl::InvalidArgumentError("read claims: not a JSON object");
  AccountClaims claims;
  claims.issuer = TextAt(members, "iss");
  claims.subject = TextAt(members, "sub");
  claims.audiences = AudiencesOf(members);
  claims.id = TextAt(members, "jti");
  claims.expiry = TimeAt(members, "exp");
  claims.not_before = TimeAt(members, "nbf");
  claims.issued_at = TimeAt(members, "iat");
  const Value& account = members[kPrivate];
  claims.namespace_name = TextAt(account, "namespace");
  claims.account = ObjectAt(account, "serviceaccount").value_or(ClaimedObject());
  claims.pod = ObjectAt(account, "pod");
  claims.secret = ObjectAt(account, "secret");
  claims.node = ObjectAt(account, "node");
  claims.warn_after = TimeAt(account, "warnafter");
  return claims;
}

absl::Status CheckTimes(const AccountClaims& claims, absl::Time now) {
  const auto time = [](int64_t seconds) { return absl::FromUnixSeconds(seconds); };
  if (claims.not_before.has_value() && now + kTokenLeeway < time(*claims.not_before)) {
    return absl::UnauthenticatedError("service account token is not valid yet");
  }
  if (claims.expiry.has_value() && now - kTokenLeeway > time(*claims.expiry)) {
    return absl::UnauthenticatedError("service account token has expired");
  }
  if (claims.issued_at.has_value() && now + kTokenLeeway < time(*claims.issued_at)) {
    return absl::UnauthenticatedError("service account token is issued in the future");
  }
  return absl::OkStatus();
}

std::string AccountUserName(absl::string_view namespace_name, absl::string_view name) {
  return absl::StrCat("system:serviceaccount:", namespace_name, ":", name);
}

User UserOf(const AccountClaims& claims) {
  User user{.name = AccountUserName(claims.namespace_name, claims.account.name),
            .uid = claims.account.uid,
            .groups = {"system:serviceaccounts",
                       absl::StrCat("system:serviceaccounts:", claims.namespace_name)},
            .extra = {}};
  const auto add = [&user](absl::string_view key, std::string value) {
    if (value.empty()) return;
    user.extra[absl::StrCat("authentication.kubernetes.io/", key)] = {std::move(value)};
  };
  if (!claims.id.empty()) add("credential-id", absl::StrCat("JTI=", claims.id));
  if (claims.pod.has_value()) {
    add("pod-name", claims.pod->name);
    add("pod-uid", claims.pod->uid);
  }
  if (claims.node.has_value()) {
    add("node-name", claims.node->name);
    add("node-uid", claims.node->uid);
  }
  return user;
}

}  // namespace kube::apiserver::internal
