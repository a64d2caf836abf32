#ifndef NET_CERTIFICATES_CERTIFICATE_SOURCE_H_
#define NET_CERTIFICATES_CERTIFICATE_SOURCE_H_

#include <memory>
#include <string>

#include "apimachinery/base/secret.h"

namespace kube::certificates {

// What a server shows to its clients, and which clients it trusts. All texts are PEM.
struct ServerCertificates {
  // The server's certificate, followed by the intermediate certificates.
  std::string certificate_chain = {};
  // The key of the server's certificate.
  base::Secret private_key = {};
  // Authorities that sign the clients' certificates. May be empty if the server requests none.
  std::string client_ca = {};

  friend bool operator==(const ServerCertificates&, const ServerCertificates&) = default;
};

// Provides certificates that change while a server runs, for httpserver::TlsOptions::source. (Go:
// `tls.Config.GetCertificate`)
//
// Thread-safe.
class CertificateSource {
 public:
  virtual ~CertificateSource() = default;

  // Returns the newest certificates: the same object until they change. Null until the first ones
  // are known. A server calls it for each new connection, on its I/O thread, so it must not block.
  virtual std::shared_ptr<const ServerCertificates> Current() const = 0;
};

}  // namespace kube::certificates

#endif  // NET_CERTIFICATES_CERTIFICATE_SOURCE_H_
