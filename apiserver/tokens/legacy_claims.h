#ifndef APISERVER_TOKENS_LEGACY_CLAIMS_H_
#define APISERVER_TOKENS_LEGACY_CLAIMS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apiserver/storage.h"

// The tokens that Secrets of the type kubernetes.io/service-account-token hold: they have no
// audience and no end, and are good as long as their secret has them (kube-apiserver:
// `pkg/serviceaccount/legacy.go`). Thread-safe.
namespace kube::apiserver::internal {

inline constexpr absl::string_view kLegacyIssuer = "kubernetes/serviceaccount";

// What such a token says.
struct LegacyClaims {
  std::string subject = {};  // "system:serviceaccount:NAMESPACE:NAME"
  std::string namespace_name = {};
  std::string account = {};
  std::string account_uid = {};
  std::string secret = {};
};

// Returns the JSON of the claims, with the subject and the issuer. The members and their order are
// upstream's.
std::string EncodeLegacyClaims(const LegacyClaims& claims);
// Returns INVALID_ARGUMENT if this is not a JSON object. Members of another type count as absent.
absl::StatusOr<LegacyClaims> DecodeLegacyClaims(absl::string_view json);

// Checks the claims of `token`, whose signature is good, and the objects that they name. Returns
// UNAUTHENTICATED, with upstream's message.
absl::Status CheckLegacyClaims(const Storage& storage, const LegacyClaims& claims,
                               absl::string_view token);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_TOKENS_LEGACY_CLAIMS_H_
