#include "apiserver/auth/access_control.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/impersonate.h"
#include "apiserver/auth/rbac_policy.h"
#include "apiserver/auth/rbac_policy_cache.h"
#include "apiserver/auth/websocket_token.h"
#include "apiserver/request_info.h"
#include "apiserver/storage.h"
#include "apiserver/tokens/account_tokens.h"
#include "apiserver/user.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

AccessControl::AccessControl(Parts parts)
    : anonymous_(parts.anonymous),
      account_tokens_(std::move(parts.account_tokens)),
      deny_(std::make_shared<const std::vector<DenyRule>>(std::move(parts.deny))) {
  for (auto& [token, user] : parts.tokens) tokens_.emplace(token, std::move(user));
}

void AccessControl::AddToken(absl::string_view token, User user) {
  base::MutexLock lock(mutex_);
  tokens_[std::string(token)] = std::move(user);
}

void AccessControl::SetDenyRules(std::vector<DenyRule> rules) {
  auto made = std::make_shared<const std::vector<DenyRule>>(std::move(rules));
  base::MutexLock lock(mutex_);
  deny_ = std::move(made);
}

absl::StatusOr<AuthenticatedToken> AccessControl::CheckToken(
    const Storage& storage, absl::string_view token,
    const std::vector<std::string>& audiences) const {
  // The tokens that a test sets are for this server only.
  std::vector<std::string> common = CommonAudiences({std::string(kTokenIssuer)}, audiences);
  if (!common.empty()) {
    base::MutexLock lock(mutex_);
    const auto found = tokens_.find(token);
    if (found != tokens_.end()) {
      return AuthenticatedToken{.user = Authenticated(found->second),
                                .audiences = std::move(common)};
    }
  }
  auto answer = account_tokens_->Authenticate(storage, token, audiences);
  if (!answer.has_value()) return absl::UnauthenticatedError("invalid bearer token");
  if (!answer->ok()) {
    // The list of what each authenticator says, as in kube-apiserver.
    return absl::UnauthenticatedError(
        absl::StrCat("[invalid bearer token, ", answer->status().message(), "]"));
  }
  (*answer)->user = Authenticated(std::move((*answer)->user));
  return *std::move(answer);
}

absl::StatusOr<User> AccessControl::UserOfToken(const Storage& storage,
                                                absl::string_view token) const {
  absl::StatusOr<AuthenticatedToken> checked =
      CheckToken(storage, token, {std::string(kTokenIssuer)});
  if (!checked.ok()) return errors::Unauthorized("Unauthorized");
  return std::move(checked->user);
}

absl::StatusOr<User> AccessControl::Authenticate(const Storage& storage,
                                                 const httpserver::Request& request) const {
  // A certificate comes before a token. One without a common name says nothing about its holder
  // (kube-apiserver: `x509.CommonNameUserConversion`).
  if (request.client_certificate.has_value() && !request.client_certificate->common_name.empty()) {
    return AuthenticatedByCertificate({.name = request.client_certificate->common_name,
                                       .uid = "",
                                       .groups = request.client_certificate->organizations});
  }
  const absl::string_view header = request.headers.Get("authorization").value_or("");
  if (absl::StartsWithIgnoreCase(header, "bearer ")) {
    return UserOfToken(storage, absl::StripAsciiWhitespace(header.substr(7)));
  }
  const absl::StatusOr<std::optional<std::string>> token = WebSocketToken(request.headers);
  if (!token.ok()) return errors::Unauthorized("Unauthorized");
  if (token->has_value()) return UserOfToken(storage, **token);
  if (anonymous_ == Anonymous::kNone) return errors::Unauthorized("Unauthorized");
  return User{.name = "system:anonymous", .uid = "", .groups = {"system:unauthenticated"}};
}

Decision AccessControl::Decide(const User& user, const RequestInfo& info,
                               RbacPolicyCache* policies) const {
  std::shared_ptr<const RbacPolicy> policy;
  if (policies != nullptr) policy = policies->Get();
  std::shared_ptr<const std::vector<DenyRule>> deny;
  {
    base::MutexLock lock(mutex_);
    deny = deny_;
  }
  return Authorize(user, info, anonymous_, *deny, policy.get());
}

Requester AccessControl::RequesterOf(const Storage& storage, RbacPolicyCache* policies,
                                     const httpserver::Request& request,
                                     const RequestInfo& info) const {
  absl::StatusOr<User> user = Authenticate(storage, request);
  if (!user.ok()) return {.user = std::move(user)};
  const absl::StatusOr<std::optional<User>> wanted = WantedUser(request.headers);
  if (!wanted.ok()) return {.user = wanted.status()};
  if (!wanted->has_value()) return {.user = std::move(user)};
  Decision first;
  const auto authorize = [&](const RequestInfo& asks) {
    Decision decision = Decide(*user, asks, policies);
    if (decision.allowed) return absl::OkStatus();
    const absl::Status forbidden = ForbiddenTo(*user, asks, decision.reason);
    if (first.allowed) first = std::move(decision);
    return forbidden;
  };
  absl::StatusOr<User> impersonated = Impersonated(*user, **wanted, info, authorize);
  // A permission that was tried in vain does not matter if another one sufficed.
  if (impersonated.ok()) first = {};
  return {.user = std::move(impersonated), .impersonates = std::move(first)};
}

}  // namespace kube::apiserver::internal
