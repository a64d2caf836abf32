#include "apiserver/tokens/account_tokens.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apiserver/object.h"
#include "apiserver/storage.h"
#include "apiserver/tokens/account_claims.h"
#include "apiserver/tokens/legacy_claims.h"
#include "apiserver/tokens/signing_key.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

constexpr size_t kMaxVerified = 256;

// Returns the list as Go's %q prints it.
std::string QuotedList(const std::vector<std::string>& texts) {
  return absl::StrCat("[",
                      absl::StrJoin(texts, " ",
                                    [](std::string* out, const std::string& each) {
                                      absl::StrAppend(out, "\"", absl::CEscape(each), "\"");
                                    }),
                      "]");
}

bool IsDeleted(const metav1::ObjectMeta& metadata, absl::Time now) {
  return metadata.deletion_timestamp.has_value() &&
         metadata.deletion_timestamp->ToAbslTime() < now - kTokenLeeway;
}

absl::Status CheckAccount(const Storage& storage, const AccountClaims& claims, absl::Time now) {
  const std::string& name = claims.account.name;
  const std::string key = absl::StrCat(claims.namespace_name, "/", name);
  const ObjectPtr account = storage.Get("/serviceaccounts", key);
  if (account == nullptr) {
    return absl::UnauthenticatedError(absl::StrCat("serviceaccounts \"", name, "\" not found"));
  }
  const metav1::ObjectMeta& metadata = account->metadata();
  if (metadata.uid != claims.account.uid) {
    return absl::UnauthenticatedError(absl::StrCat("service account UID (", metadata.uid.view(),
                                                   ") does not match claim (", claims.account.uid,
                                                   ")"));
  }
  if (IsDeleted(metadata, now)) {
    return absl::UnauthenticatedError(absl::StrCat("service account ", key, " has been deleted"));
  }
  return absl::OkStatus();
}

// An object that a token may be bound to: what messages call it, and where it is stored.
struct Bound {
  absl::string_view noun;
  absl::string_view storage;
  std::string key;
};

absl::Status CheckBound(const Storage& storage, const Bound& bound, const ClaimedObject& claimed,
                        absl::Time now) {
  constexpr absl::string_view kInvalidated = "service account token has been invalidated";
  const ObjectPtr object = storage.Get(bound.storage, bound.key);
  if (object == nullptr) return absl::UnauthenticatedError(kInvalidated);
  const metav1::ObjectMeta& metadata = object->metadata();
  if (metadata.uid != claimed.uid) {
    return absl::UnauthenticatedError(absl::StrCat(bound.noun, " UID (", metadata.uid.view(),
                                                   ") does not match service account ", bound.noun,
                                                   " ref claim (", claimed.uid, ")"));
  }
  if (IsDeleted(metadata, now)) return absl::UnauthenticatedError(kInvalidated);
  return absl::OkStatus();
}

// Returns an error if an object that the token is about has gone (kube-apiserver:
// `validator.Validate`).
absl::Status CheckObjects(const Storage& storage, const AccountClaims& claims, absl::Time now) {
  KUBE_RETURN_IF_ERROR(CheckAccount(storage, claims, now));
  const auto key = [&claims](const ClaimedObject& object) {
    return absl::StrCat(claims.namespace_name, "/", object.name);
  };
  if (claims.secret.has_value()) {
    KUBE_RETURN_IF_ERROR(
        CheckBound(storage, {"secret", "/secrets", key(*claims.secret)}, *claims.secret, now));
  }
  if (claims.pod.has_value()) {
    KUBE_RETURN_IF_ERROR(CheckBound(storage, {"pod", "/pods", key(*claims.pod)}, *claims.pod, now));
  } else if (claims.node.has_value()) {
    KUBE_RETURN_IF_ERROR(
        CheckBound(storage, {"node", "/nodes", claims.node->name}, *claims.node, now));
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<std::string> CommonAudiences(const std::vector<std::string>& given,
                                         const std::vector<std::string>& wanted) {
  std::vector<std::string> common;
  for (const std::string& each : wanted) {
    if (std::find(given.begin(), given.end(), each) != given.end()) common.push_back(each);
  }
  return common;
}

absl::StatusOr<std::shared_ptr<const SigningKey>> AccountTokens::Key() {
  base::MutexLock lock(mutex_);
  if (key_ == nullptr) {
    KUBE_ASSIGN_OR_RETURN(SigningKey made, SigningKey::Make());
    key_ = std::make_shared<const SigningKey>(std::move(made));
  }
  return key_;
}

absl::StatusOr<std::string> AccountTokens::Issue(AccountClaims claims) {
  claims.issuer = std::string(kTokenIssuer);
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<const SigningKey> key, Key());
  return key->Sign(EncodeClaims(claims));
}

absl::StatusOr<std::string> AccountTokens::IssueLegacy(const LegacyClaims& claims) {
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<const SigningKey> key, Key());
  return key->Sign(EncodeLegacyClaims(claims));
}

absl::StatusOr<std::string> AccountTokens::KeySet() {
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<const SigningKey> key, Key());
  return key->KeySet();
}

absl::Status AccountTokens::CheckSignature(const ParsedToken& token) {
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<const SigningKey> key, Key());
  if (!token.key_id.empty() && token.key_id != key->id()) {
    return absl::UnauthenticatedError("invalid signature, no keys found");
  }
  if (!key->HasSigned(token)) {
    return absl::UnauthenticatedError("go-jose/go-jose: error in cryptographic primitive");
  }
  return absl::OkStatus();
}

absl::StatusOr<AuthenticatedToken> AccountTokens::AuthenticateLegacy(
    const Storage& storage, absl::string_view token, const ParsedToken& parsed,
    const std::vector<std::string>& audiences) {
  KUBE_RETURN_IF_ERROR(CheckSignature(parsed));
  KUBE_ASSIGN_OR_RETURN(const LegacyClaims claims, DecodeLegacyClaims(parsed.payload));
  const std::vector<std::string> own = {std::string(kTokenIssuer)};
  std::vector<std::string> common = CommonAudiences(own, audiences);
  if (common.empty()) {
    return absl::UnauthenticatedError(absl::StrCat("token audiences ", QuotedList(own),
                                                   " is invalid for the target audiences ",
                                                   QuotedList(audiences)));
  }
  KUBE_RETURN_IF_ERROR(CheckLegacyClaims(storage, claims, token));
  AccountClaims account;
  account.namespace_name = claims.namespace_name;
  account.account = {.name = claims.account, .uid = claims.account_uid};
  return AuthenticatedToken{.user = UserOf(account), .audiences = std::move(common)};
}

std::optional<absl::StatusOr<AccountClaims>> AccountTokens::Verify(absl::string_view token) {
  {
    base::MutexLock lock(mutex_);
    auto it = verified_.find(token);
    if (it != verified_.end()) return it->second;
  }
  const std::optional<ParsedToken> parsed = ParseToken(token);
  if (!parsed.has_value() || parsed->issuer != kTokenIssuer) return std::nullopt;
  if (const absl::Status good = CheckSignature(*parsed); !good.ok()) return good;
  absl::StatusOr<AccountClaims> claims = DecodeClaims(parsed->payload);
  if (claims.ok()) {
    base::MutexLock lock(mutex_);
    if (verified_.size() >= kMaxVerified) verified_.clear();
    verified_.emplace(std::string(token), *claims);
  }
  return claims;
}

std::optional<absl::StatusOr<AuthenticatedToken>> AccountTokens::Authenticate(
    const Storage& storage, absl::string_view token, const std::vector<std::string>& audiences) {
  const std::optional<absl::StatusOr<AccountClaims>> claims = Verify(token);
  if (!claims.has_value()) {
    const std::optional<ParsedToken> parsed = ParseToken(token);
    if (!parsed.has_value() || parsed->issuer != kLegacyIssuer) return std::nullopt;
    return AuthenticateLegacy(storage, token, *parsed, audiences);
  }
  if (!claims->ok()) return claims->status();
  const AccountClaims& good = **claims;
  std::vector<std::string> common = CommonAudiences(good.audiences, audiences);
  if (common.empty()) {
    return absl::UnauthenticatedError(absl::StrCat("token audiences ", QuotedList(good.audiences),
                                                   " is invalid for the target audiences ",
                                                   QuotedList(audiences)));
  }
  const absl::Time now = base::WallNow();
  absl::Status valid = CheckTimes(good, now);
  if (valid.ok()) valid = CheckObjects(storage, good, now);
  if (!valid.ok()) return valid;
  return AuthenticatedToken{.user = UserOf(good), .audiences = std::move(common)};
}

}  // namespace kube::apiserver::internal
