#ifndef CLIENTSET_CERTIFICATE_KEY_PAIR_H_
#define CLIENTSET_CERTIFICATE_KEY_PAIR_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/secret.h"
#include "clientset/rest/config.h"
#include "net/certificates/certificate_details.h"

namespace kube::certificate {

// A certificate with its key, and what the certificate says. (Go: `tls.Certificate`)
struct KeyPair {
  // The certificate, followed by intermediate ones, and the key, all in PEM.
  rest::ClientKeyPair pem = {};
  // Those of the certificate.
  certificates::CertificateDetails details = {};
};

// Checks that the key belongs to the first certificate of `certificate`. Both texts may have other
// blocks, which are left out, so both may be the content of one file. Returns INVALID_ARGUMENT with
// the cause if the pair cannot be used; it has no part of the key. Pure, thread-safe. (Go:
// `tls.X509KeyPair`)
absl::StatusOr<std::shared_ptr<const KeyPair>> MakeKeyPair(absl::string_view certificate,
                                                           const base::Secret& key);

}  // namespace kube::certificate

#endif  // CLIENTSET_CERTIFICATE_KEY_PAIR_H_
