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

// Whom a certificate is for.
struct CertificateOptions {
  // Kubernetes takes it for the user's name.
  std::string common_name = {};
  // And these for his groups.
  std::vector<std::string> organizations = {};

  // By which names and addresses clients reach a server.
  std::vector<std::string> dns_names = {};
  std::vector<std::string> ip_addresses = {};

  // Whether it is good for servers and for clients. Default: for both.
  bool server = true;
  bool client = true;

  // Counted from now; may be negative, for certificates that have expired or are not good yet.
  absl::Duration valid_from = -absl::Hours(1);
  absl::Duration valid_until = absl::Hours(24 * 365);
};

// Both in PEM.
struct Certificate {
  std::string certificate = {};
  base::Secret key = {};
};

// An authority that signs certificates, of its own making and for as long as the process lives: for
// servers in tests, and for certificates that nobody else needs to trust. Keys are of P-256.
//
//   KUBE_ASSIGN_OR_RETURN(auto authority, CertificateAuthority::Make("test-ca"));
//   KUBE_ASSIGN_OR_RETURN(auto server, authority.Issue({.ip_addresses = {"127.0.0.1"}}));
//
// The time is the calling thread's Runtime's. Thread-safe once made. Movable.
class CertificateAuthority {
 public:
  // Takes some tenths of a millisecond, for the key. RESOURCE_EXHAUSTED: no memory, no randomness.
  static absl::StatusOr<CertificateAuthority> Make(absl::string_view common_name);

  CertificateAuthority(CertificateAuthority&&) noexcept;
  CertificateAuthority& operator=(CertificateAuthority&&) noexcept;
  ~CertificateAuthority();

  // What clients have to trust. PEM.
  const std::string& certificate() const;

  // INVALID_ARGUMENT for an IP address that is none.
  absl::StatusOr<Certificate> Issue(const CertificateOptions& options) const;

 private:
  struct State;
  explicit CertificateAuthority(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace kube::certificates

#endif  // NET_CERTIFICATES_CERTIFICATE_AUTHORITY_H_
