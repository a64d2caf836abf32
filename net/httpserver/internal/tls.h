#ifndef NET_HTTPSERVER_INTERNAL_TLS_H_
#define NET_HTTPSERVER_INTERNAL_TLS_H_

#include <openssl/ssl.h>

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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

struct FreeSsl {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
};
using UniqueSsl = std::unique_ptr<SSL, FreeSsl>;

// For one connection, the server's side, before its handshake. It shares what it needs of
// `context`.
UniqueSsl NewServerSsl(const TlsContext& context);

// What the client has shown of itself, after the handshake. Nothing: it has no certificate.
std::optional<ClientCertificate> ClientCertificateOf(const SSL* ssl);

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_TLS_H_
