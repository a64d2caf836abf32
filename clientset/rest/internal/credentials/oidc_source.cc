#include "clientset/rest/internal/credentials/oidc_source.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/certificate_files.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/internal/credentials/file_credentials.h"
#include "clientset/rest/internal/credentials/oidc_login.h"
#include "clientset/rest/internal/credentials/oidc_refresh.h"
#include "clientset/rest/oidc_config.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/transport.h"

namespace kube::rest::internal {

absl::StatusOr<std::unique_ptr<OidcSource>> OidcSource::Make(const Config& config) {
  const OidcConfig& oidc = *config.oidc;
  if (oidc.issuer_url.empty()) return absl::InvalidArgumentError("Must provide idp-issuer-url");
  if (oidc.client_id.empty()) return absl::InvalidArgumentError("Must provide client-id");
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<CredentialSource> certificate,
                        FileCredentials::Make(config));
  KUBE_ASSIGN_OR_RETURN(const Authorities authorities,
                        Authorities::Make({.ca_file = oidc.ca_file, .ca_data = oidc.ca_data}),
                        "certificate authority of the issuer");
  const httpclient::ConnectionOptions connection{.ca_certificates = authorities.certificates()};
  auto refresh = [oidc, connection](const Context& ctx,
                                    const OidcTokens& old) -> absl::StatusOr<OidcTokens> {
    std::shared_ptr<httpclient::Transport> transport = oidc.transport;
    if (transport == nullptr) {
      KUBE_ASSIGN_OR_RETURN(transport, httpclient::MakeHttpTransport());
    }
    return RefreshOidcTokens(ctx, *transport, connection, oidc, old);
  };
  return std::make_unique<OidcSource>(std::move(certificate),
                                      OidcLogin::Share(oidc, std::move(refresh)));
}

OidcSource::OidcSource(std::unique_ptr<CredentialSource> certificate,
                       std::shared_ptr<OidcLogin> login)
    : certificate_(std::move(certificate)), login_(std::move(login)) {}

absl::StatusOr<std::shared_ptr<const Credentials>> OidcSource::Get(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const Credentials> certificate, certificate_->Get(ctx));
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const Credentials> token, login_->Get(ctx));
  return Combine(std::move(certificate), std::move(token));
}

absl::StatusOr<std::shared_ptr<const Credentials>> OidcSource::GetWithoutAuthorization(
    const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const Credentials> certificate, certificate_->Get(ctx));
  return Combine(std::move(certificate), login_->last());
}

absl::StatusOr<bool> OidcSource::Rejected(const Context& ctx, const Credentials& used) {
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<const Credentials> certificate,
                        certificate_->Get(ctx));
  std::shared_ptr<const Credentials> last;
  {
    base::MutexLock lock(mutex_);
    // Another caller has renewed the credentials meanwhile.
    if (current_ != nullptr && current_->generation != used.generation) {
      return !SameIdentity(*current_, used);
    }
    last = last_certificate_;
  }
  return certificate_->Rejected(ctx, last == nullptr ? *certificate : *last);
}

std::shared_ptr<const Credentials> OidcSource::Combine(
    std::shared_ptr<const Credentials> certificate, std::shared_ptr<const Credentials> token) {
  base::MutexLock lock(mutex_);
  // Another request may have got a newer token meanwhile.
  if (last_token_ != nullptr && (token == nullptr || token->generation < last_token_->generation)) {
    token = last_token_;
  }
  if (current_ != nullptr && certificate == last_certificate_ && token == last_token_) {
    return current_;
  }
  auto made = std::make_shared<Credentials>(*certificate);
  made->authorization = token == nullptr ? base::Secret() : token->authorization;
  made->generation = current_ == nullptr ? 1 : current_->generation + 1;
  last_certificate_ = std::move(certificate);
  last_token_ = std::move(token);
  current_ = std::move(made);
  return current_;
}

}  // namespace kube::rest::internal
