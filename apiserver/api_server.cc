#include "apiserver/api_server.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/status.h"
#include "apiserver/handler.h"
#include "apiserver/internal/address_gate.h"
#include "apiserver/kubeconfig_text.h"
#include "apiserver/printers/printers.h"
#include "apiserver/user.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpserver/server.h"

namespace kube::apiserver {
namespace {

// Returns an address that a client on this machine can dial if the server listens on `address`.
std::string ReachableIp(const std::string& address) {
  if (address == "0.0.0.0") return "127.0.0.1";
  return address == "::" ? "::1" : address;
}

struct ServerCertificate {
  certificates::Certificate certificate;
  std::string ca;
};

// Returns an error if the options of the certificate contradict others.
absl::Status CheckCertificate(const ApiServerOptions& options) {
  const bool has_certificate = !options.certificate.certificate.empty();
  if (has_certificate && !options.tls) {
    return absl::InvalidArgumentError("start API server: it has a certificate, but TLS is off");
  }
  if (!has_certificate && !(options.certificate.key.empty() && options.server_ca.empty())) {
    return absl::InvalidArgumentError(
        "start API server: it has a key or an authority, but no certificate");
  }
  return absl::OkStatus();
}

// Returns the certificate of the options, or one of `authority`.
absl::StatusOr<ServerCertificate> CertificateOf(
    const ApiServerOptions& options, const certificates::CertificateAuthority& authority) {
  if (!options.certificate.certificate.empty()) {
    return ServerCertificate{options.certificate, options.server_ca.empty()
                                                      ? options.certificate.certificate
                                                      : options.server_ca};
  }
  KUBE_ASSIGN_OR_RETURN(certificates::Certificate issued,
                        authority.Issue({.common_name = "envtest",
                                         .dns_names = {"localhost", "kubernetes.default.svc"},
                                         .ip_addresses = {options.address, "127.0.0.1"}}));
  return ServerCertificate{std::move(issued), authority.certificate()};
}

}  // namespace

absl::StatusOr<std::unique_ptr<ApiServer>> ApiServer::Start(ApiServerOptions options) {
  KUBE_RETURN_IF_ERROR(CheckCertificate(options));
  std::string token = base::RandomString(32);
  options.handler.tokens[token] = {
      .name = "admin", .uid = "admin-uid", .groups = {"system:masters"}};
  if (options.handler.tables == nullptr) options.handler.tables = &printers::KubectlTables();
  auto server = std::make_unique<ApiServer>(Key(), std::move(options.handler), std::move(token));

  httpserver::ServerOptions http{.address = options.address,
                                 .port = options.port,
                                 .io_threads = options.io_threads,
                                 .max_concurrent_streams = 2000};
  std::string client_ca;
  if (options.tls) {
    KUBE_ASSIGN_OR_RETURN(certificates::CertificateAuthority authority,
                          certificates::CertificateAuthority::Make("envtest-ca"));
    client_ca = authority.certificate();
    KUBE_ASSIGN_OR_RETURN(ServerCertificate shown, CertificateOf(options, authority));
    server->ca_certificate_ = std::move(shown.ca);
    http.tls = httpserver::TlsOptions{.certificate_chain = shown.certificate.certificate,
                                      .private_key = std::move(shown.certificate.key),
                                      .client_ca = client_ca,
                                      .client_auth = httpserver::ClientAuth::kRequest};
    server->authority_ =
        std::make_unique<const certificates::CertificateAuthority>(std::move(authority));
  }
  server->http_ = std::move(http);
  KUBE_RETURN_IF_ERROR(server->Listen());
  server->url_ = server->server_->url();
  server->port_ = server->server_->port();
  server->http_.port = server->port_;
  server->handler_.SetAddress({.ip = ReachableIp(options.address),
                               .port = server->port_,
                               .client_ca = client_ca,
                               .server_ca = server->ca_certificate_});
  server->gate_->Open();
  return server;
}

ApiServer::ApiServer(Key, HandlerOptions options, std::string admin_token)
    : handler_(std::move(options)),
      admin_token_(std::move(admin_token)),
      gate_(std::make_unique<apiserver::internal::AddressGate>(handler_)) {}

absl::Status ApiServer::Listen() {
  KUBE_ASSIGN_OR_RETURN(server_, httpserver::Server::Start(http_, *gate_), "start API server");
  return absl::OkStatus();
}

absl::Status ApiServer::Restart(const RestartOptions& options) {
  server_.reset();
  handler_.Restart(options);
  return Listen();
}

ApiServer::~ApiServer() = default;

absl::StatusOr<certificates::Certificate> ApiServer::IssueClientCertificate(
    const User& user) const {
  if (authority_ == nullptr) {
    return absl::FailedPreconditionError("issue client certificate: the server does not use TLS");
  }
  return authority_->Issue(
      {.common_name = user.name, .organizations = user.groups, .server = false});
}

std::string ApiServer::Kubeconfig(absl::string_view token) const {
  return KubeconfigText(url(), ca_certificate_, token);
}

}  // namespace kube::apiserver
