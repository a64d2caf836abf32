#ifndef NET_CERTIFICATES_CERTIFICATE_EXPIRY_H_
#define NET_CERTIFICATES_CERTIFICATE_EXPIRY_H_

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kube::certificates {

// Returns when the first certificate of a text in PEM expires. Returns INVALID_ARGUMENT if the text
// has no certificate, or one that cannot be parsed; the message has no part of it. Pure,
// thread-safe.
// (Go: `x509.Certificate.NotAfter`)
absl::StatusOr<absl::Time> NotAfter(absl::string_view pem);

}  // namespace kube::certificates

#endif  // NET_CERTIFICATES_CERTIFICATE_EXPIRY_H_
