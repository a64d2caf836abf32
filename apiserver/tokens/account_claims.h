#ifndef APISERVER_TOKENS_ACCOUNT_CLAIMS_H_
#define APISERVER_TOKENS_ACCOUNT_CLAIMS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apiserver/user.h"

// What a token says about a service account (kube-apiserver: `pkg/serviceaccount/claims.go`). Pure
// and thread-safe.
namespace kube::apiserver::internal {

// How much the clocks of those who check tokens may differ. A token stays valid for this time after
// its end, and after the deletion of the object that it is bound to (go-jose: `DefaultLeeway`).
inline constexpr absl::Duration kTokenLeeway = absl::Minutes(1);

// An object that a token names.
struct ClaimedObject {
  std::string name = {};
  // Empty for the node of a pod that does not exist as an object.
  std::string uid = {};

  friend bool operator==(const ClaimedObject&, const ClaimedObject&) = default;
};

// The claims of a token. Times are seconds since 1970; a token may lack them.
struct AccountClaims {
  std::string issuer = {};
  std::string subject = {};
  std::vector<std::string> audiences = {};
  std::string id = {};
  std::optional<int64_t> expiry = {};
  std::optional<int64_t> not_before = {};
  std::optional<int64_t> issued_at = {};

  std::string namespace_name = {};
  ClaimedObject account = {};
  // The object that the token is bound to. With a pod, `node` is where it runs; alone it is what
  // the token is bound to.
  std::optional<ClaimedObject> pod = {};
  std::optional<ClaimedObject> secret = {};
  std::optional<ClaimedObject> node = {};
  // When a client should have asked for another token, although this one is valid for longer.
  std::optional<int64_t> warn_after = {};

  friend bool operator==(const AccountClaims&, const AccountClaims&) = default;
};

// Returns the JSON of the claims: the members and their order are upstream's.
std::string EncodeClaims(const AccountClaims& claims);
// Returns INVALID_ARGUMENT if this is not a JSON object. Members of another type count as absent,
// and fractions of seconds are cut off.
absl::StatusOr<AccountClaims> DecodeClaims(absl::string_view json);

// Returns UNAUTHENTICATED, with upstream's message, if the token has expired or is not valid yet.
absl::Status CheckTimes(const AccountClaims& claims, absl::Time now);

// Returns "system:serviceaccount:NAMESPACE:NAME".
std::string AccountUserName(absl::string_view namespace_name, absl::string_view name);

// Returns the user that the token makes of its bearer, without the group of all authenticated users
// (apiserver: `ServiceAccountInfo.UserInfo`).
User UserOf(const AccountClaims& claims);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TOKENS_ACCOUNT_CLAIMS_H_
