#ifndef NET_HTTPSERVER_INTERNAL_TLS_H_
#define NET_HTTPSERVER_INTERNAL_TLS_H_

#include <openssl/ssl.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"

namespace kube::httpserver::internal {

// Certificate, key and rules of a server, shared by its connections. Build, then immutable.
class TlsContext {
 public:
  // INVALID_ARGUMENT: which of the options is wrong, and what OpenSSL says of it.
  static absl::StatusOr<std::shared_ptr<const TlsContext>> Make(const TlsOptions& options,
                                                                bool http1, bool http2);

  SSL_CTX* get() const { return context_.get(); }

 private:
  struct Free {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  };

  absl::Status UseCertificate(const TlsOptions& options);
  absl::Status UseClientCa(const TlsOptions& options);

  std::unique_ptr<SSL_CTX, Free> context_;
  // What SSL_CTX_set_alpn_select_cb points to: protocols in the order in which they are preferred.
  std::string protocols_;
};

// The server's side of one TLS connection, between bytes of the network and bytes of HTTP: nothing
// here touches a socket. Thread-compatible.
class TlsStream {
 public:
  explicit TlsStream(std::shared_ptr<const TlsContext> context);

  // Takes what came from the network and appends what was in it to `plain`. What is to go back is
  // then in TakeOutput. An error: the connection is over.
  absl::Status Receive(absl::string_view bytes, std::string& plain);

  // Encrypts. After the handshake.
  absl::Status Send(absl::string_view plain);
  // Says that nothing follows.
  void SendClose();

  // Appends to `out` what is to go to the network.
  void TakeOutput(std::string& out);

  bool handshaken() const { return handshaken_; }
  // What ALPN has agreed on: "h2", "http/1.1"; "" without ALPN.
  absl::string_view protocol() const;
  std::optional<ClientCertificate> client_certificate() const;

 private:
  struct Free {
    void operator()(SSL* ssl) const { SSL_free(ssl); }
  };

  const std::shared_ptr<const TlsContext> context_;
  std::unique_ptr<SSL, Free> ssl_;
  BIO* in_;   // owned by ssl_
  BIO* out_;  // likewise
  bool handshaken_ = false;
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_TLS_H_
