#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_OIDC_LOGIN_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_OIDC_LOGIN_H_

#include <functional>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "clientset/rest/internal/credentials/credential_cache.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/oidc_config.h"

namespace kube::rest::internal {

// An ID token that is renewed in time. The clients of a login share one of these, because an issuer
// may accept a refresh token only once. (client-go: `oidc.oidcAuthProvider`, `oidc.clientCache`)
//
// A refresh runs on a thread of its own, in the runtime of the request that needs it, and goes on
// if that request ends: otherwise tokens could be lost that the issuer has given. The destructor
// stops it. See CredentialCache for how requests wait. Thread-safe.
class OidcLogin {
 public:
  // Exchanges tokens for new ones. Blocks as long as the context allows.
  using Refresher = std::function<absl::StatusOr<OidcTokens>(const Context&, const OidcTokens&)>;

  // An ID token is not used in the last seconds of its life, since a request takes time, too.
  static constexpr absl::Duration kLeeway = absl::Seconds(10);
  // How long OidcConfig::persist may take, also if the login is destroyed meanwhile.
  static constexpr absl::Duration kPersistTimeout = absl::Seconds(30);

  // Returns the login that clients with this configuration share, or makes one. They share it as
  // long as one of them lives if issuer, client ID and secret, certificate authority, transport and
  // runtime are equal, and the refresh token is the one that it began with or has now. A login
  // without a refresh token is not shared.
  static std::shared_ptr<OidcLogin> Share(const OidcConfig& config, Refresher refresher);

  OidcLogin(OidcConfig config, Refresher refresher);

  // Returns the ID token as a value of the Authorization header, beside which the credentials have
  // nothing. Blocks while it is renewed, as long as `ctx` allows. Returns the errors of
  // IdTokenExpiry and of the refresher.
  absl::StatusOr<std::shared_ptr<const Credentials>> Get(const Context& ctx);
  // Returns what the last Get has returned, even if it has expired, or null.
  std::shared_ptr<const Credentials> last() const { return cache_.last(); }

 private:
  bool IsFor(const OidcConfig& config) const ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<Credentials> Refresh(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the newest tokens: those of another program if it has stored some meanwhile.
  OidcTokens Newest(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  void Store(const Context& ctx, const OidcTokens& fresh) ABSL_LOCKS_EXCLUDED(mutex_);

  const OidcConfig config_;
  const Refresher refresher_;
  const base::Runtime* const runtime_;
  // Null without an ID token to begin with; an error if it is not one.
  const absl::StatusOr<std::shared_ptr<const Credentials>> initial_;
  mutable base::Mutex mutex_;
  OidcTokens tokens_ ABSL_GUARDED_BY(mutex_);
  // What OidcConfig::load has returned or would return: others are those of another program. It is
  // not `tokens_` if these could not be stored.
  OidcTokens stored_ ABSL_GUARDED_BY(mutex_);
  CredentialCache cache_;  // the last member: its thread uses the others
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_OIDC_LOGIN_H_
