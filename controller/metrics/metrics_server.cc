#include "controller/metrics/metrics_server.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/client.h"
#include "controller/health/health_server.h"
#include "controller/metrics/token_review_access.h"
#include "net/certificates/certificate_authority.h"
#include "net/certificates/certificate_files.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"

namespace kube::metrics {

namespace {

absl::Status Validate(const MetricsOptions& options,
                      const std::shared_ptr<base::PrometheusRegistry>& registry,
                      const rest::Client* client) {
  if (registry == nullptr) return absl::InvalidArgumentError("there is no registry of metrics");
  if (options.access == MetricsAccess::kAnybody) return absl::OkStatus();
  if (!options.secure) {
    return absl::InvalidArgumentError("access control needs TLS: set `secure`");
  }
  if (options.access == MetricsAccess::kTokenReview && client == nullptr) {
    return absl::InvalidArgumentError("token reviews need a client");
  }
  if (options.access == MetricsAccess::kClientCertificate && options.certificate_folder.empty()) {
    return absl::InvalidArgumentError("client certificates need a certificate_folder");
  }
  return absl::OkStatus();
}

std::string FileIn(const std::string& folder, absl::string_view name) {
  return absl::StrCat(folder, folder.empty() || folder.back() == '/' ? "" : "/", name);
}

}  // namespace

class MetricsServer::Impl {
 public:
  absl::Status Start(const Context& ctx, const MetricsOptions& options,
                     const std::shared_ptr<base::PrometheusRegistry>& registry,
                     const rest::Client* client) {
    health::HealthServerOptions settings = {.address = options.address,
                                            .port = options.port,
                                            .metrics = registry,
                                            .handlers = options.handlers,
                                            .http2 = options.http2};
    if (options.secure) {
      KUBE_ASSIGN_OR_RETURN(settings.tls, MakeTls(ctx, options, registry));
    }
    if (options.access == MetricsAccess::kTokenReview) {
      const auto access = std::make_shared<const TokenReviewAccess>(*client);
      settings.access = [access](const Context& request_ctx, const httpserver::Request& request) {
        return access->Check(request_ctx, request);
      };
    }
    KUBE_ASSIGN_OR_RETURN(server_, health::HealthServer::Start(std::move(settings)));
    return absl::OkStatus();
  }

  health::HealthServer& server() { return *server_; }

 private:
  static absl::StatusOr<httpserver::TlsOptions> MakeTls(
      const Context& ctx, const MetricsOptions& options,
      const std::shared_ptr<base::PrometheusRegistry>& registry) {
    httpserver::TlsOptions tls;
    if (options.certificate_folder.empty()) {
      KUBE_ASSIGN_OR_RETURN(const certificates::CertificateAuthority authority,
                            certificates::CertificateAuthority::Make("metrics"));
      KUBE_ASSIGN_OR_RETURN(certificates::Certificate certificate,
                            authority.Issue({.common_name = "localhost",
                                             .dns_names = {"localhost"},
                                             .ip_addresses = {"127.0.0.1"}}));
      tls.certificate_chain = std::move(certificate.certificate);
      tls.private_key = std::move(certificate.key);
      return tls;
    }
    const std::string& folder = options.certificate_folder;
    const bool clients = options.access == MetricsAccess::kClientCertificate;
    auto files =
        std::make_shared<certificates::CertificateFiles>(certificates::CertificateFilesOptions{
            .certificate_file = FileIn(folder, options.certificate_name),
            .key_file = FileIn(folder, options.key_name),
            .client_ca_file = clients ? FileIn(folder, options.client_ca_name) : "",
            .metrics = registry});
    KUBE_RETURN_IF_ERROR(files->WaitForFirst(ctx));
    KUBE_RETURN_IF_ERROR(files->Start(Context()));
    if (clients) tls.client_auth = httpserver::ClientAuth::kRequire;
    tls.source = std::move(files);
    return tls;
  }

  std::unique_ptr<health::HealthServer> server_;
};

absl::StatusOr<std::unique_ptr<MetricsServer>> MetricsServer::Start(
    const Context& ctx, const MetricsOptions& options,
    const std::shared_ptr<base::PrometheusRegistry>& registry, const rest::Client* client) {
  KUBE_RETURN_IF_ERROR(Validate(options, registry, client), "start metrics server");
  auto impl = std::make_unique<Impl>();
  KUBE_RETURN_IF_ERROR(impl->Start(ctx, options, registry, client), "start metrics server");
  return std::make_unique<MetricsServer>(Key(), std::move(impl));
}

MetricsServer::MetricsServer(Key /*key*/, std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

MetricsServer::~MetricsServer() = default;

absl::Status MetricsServer::Shutdown(const Context& ctx) { return impl_->server().Shutdown(ctx); }

uint16_t MetricsServer::port() const { return impl_->server().port(); }

std::string MetricsServer::url() const { return impl_->server().url(); }

}  // namespace kube::metrics
