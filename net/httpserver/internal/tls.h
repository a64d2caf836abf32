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

// The certificate, key and rules of a server, shared by its connections. Build, then immutable.
class TlsContext {
 public:
  // Returns INVALID_ARGUMENT with the name of the invalid option and OpenSSL's reason.
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
  // The protocols in order of preference; SSL_CTX_set_alpn_select_cb points to this string.
  std::string protocols_;
};

struct FreeSsl {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
};
using UniqueSsl = std::unique_ptr<SSL, FreeSsl>;

// Makes the server's side of a connection, before the handshake. It shares what it needs of
// `context`.
UniqueSsl NewServerSsl(const TlsContext& context);

// Returns the identity in the client's certificate, after the handshake; nullopt if it sent none.
std::optional<ClientCertificate> ClientCertificateOf(const SSL* ssl);

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_TLS_H_
