#ifndef APISERVER_TOKENS_ACCOUNT_TOKENS_H_
#define APISERVER_TOKENS_ACCOUNT_TOKENS_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/storage.h"
#include "apiserver/tokens/account_claims.h"
#include "apiserver/tokens/legacy_claims.h"
#include "apiserver/tokens/signing_key.h"
#include "apiserver/user.h"

namespace kube::apiserver::internal {

// Who issues the tokens of service accounts, and for whom if nobody else is named. The real servers
// of this project's tests have the same issuer.
inline constexpr absl::string_view kTokenIssuer = "https://kubernetes.default.svc.cluster.local";

// Returns the elements of `wanted` that `given` has, in the order of `wanted` (apiserver:
// `Audiences.Intersect`).
std::vector<std::string> CommonAudiences(const std::vector<std::string>& given,
                                         const std::vector<std::string>& wanted);

// A user, and for which of the audiences that were asked for the token is good.
struct AuthenticatedToken {
  User user = {};
  std::vector<std::string> audiences = {};
};

// The tokens of service accounts of a server: signs them with a key of its own, and checks them
// against the objects in a storage (kube-apiserver: `JWTTokenGenerator`, `JWTTokenAuthenticator`).
//
// The key is made when the first token is issued or checked, so that a server that has to do with
// none starts without it. Thread-safe.
class AccountTokens {
 public:
  AccountTokens() = default;
  AccountTokens(const AccountTokens&) = delete;
  AccountTokens& operator=(const AccountTokens&) = delete;

  // Signs a token with these claims, whose issuer becomes kTokenIssuer. Returns RESOURCE_EXHAUSTED
  // if OpenSSL lacks memory or randomness, as KeySet does.
  absl::StatusOr<std::string> Issue(AccountClaims claims);

  // Signs a token for a Secret, whose issuer becomes kLegacyIssuer. Returns the errors of Issue.
  absl::StatusOr<std::string> IssueLegacy(const LegacyClaims& claims);

  // Returns the user of a token that is good for one of `audiences`. Returns nullopt if the token
  // does not claim to come from this issuer, and UNAUTHENTICATED, with upstream's message, if it
  // does but is not valid: because of its signature, its times, its audiences, or an object that no
  // longer exists.
  std::optional<absl::StatusOr<AuthenticatedToken>> Authenticate(
      const Storage& storage, absl::string_view token, const std::vector<std::string>& audiences);

  // Returns the JSON Web Key Set with which others check the tokens.
  absl::StatusOr<std::string> KeySet();

 private:
  absl::StatusOr<std::shared_ptr<const SigningKey>> Key();
  // Checks the signature only.
  absl::Status CheckSignature(const ParsedToken& token);
  // Does what Authenticate does, for a token of kLegacyIssuer. It is good for this server only.
  absl::StatusOr<AuthenticatedToken> AuthenticateLegacy(const Storage& storage,
                                                        absl::string_view token,
                                                        const ParsedToken& parsed,
                                                        const std::vector<std::string>& audiences);
  // Checks the issuer and the signature only.
  std::optional<absl::StatusOr<AccountClaims>> Verify(absl::string_view token);

  base::Mutex mutex_;
  std::shared_ptr<const SigningKey> key_ ABSL_GUARDED_BY(mutex_);
  // The claims of tokens whose signature was good: clients send the same token again and again, and
  // a signature takes longer to check than many a request. A bounded number.
  std::map<std::string, AccountClaims, std::less<>> verified_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TOKENS_ACCOUNT_TOKENS_H_
