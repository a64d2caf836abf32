#include "clientset/rest/authenticator.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/credentials/certificate_files.h"
#include "clientset/rest/internal/credentials/credential_source.h"
#include "clientset/rest/internal/credentials/exec_plugin.h"
#include "clientset/rest/internal/credentials/exec_source.h"
#include "clientset/rest/internal/credentials/file_credentials.h"
#include "clientset/rest/internal/credentials/oidc_source.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/proxy_address.h"

namespace kube::rest {

namespace {

using internal::Authorities;
using internal::Credentials;
using internal::CredentialSource;

// Combines the credentials of one source with the certificate authorities into an Authentication.
//
// `credentials_` are the newest credentials by their generation, and `current_` is the
// Authentication that was made of them. Both change only in Combine, and only if the credentials
// are newer or the authorities were read again; so requests get the same object as long as nothing
// changes. A new Authentication keeps the connection options if they are equal, so that requests
// keep sharing connections when only the token changes.
class ConfiguredAuthenticator final : public Authenticator {
 public:
  // `connection` must not have authorities or a certificate.
  ConfiguredAuthenticator(httpclient::ConnectionOptions connection, Authorities authorities,
                          std::unique_ptr<CredentialSource> source)
      : connection_(std::move(connection)),
        source_(std::move(source)),
        authorities_(std::move(authorities)) {}

  absl::StatusOr<std::shared_ptr<const Authentication>> Get(const Context& ctx) override {
    KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const Credentials> credentials, source_->Get(ctx),
                          "getting credentials");
    return WithAuthorities(ctx, std::move(credentials));
  }

  absl::StatusOr<std::shared_ptr<const Authentication>> GetWithoutAuthorization(
      const Context& ctx) override {
    KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const Credentials> credentials,
                          source_->GetWithoutAuthorization(ctx), "getting credentials");
    return WithAuthorities(ctx, std::move(credentials));
  }

  absl::StatusOr<bool> Rejected(const Context& ctx, const Authentication& used) override {
    std::shared_ptr<const Credentials> credentials;
    {
      base::MutexLock lock(mutex_);
      if (current_ == nullptr) return true;
      // `used` is compared by address: a plug-in may return the same token again, and must not be
      // run once for each request that was sent with it.
      if (current_.get() != &used) return !IsSameIdentity(*current_, used);
      credentials = credentials_;
    }
    KUBE_ASSIGN_OR_RETURN(const bool changed, source_->Rejected(ctx, *credentials),
                          "refreshing credentials");
    return changed;
  }

 private:
  static bool IsSameIdentity(const Authentication& a, const Authentication& b) {
    return a.authorization == b.authorization &&
           a.connection->client_certificate == b.connection->client_certificate &&
           a.connection->client_key == b.connection->client_key;
  }

  std::shared_ptr<const Authentication> WithAuthorities(
      const Context& ctx, std::shared_ptr<const Credentials> credentials)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    absl::StatusOr<bool> reloaded;
    std::shared_ptr<const Authentication> result;
    {
      base::MutexLock lock(mutex_);
      reloaded = authorities_.Refresh();
      result = Combine(std::move(credentials), reloaded.value_or(false));
    }
    if (!reloaded.ok()) {
      log::Error(ctx, reloaded.status(), "failed to load CA data, keeping the previous CA data");
    }
    return result;
  }

  std::shared_ptr<const Authentication> Combine(std::shared_ptr<const Credentials> credentials,
                                                bool reloaded)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    // Another thread may have stored newer credentials already.
    const bool stale =
        credentials_ != nullptr && credentials->generation <= credentials_->generation;
    if (stale && !reloaded) return current_;
    if (!stale) credentials_ = std::move(credentials);
    auto made = std::make_shared<Authentication>();
    made->authorization = credentials_->authorization;
    httpclient::ConnectionOptions connection = connection_;
    connection.ca_certificates = authorities_.certificates();
    connection.client_certificate = credentials_->certificate;
    connection.client_key = credentials_->key;
    const bool same = current_ != nullptr && *current_->connection == connection;
    made->connection =
        same ? current_->connection
             : std::make_shared<const httpclient::ConnectionOptions>(std::move(connection));
    current_ = std::move(made);
    return current_;
  }

  const httpclient::ConnectionOptions connection_;
  const std::unique_ptr<CredentialSource> source_;
  base::Mutex mutex_;
  Authorities authorities_ ABSL_GUARDED_BY(mutex_);
  // The credentials of which `current_` was made.
  std::shared_ptr<const Credentials> credentials_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const Authentication> current_ ABSL_GUARDED_BY(mutex_);
};

bool HasAuthorization(const Config& config) {
  return !config.username.empty() || !config.bearer_token.empty() ||
         !config.bearer_token_file.empty();
}

// As in client-go, a plug-in is not used if the configuration has other credentials, for example
// those of kubectl --token.
bool HasOwnCredentials(const Config& config) {
  return HasAuthorization(config) || !config.tls.cert_data.empty() ||
         !config.tls.cert_file.empty() || !config.tls.key_data.empty() ||
         !config.tls.key_file.empty();
}

absl::StatusOr<std::unique_ptr<CredentialSource>> MakeSource(const Config& config) {
  if (config.tls.get_key_pair != nullptr && (config.exec.has_value() || config.oidc.has_value())) {
    return absl::InvalidArgumentError(
        "tls.get_key_pair cannot be used in combination with exec or oidc");
  }
  if (config.oidc.has_value()) {
    if (config.exec.has_value()) {
      return absl::InvalidArgumentError(
          "execProvider and authProvider cannot be used in combination");
    }
    // Check the login's configuration even if it is not used, so that a mistake is found early.
    KUBE_ASSIGN_OR_RETURN(std::unique_ptr<CredentialSource> source,
                          internal::OidcSource::Make(config));
    if (HasAuthorization(config)) return internal::FileCredentials::Make(config);
    return source;
  }
  if (!config.exec.has_value()) return internal::FileCredentials::Make(config);
  // Check the plug-in's configuration even if it is not used, so that a mistake is found early.
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<internal::ExecPlugin> plugin,
                        internal::ExecPlugin::Make(config));
  if (HasOwnCredentials(config)) return internal::FileCredentials::Make(config);
  KUBE_ASSIGN_OR_RETURN(internal::ExecSource::Metrics metrics,
                        internal::ExecSource::MakeMetrics(*config.metrics));
  return std::make_unique<internal::ExecSource>(
      [plugin = std::move(plugin)](const Context& ctx) { return plugin->Run(ctx); },
      std::move(metrics));
}

}  // namespace

absl::StatusOr<std::shared_ptr<Authenticator>> MakeAuthenticator(const Config& config,
                                                                 const std::string& default_proxy) {
  const bool has_authorities = !config.tls.ca_data.empty() || !config.tls.ca_file.empty();
  if (config.tls.insecure && has_authorities) {
    return absl::InvalidArgumentError(
        "specifying a root certificates file with the insecure flag is not allowed");
  }
  KUBE_ASSIGN_OR_RETURN(base::CounterVec reloads, Authorities::MakeReloadCounter(*config.metrics));
  KUBE_ASSIGN_OR_RETURN(Authorities authorities, Authorities::Make(config.tls, std::move(reloads)));
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<CredentialSource> source, MakeSource(config));
  // A dialer takes the place of the proxy, also of a malformed one of the environment.
  const std::string proxy = config.dialer != nullptr       ? ""
                            : config.proxy_url.has_value() ? *config.proxy_url
                                                           : default_proxy;
  if (!proxy.empty()) KUBE_RETURN_IF_ERROR(httpclient::ParseProxyAddress(proxy).status());
  httpclient::ConnectionOptions connection{.tls_server_name = config.tls.server_name,
                                           .insecure_skip_tls_verify = config.tls.insecure,
                                           .proxy_url = proxy,
                                           .dialer = config.dialer,
                                           .http_version = config.http_version};
  return std::make_shared<ConfiguredAuthenticator>(std::move(connection), std::move(authorities),
                                                   std::move(source));
}

}  // namespace kube::rest
