#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_OIDC_SOURCE_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_OIDC_SOURCE_H_

#include <functional>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/secret.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/oidc_config.h"

namespace kube::rest::internal {

// Shows the API server an ID token, which it renews in time, beside the client certificate that the
// configuration may have. (client-go: `oidc.oidcAuthProvider`)
//
// One caller renews at a time, with its own context; the others wait for it, each as long as its
// own context allows. After an error each of them tries again. Thread-safe.
class OidcSource final : public CredentialSource {
 public:
  // Exchanges tokens for new ones. Blocks as long as the context allows.
  using Refresher = std::function<absl::StatusOr<OidcTokens>(const Context&, const OidcTokens&)>;
  // Stores new tokens; may be null.
  using Persister = std::function<absl::Status(const Context&, const OidcTokens&)>;

  // An ID token is not used in the last seconds of its life, since a request takes time, too.
  static constexpr absl::Duration kLeeway = absl::Seconds(10);
  // How long the persister may take, also if the request's context ends earlier.
  static constexpr absl::Duration kPersistTimeout = absl::Seconds(30);

  // Reads the certificates. `config.oidc` must be set. Returns INVALID_ARGUMENT if the issuer or
  // the client ID is missing, or a certificate cannot be used.
  static absl::StatusOr<std::unique_ptr<OidcSource>> Make(const Config& config);

  // `certificate` provides the client certificate.
  OidcSource(std::unique_ptr<CredentialSource> certificate, OidcTokens tokens, Refresher refresher,
             Persister persister);

  // Returns the errors of IdTokenExpiry and RefreshOidcTokens.
  absl::StatusOr<std::shared_ptr<const Credentials>> Get(const Context& ctx) override;
  absl::StatusOr<std::shared_ptr<const Credentials>> GetWithoutAuthorization(
      const Context& ctx) override;
  // Returns whether the certificate is another one now. An ID token that is rejected before its end
  // would not become better by another one: groups and users are the same.
  absl::StatusOr<bool> Rejected(const Context& ctx, const Credentials& used) override;

 private:
  // Renews the ID token if necessary.
  absl::Status EnsureToken(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<bool> HasToken() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void SetTokens(OidcTokens tokens) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::shared_ptr<const Credentials> Combine(std::shared_ptr<const Credentials> certificate)
      ABSL_LOCKS_EXCLUDED(mutex_);

  const std::unique_ptr<CredentialSource> certificate_;
  const Refresher refresher_;
  const Persister persister_;
  base::Mutex mutex_;
  base::CondVar changed_;
  OidcTokens tokens_ ABSL_GUARDED_BY(mutex_);
  // What each request needs of the ID token: when it expires, and the header that shows it.
  absl::StatusOr<absl::Time> expiry_ ABSL_GUARDED_BY(mutex_);
  base::Secret authorization_ ABSL_GUARDED_BY(mutex_);
  bool refreshing_ ABSL_GUARDED_BY(mutex_) = false;
  // The certificate and the token of which `current_` was made.
  std::shared_ptr<const Credentials> last_certificate_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Credentials> current_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_OIDC_SOURCE_H_
