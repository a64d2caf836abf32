#ifndef CLIENTSET_REST_INTERNAL_CREDENTIALS_PEM_H_
#define CLIENTSET_REST_INTERNAL_CREDENTIALS_PEM_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

// Certificates and keys as texts, looked at before they are used, so that a wrong one is found
// where its file's name is known. No message has a part of them.
namespace kube::rest::internal {

// The certificates of a bundle that can be read; what else is in it is left out, as comments, keys
// and certificates of unknown make. INVALID_ARGUMENT: there is none. (CertPool.AppendCertsFromPEM)
absl::StatusOr<std::string> CertificatesOf(absl::string_view pem);

// When a certificate is good.
struct Validity {
  absl::Time not_before = {};
  absl::Time not_after = {};
};

// Whether these can be shown to a server: a certificate, with others behind it perhaps, and the
// first one's key. INVALID_ARGUMENT says what is wrong. (tls.X509KeyPair)
absl::StatusOr<Validity> CheckKeyPair(absl::string_view certificate_pem, absl::string_view key_pem);

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_CREDENTIALS_PEM_H_
