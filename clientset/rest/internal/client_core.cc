#include "clientset/rest/internal/client_core.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/connection_rotation.h"
#include "clientset/rest/internal/loopback.h"
#include "clientset/rest/internal/request_headers.h"
#include "clientset/rest/internal/request_metrics.h"
#include "clientset/rest/internal/throttle.h"
#include "clientset/rest/internal/url_backoff.h"
#include "clientset/rest/rate_limiter.h"
#include "clientset/rest/request.h"
#include "clientset/rest/warnings.h"
#include "net/http/headers.h"
#include "net/httpclient/transport.h"
#include "net/url/url.h"

namespace kube::rest::internal {

namespace {

constexpr absl::string_view kJson = "application/json";

const char* Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool HasCredentials(const Config& config) {
  return !config.username.empty() || !config.password.empty() || !config.bearer_token.empty() ||
         !config.bearer_token_file.empty() || config.exec.has_value() || config.oidc.has_value() ||
         !config.tls.cert_file.empty() || !config.tls.cert_data.empty() ||
         config.tls.get_key_pair != nullptr;
}

// Credentials must not be readable on the network. client-go sends them over http; only its
// kubeconfig loader omits them.
absl::Status CheckPlainText(const Config& config, const std::string& base_url) {
  if (!absl::StartsWith(base_url, "http://") || !HasCredentials(config)) return absl::OkStatus();
  KUBE_ASSIGN_OR_RETURN(const url::Url url, url::Parse(base_url));
  if (internal::IsLoopback(url::HostName(url.host))) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("host ", url.host,
                   " does not use TLS: refusing to send credentials in plain text, use https"));
}

absl::Status CheckImpersonation(const ImpersonationConfig& impersonate) {
  if (!impersonate.user_name.empty()) return absl::OkStatus();
  if (impersonate.uid.empty() && impersonate.groups.empty() && impersonate.extra.empty()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      "impersonate: requesting uid, groups or extra without impersonating a user");
}

absl::StatusOr<std::shared_ptr<RateLimiter>> LimiterOf(const Config& config) {
  if (config.rate_limiter != nullptr || config.qps <= 0) return config.rate_limiter;
  if (config.burst <= 0) {
    return absl::InvalidArgumentError(
        "burst is required to be greater than 0 when RateLimiter is not set and QPS is set to "
        "greater than 0");
  }
  return MakeTokenBucketRateLimiter(config.qps, config.burst);
}

http::Headers DefaultHeaders(const Config& config, absl::string_view content_type) {
  http::Headers headers = {
      {"accept", absl::StrCat(content_type, ", */*")},
      {"user-agent", config.user_agent.empty() ? DefaultUserAgent() : config.user_agent}};
  for (const http::Header& header : ImpersonationHeaders(config.impersonate)) {
    headers.Add(header.name, header.value);
  }
  return headers;
}

}  // namespace

absl::StatusOr<std::string> BaseUrlOf(const Config& config) {
  const TlsClientConfig& tls = config.tls;
  const bool default_tls = tls.insecure || !tls.ca_file.empty() || !tls.ca_data.empty() ||
                           !tls.cert_file.empty() || !tls.cert_data.empty() ||
                           tls.get_key_pair != nullptr;
  KUBE_ASSIGN_OR_RETURN(std::string url, ServerUrl(config.host, default_tls));
  KUBE_RETURN_IF_ERROR(CheckPlainText(config, url));
  return url;
}

absl::StatusOr<std::shared_ptr<const ClientCore>> MakeClientCore(
    const Config& config, std::shared_ptr<Authenticator> authenticator,
    std::shared_ptr<httpclient::Transport> transport) {
  auto core = std::make_shared<ClientCore>();
  KUBE_ASSIGN_OR_RETURN(core->base_url, BaseUrlOf(config));
  KUBE_RETURN_IF_ERROR(CheckImpersonation(config.impersonate));
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<RateLimiter> limiter, LimiterOf(config));
  KUBE_ASSIGN_OR_RETURN(url::Url url, url::Parse(core->base_url));
  core->host = std::move(url.host);
  core->content_type = config.content_type.empty() ? std::string(kJson) : config.content_type;
  core->prefers_protobuf = config.content_type.empty();
  core->headers = DefaultHeaders(config, core->content_type);
  KUBE_RETURN_IF_ERROR(CheckHeaders(core->headers));
  core->accept_gzip = !config.disable_compression;
  core->timeout = config.timeout;
  core->authenticator = std::move(authenticator);
  if (config.close_connections_on_rotation) {
    core->rotation = std::make_unique<ConnectionRotation>(transport);
  }
  core->transport = config.wrap_transport == nullptr ? std::move(transport)
                                                     : config.wrap_transport(std::move(transport));
  core->warnings =
      config.warning_handler != nullptr ? config.warning_handler : MakeDeduplicatingWarningLogger();
  core->tracer = config.tracer;
  KUBE_ASSIGN_OR_RETURN(core->metrics, RequestMetrics::Make(*config.metrics, core->host));
  core->throttle = std::make_unique<Throttle>(std::move(limiter));
  core->backoff = std::make_unique<UrlBackoff>(Environment("KUBE_CLIENT_BACKOFF_BASE"),
                                               Environment("KUBE_CLIENT_BACKOFF_DURATION"));
  return core;
}

}  // namespace kube::rest::internal
