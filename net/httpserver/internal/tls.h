#ifndef NET_HTTPSERVER_INTERNAL_TLS_H_
#define NET_HTTPSERVER_INTERNAL_TLS_H_

#include <openssl/ssl.h>

#include <memory>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/mutex.h"
#include "net/certificates/certificate_source.h"
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
};

// The newest TlsContext of a server. Thread-safe.
class TlsContexts {
 public:
  // Returns INVALID_ARGUMENT like TlsContext::Make, also if options.source has no certificates yet,
  // or if it is set beside other certificates.
  static absl::StatusOr<std::unique_ptr<TlsContexts>> Make(TlsOptions options, bool http1,
                                                           bool http2);

  TlsContexts(TlsOptions options, bool http1, bool http2);

  // Returns the context for a new connection. Asks options.source for the newest certificates; if
  // they cannot be used, logs the reason once and returns the previous context.
  std::shared_ptr<const TlsContext> Newest() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Makes a context of `newest`, which is null if there is no source.
  absl::Status Use(std::shared_ptr<const certificates::ServerCertificates> newest)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const TlsOptions options_;
  const bool http1_;
  const bool http2_;
  base::Mutex mutex_;
  // The certificates that were last tried: those of `context_`, unless they could not be used.
  std::shared_ptr<const certificates::ServerCertificates> tried_ ABSL_GUARDED_BY(mutex_);
  std::shared_ptr<const TlsContext> context_ ABSL_GUARDED_BY(mutex_);
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
