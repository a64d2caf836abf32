#include "clientset/rest/internal/credentials/oidc_source.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/certificate_files.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/internal/credentials/file_credentials.h"
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
  return std::make_unique<OidcSource>(std::move(certificate), oidc.tokens, std::move(refresh),
                                      oidc.persist);
}

OidcSource::OidcSource(std::unique_ptr<CredentialSource> certificate, OidcTokens tokens,
                       Refresher refresher, Persister persister)
    : certificate_(std::move(certificate)),
      refresher_(std::move(refresher)),
      persister_(std::move(persister)) {
  base::MutexLock lock(mutex_);
  SetTokens(std::move(tokens));
}

void OidcSource::SetTokens(OidcTokens tokens) {
  tokens_ = std::move(tokens);
  if (tokens_.id_token.empty()) {
    expiry_ = absl::InfinitePast();
    authorization_ = base::Secret();
    return;
  }
  expiry_ = IdTokenExpiry(tokens_.id_token.Reveal());
  authorization_ = base::Secret(absl::StrCat("Bearer ", tokens_.id_token.Reveal()));
}

absl::StatusOr<std::shared_ptr<const Credentials>> OidcSource::Get(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const Credentials> certificate, certificate_->Get(ctx));
  KUBE_RETURN_IF_ERROR(EnsureToken(ctx));
  return Combine(std::move(certificate));
}

absl::StatusOr<std::shared_ptr<const Credentials>> OidcSource::GetWithoutAuthorization(
    const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const Credentials> certificate, certificate_->Get(ctx));
  return Combine(std::move(certificate));
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

absl::StatusOr<bool> OidcSource::HasToken() const {
  if (!expiry_.ok()) return expiry_.status();
  return *expiry_ > base::WallNow() + kLeeway;
}

absl::Status OidcSource::EnsureToken(const Context& ctx) {
  OidcTokens old;
  {
    base::MutexLock lock(mutex_);
    while (true) {
      KUBE_ASSIGN_OR_RETURN(const bool has_token, HasToken());
      if (has_token) return absl::OkStatus();
      if (!refreshing_) break;
      KUBE_RETURN_IF_ERROR(changed_.Wait(
          ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !refreshing_; }));
    }
    refreshing_ = true;
    old = tokens_;
  }
  absl::StatusOr<OidcTokens> fresh = refresher_(ctx, old);
  if (fresh.ok() && persister_ != nullptr) {
    // A request that ends now must not lose tokens that the issuer gives only once.
    const Context storing = WithTimeout(WithoutCancel(ctx), kPersistTimeout);
    if (const absl::Status stored = persister_(storing, *fresh); !stored.ok()) {
      log::Error(ctx, stored, "could not persist new tokens");
    }
  }
  base::MutexLock lock(mutex_);
  refreshing_ = false;
  changed_.NotifyAll();
  if (!fresh.ok()) return fresh.status();
  SetTokens(*std::move(fresh));
  return absl::OkStatus();
}

std::shared_ptr<const Credentials> OidcSource::Combine(
    std::shared_ptr<const Credentials> certificate) {
  base::MutexLock lock(mutex_);
  if (current_ != nullptr && certificate == last_certificate_ &&
      current_->authorization == authorization_) {
    return current_;
  }
  auto made = std::make_shared<Credentials>(*certificate);
  made->authorization = authorization_;
  made->generation = current_ == nullptr ? 1 : current_->generation + 1;
  last_certificate_ = std::move(certificate);
  current_ = std::move(made);
  return current_;
}

}  // namespace kube::rest::internal
