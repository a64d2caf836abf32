#ifndef NET_IO_PEM_H_
#define NET_IO_PEM_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

// Checks certificates and keys in PEM before they are used, so that an error is found where the
// name of the file is known. No message contains a part of them. Pure functions: thread-safe.
namespace kube::io {

// Returns the certificates of a bundle that can be parsed. Everything else (comments, keys,
// malformed certificates) is left out. Returns INVALID_ARGUMENT if no certificate is left. (Go:
// `CertPool.AppendCertsFromPEM`)
absl::StatusOr<std::string> CertificatesOf(absl::string_view pem);

// The period in which a certificate is valid.
struct Validity {
  absl::Time not_before = {};
  absl::Time not_after = {};
};

// Checks that the key belongs to the first certificate; intermediates may follow it. Returns the
// validity of that certificate, or INVALID_ARGUMENT with the reason. (Go: `tls.X509KeyPair`)
absl::StatusOr<Validity> CheckKeyPair(absl::string_view certificate_pem, absl::string_view key_pem);

}  // namespace kube::io

#endif  // NET_IO_PEM_H_
