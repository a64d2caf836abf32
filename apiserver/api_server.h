#ifndef APISERVER_API_SERVER_H_
#define APISERVER_API_SERVER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpserver/server.h"

namespace kube::apiserver {

namespace internal {
class AddressGate;
}  // namespace internal

struct ApiServerOptions {
  // What the server does with requests. `tokens` are beside the administrator's, which is made.
  HandlerOptions handler = {};
  // Default: yes, with an authority of its own. Then clients may also show certificates.
  bool tls = true;
  // Where it listens. Default: at 127.0.0.1, on any free port.
  std::string address = "127.0.0.1";
  uint16_t port = 0;
  // Threads that serve connections and answer. Default: one.
  int io_threads = 1;
};

// An API server in the process: the Kubernetes API over HTTP/1.1 and HTTP/2, with a new cluster
// behind it. It starts in milliseconds, so that each test can have its own.
//
//   KUBE_ASSIGN_OR_RETURN(std::unique_ptr<ApiServer> server, ApiServer::Start());
//   WriteFile(path, server->Kubeconfig());
//
// What is there and what is not: docs/envtest.md. It is for tests: everybody with the token may do
// everything, and what it stores is gone with it. It runs on real sockets and clocks; under
// SimRuntime use ApiHandler.
//
// Thread-safe.
class ApiServer {
 private:
  // Only Start has one.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Listens; when it returns, the server answers. Errors as httpserver::Server::Start.
  static absl::StatusOr<std::unique_ptr<ApiServer>> Start(ApiServerOptions options = {});

  ApiServer(Key, HandlerOptions options, std::string admin_token);
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;
  // Cuts every connection, watches among them.
  ~ApiServer();

  // "https://127.0.0.1:40123"
  std::string url() const { return url_; }
  uint16_t port() const { return port_; }

  // What is behind the port: the log, rules, compaction, faults.
  ApiHandler& handler() { return handler_; }
  // As ApiHandler::Restart, at the same address; in between, connections are refused. One at a
  // time. FAILED_PRECONDITION: another process has taken the port; there is no server then.
  absl::Status Restart(const RestartOptions& options = {});

  // The administrator's bearer token: user "admin" of the group system:masters.
  const std::string& admin_token() const { return admin_token_; }
  // PEM; empty without TLS.
  const std::string& ca_certificate() const { return ca_certificate_; }
  // A certificate for a client: the user by its common name, the groups by its organizations.
  // FAILED_PRECONDITION without TLS.
  absl::StatusOr<certificates::Certificate> IssueClientCertificate(const User& user) const;

  // The text of a kubeconfig file with one context: this server, as the administrator or by another
  // token.
  std::string Kubeconfig() const { return Kubeconfig(admin_token_); }
  std::string Kubeconfig(absl::string_view token) const;

 private:
  // As http_ says.
  absl::Status Listen();

  ApiHandler handler_;
  std::string admin_token_;
  std::string ca_certificate_;
  std::string url_;
  uint16_t port_ = 0;
  httpserver::ServerOptions http_;
  std::unique_ptr<const certificates::CertificateAuthority> authority_;
  // Before handler_.
  const std::unique_ptr<apiserver::internal::AddressGate> gate_;
  // Last: it calls the handler.
  std::unique_ptr<httpserver::Server> server_;
};

}  // namespace kube::apiserver

#endif  // APISERVER_API_SERVER_H_
