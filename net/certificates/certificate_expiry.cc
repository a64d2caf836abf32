#include "net/certificates/certificate_expiry.h"

#include <openssl/x509.h>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"
#include "net/certificates/internal/x509.h"

namespace kube::certificates {

absl::StatusOr<absl::Time> NotAfter(absl::string_view pem) {
  KUBE_ASSIGN_OR_RETURN(const internal::UniqueCertificate certificate,
                        internal::ReadCertificate(pem));
  const absl::Time end = internal::ToTime(X509_get0_notAfter(certificate.get()));
  if (end == absl::InfinitePast()) return absl::InvalidArgumentError("failed to parse certificate");
  return end;
}

}  // namespace kube::certificates
