#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_OIDC_REFRESH_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_OIDC_REFRESH_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "clientset/rest/oidc_config.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"

namespace kube::rest::internal {

// Returns when an ID token expires. The signature is not verified: that is the API server's
// concern. Returns INVALID_ARGUMENT, without a part of the token, if it is not a JSON web token or
// has no number `exp`. Pure: thread-safe. (client-go: `oidc.idTokenExpired`)
absl::StatusOr<absl::Time> IdTokenExpiry(absl::string_view token);

// How long RefreshOidcTokens may take: all requests to the issuer with their answers.
inline constexpr absl::Duration kOidcRefreshTimeout = absl::Seconds(30);

// Asks the issuer of `config` for new tokens in exchange for the refresh token of `old`. The
// refresh token of the result is the old one if the issuer returned none. Blocks as long as `ctx`
// allows, and kOidcRefreshTimeout at most.
//
// Returns FAILED_PRECONDITION if `old` has no refresh token, or if the issuer or the endpoint that
// it names would get it without TLS; the errors of `transport` with the URL, without secrets;
// DEADLINE_EXCEEDED, also with the URL, if the issuer is too slow; UNAUTHENTICATED if it refused;
// UNAVAILABLE if it answered 429 or a code of 500 and above; and INVALID_ARGUMENT if its answer is
// not understood. (client-go: `oidcAuthProvider.idToken`)
absl::StatusOr<OidcTokens> RefreshOidcTokens(const Context& ctx, httpclient::Transport& transport,
                                             const httpclient::ConnectionOptions& connection,
                                             const OidcConfig& config, const OidcTokens& old);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_OIDC_REFRESH_H_
