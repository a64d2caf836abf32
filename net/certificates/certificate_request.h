#ifndef NET_CERTIFICATES_CERTIFICATE_REQUEST_H_
#define NET_CERTIFICATES_CERTIFICATE_REQUEST_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"

// Keys, and requests that an authority sign a certificate for them (PKCS #10). All texts are PEM.
// Pure functions, but for MakePrivateKey, which takes randomness from OpenSSL: thread-safe. No
// message contains a part of a key.
namespace kube::certificates {

// The names for which a certificate is requested. (Go: `x509.CertificateRequest`)
struct RequestTemplate {
  // Kubernetes reads it as the user's name. At most 64 bytes.
  std::string common_name = {};
  // Kubernetes reads these as the user's groups.
  std::vector<std::string> organizations = {};
  // The names and addresses of a server.
  std::vector<std::string> dns_names = {};
  std::vector<std::string> ip_addresses = {};

  friend bool operator==(const RequestTemplate&, const RequestTemplate&) = default;
};

// Makes a key for ECDSA with the curve P-256. Returns RESOURCE_EXHAUSTED if OpenSSL lacks memory or
// randomness. (client-go: `keyutil.MakeEllipticPrivateKeyPEM`)
absl::StatusOr<base::Secret> MakePrivateKey();

// Returns the first key of a text that may have certificates too, as PKCS #8. Returns
// INVALID_ARGUMENT if there is no key, or one that is encrypted or malformed.
absl::StatusOr<base::Secret> PrivateKeyOf(const base::Secret& pem);

// Checks that a key is strong enough for a certificate: RSA with at least 2048 bits, an elliptic
// curve with at least 256. Returns INVALID_ARGUMENT if it is not, or cannot be parsed.
absl::Status CheckKeyStrength(const base::Secret& key);

// Returns whether a key is one of RSA; false if it cannot be parsed. Certificates of such keys need
// the usage "key encipherment".
bool IsRsaKey(const base::Secret& key);

// Makes a request for `names`, signed with `key`. Returns INVALID_ARGUMENT if a name cannot be in a
// certificate or the key cannot be parsed. (client-go: `cert.MakeCSRFromTemplate`)
//
//   KUBE_ASSIGN_OR_RETURN(const base::Secret key, MakePrivateKey());
//   KUBE_ASSIGN_OR_RETURN(const std::string request, MakeRequest({.common_name = "alice"}, key));
absl::StatusOr<std::string> MakeRequest(const RequestTemplate& names, const base::Secret& key);

// Returns the names of a request; addresses are written as NormalizedAddress does. Returns
// INVALID_ARGUMENT if the request cannot be parsed, or if its signature is not that of its key.
absl::StatusOr<RequestTemplate> ParseRequest(absl::string_view request);

// Checks that two requests have the same subject, and that `existing` is signed with `key`, so that
// a certificate for it is as good as one for `wanted`. Returns INVALID_ARGUMENT with the difference
// if not. (client-go: `csr.ensureCompatible`)
absl::Status CheckSameRequest(absl::string_view existing, absl::string_view wanted,
                              const base::Secret& key);

}  // namespace kube::certificates

#endif  // NET_CERTIFICATES_CERTIFICATE_REQUEST_H_
