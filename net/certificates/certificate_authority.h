#ifndef NET_CERTIFICATES_CERTIFICATE_AUTHORITY_H_
#define NET_CERTIFICATES_CERTIFICATE_AUTHORITY_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/secret.h"

namespace kube::certificates {

// The subject, purpose and validity of a certificate.
struct CertificateOptions {
  // Kubernetes reads it as the user's name. One of more than 64 bytes, which a certificate cannot
  // have, is left out.
  std::string common_name = {};
  // Kubernetes reads these as the user's groups.
  std::vector<std::string> organizations = {};

  // The names and addresses of a server.
  std::vector<std::string> dns_names = {};
  std::vector<std::string> ip_addresses = {};

  // Whether servers and clients may use it. Default: both.
  bool server = true;
  bool client = true;

  // Relative to now. May be negative or in the future, for expired or not yet valid certificates.
  absl::Duration valid_from = -absl::Hours(1);
  absl::Duration valid_until = absl::Hours(24 * 365);
};

// A certificate and its key, both in PEM.
struct Certificate {
  std::string certificate = {};
  base::Secret key = {};
};

// An authority that creates itself and signs certificates, for as long as the process lives: for
// servers in tests, and for certificates that only this program must trust. Keys are P-256.
//
//   KUBE_ASSIGN_OR_RETURN(CertificateAuthority authority, CertificateAuthority::Make("test-ca"));
//   KUBE_ASSIGN_OR_RETURN(Certificate server, authority.Issue({.ip_addresses = {"127.0.0.1"}}));
//
// Uses the wall clock of the calling thread's Runtime. Immutable and thread-safe once made.
// Movable.
class CertificateAuthority {
 public:
  // Creates a key and a self-signed certificate, which takes some tenths of a millisecond. Returns
  // INVALID_ARGUMENT if the name is no UTF-8, and RESOURCE_EXHAUSTED if OpenSSL lacks memory or
  // randomness.
  static absl::StatusOr<CertificateAuthority> Make(absl::string_view common_name);

  CertificateAuthority(CertificateAuthority&&) noexcept;
  CertificateAuthority& operator=(CertificateAuthority&&) noexcept;
  ~CertificateAuthority();

  // Returns the certificate that clients must trust, in PEM.
  const std::string& certificate() const;

  // Creates a key and a certificate signed by this authority. Returns INVALID_ARGUMENT if a name or
  // address cannot be in a certificate, and RESOURCE_EXHAUSTED if OpenSSL lacks memory or
  // randomness.
  absl::StatusOr<Certificate> Issue(const CertificateOptions& options) const;

  // Signs a certificate for the key of a request in PEM, as a signer of CertificateSigningRequests
  // does, and returns it in PEM. The names and addresses are those of the request; those of
  // `options` are not used. Whether the requestor may have them is for the caller to decide.
  // Returns INVALID_ARGUMENT if the request cannot be parsed, if its signature is not that of its
  // key, or if one of its names cannot be in a certificate, and RESOURCE_EXHAUSTED as Issue does.
  absl::StatusOr<std::string> SignRequest(absl::string_view request,
                                          CertificateOptions options = {}) const;

 private:
  struct State;
  explicit CertificateAuthority(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace kube::certificates

#endif  // NET_CERTIFICATES_CERTIFICATE_AUTHORITY_H_
