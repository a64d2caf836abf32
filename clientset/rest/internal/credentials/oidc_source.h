#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_OIDC_SOURCE_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_OIDC_SOURCE_H_

#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/internal/credentials/oidc_login.h"

namespace kube::rest::internal {

// Shows the API server the ID token of a login, beside the client certificate that the
// configuration may have. Thread-safe.
class OidcSource final : public CredentialSource {
 public:
  // Reads the certificates. `config.oidc` must be set. Returns INVALID_ARGUMENT if the issuer or
  // the client ID is missing, or a certificate cannot be used.
  static absl::StatusOr<std::unique_ptr<OidcSource>> Make(const Config& config);

  // `certificate` provides the client certificate.
  OidcSource(std::unique_ptr<CredentialSource> certificate, std::shared_ptr<OidcLogin> login);

  // Returns the errors of OidcLogin::Get.
  absl::StatusOr<std::shared_ptr<const Credentials>> Get(const Context& ctx) override;
  absl::StatusOr<std::shared_ptr<const Credentials>> GetWithoutAuthorization(
      const Context& ctx) override;
  // Returns whether the certificate is another one now. An ID token that is rejected before its end
  // would not become better by another one: groups and users are the same.
  absl::StatusOr<bool> Rejected(const Context& ctx, const Credentials& used) override;

 private:
  // `token` may be null.
  std::shared_ptr<const Credentials> Combine(std::shared_ptr<const Credentials> certificate,
                                             std::shared_ptr<const Credentials> token)
      ABSL_LOCKS_EXCLUDED(mutex_);

  const std::unique_ptr<CredentialSource> certificate_;
  const std::shared_ptr<OidcLogin> login_;
  base::Mutex mutex_;
  // The certificate and the token of which `current_` was made.
  std::shared_ptr<const Credentials> last_certificate_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Credentials> last_token_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Credentials> current_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_OIDC_SOURCE_H_
