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
  // How requests are served. Start adds the administrator's token to `tokens`.
  HandlerOptions handler = {};
  // Whether to serve TLS. The certificate comes from an authority made by Start, which can also
  // issue client certificates. Default: true.
  bool tls = true;
  // The certificate that clients see, with its chain, and its key, in place of a generated one. It
  // must be valid for `address`. Client certificates are still those of the generated authority.
  // Default: both are empty, and a certificate is generated.
  certificates::Certificate certificate = {};
  // The certificate of the authority that has issued `certificate`, as PEM, for kubeconfigs and
  // service accounts. Default: `certificate` itself, which is right if it is self-signed.
  std::string server_ca = {};
  // The address and port to listen on. Default: 127.0.0.1 and any free port.
  std::string address = "127.0.0.1";
  uint16_t port = 0;
  // Number of threads that serve connections and call the handler. Default: one.
  int io_threads = 1;
};

// An API server in the process: the Kubernetes API over HTTP/1.1 and HTTP/2, with a new cluster
// behind it. It starts in milliseconds, so each test can have its own.
//
//   absl::StatusOr<std::unique_ptr<ApiServer>> server = ApiServer::Start();
//   ASSERT_THAT(server, IsOk());
//   EXPECT_THAT((*server)->Kubeconfig(), HasSubstr(absl::StrCat("server: ", (*server)->url())));
//
// docs/envtest.md lists what it supports and what it does not. It is meant for tests: the
// administrator's token may do everything, and all data is lost when the server is destroyed. It
// runs on real sockets and clocks; under SimRuntime use ApiHandler instead.
//
// Thread-safe.
class ApiServer {
 private:
  // Restricts the constructor to Start.
  struct Key {
    explicit Key() = default;
  };

 public:
  // Starts a server that listens and answers requests when this returns. Returns the errors of
  // httpserver::Server::Start, such as FAILED_PRECONDITION if the port is taken, and
  // INVALID_ARGUMENT if there is a certificate, but TLS is turned off, or a key or an authority
  // without a certificate.
  static absl::StatusOr<std::unique_ptr<ApiServer>> Start(ApiServerOptions options = {});

  ApiServer(Key, HandlerOptions options, std::string admin_token);
  ApiServer(const ApiServer&) = delete;
  ApiServer& operator=(const ApiServer&) = delete;
  // Closes every connection, including those of watches, and joins the server's threads. Must not
  // be called by a thread of the server.
  ~ApiServer();

  // The server's URL, such as "https://127.0.0.1:40123".
  std::string url() const { return url_; }
  uint16_t port() const { return port_; }

  // Returns the handler behind the port, for the request log, rules, compaction and faults. It
  // lives as long as the server.
  ApiHandler& handler() { return handler_; }
  // Stops listening, does ApiHandler::Restart, and listens again at the same address. Connections
  // are refused meanwhile. Calls must not overlap. Returns FAILED_PRECONDITION if another process
  // has taken the port; the server is then stopped.
  absl::Status Restart(const RestartOptions& options = {});

  // Returns the administrator's bearer token: user "admin" of the group system:masters.
  const std::string& admin_token() const { return admin_token_; }
  // Returns the certificate of the authority that clients must trust as PEM, or "" without TLS.
  const std::string& ca_certificate() const { return ca_certificate_; }
  // Issues a client certificate that authenticates as `user`: its common name is the user's name,
  // its organizations are the groups. Returns FAILED_PRECONDITION without TLS.
  absl::StatusOr<certificates::Certificate> IssueClientCertificate(const User& user) const;

  // Returns the text of a kubeconfig file with one context: this server, as the administrator or as
  // the user of `token`.
  std::string Kubeconfig() const { return Kubeconfig(admin_token_); }
  std::string Kubeconfig(absl::string_view token) const;

 private:
  // Starts `server_` with the options `http_`.
  absl::Status Listen();

  ApiHandler handler_;
  std::string admin_token_;
  std::string ca_certificate_;
  std::string url_;
  uint16_t port_ = 0;
  httpserver::ServerOptions http_;
  std::unique_ptr<const certificates::CertificateAuthority> authority_;
  // Passes requests to `handler_` once the port is known.
  const std::unique_ptr<apiserver::internal::AddressGate> gate_;
  // Declared last, so that it is destroyed first: it calls the handler.
  std::unique_ptr<httpserver::Server> server_;
};

}  // namespace kube::apiserver

#endif  // APISERVER_API_SERVER_H_
