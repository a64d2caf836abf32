#ifndef CLIENTSET_CERTIFICATE_INTERNAL_ROTATION_H_
#define CLIENTSET_CERTIFICATE_INTERNAL_ROTATION_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "net/certificates/certificate_details.h"
#include "net/certificates/certificate_request.h"

// When a certificate has to be replaced. Thread-safe.
namespace kube::certificate::internal {

// Returns a random moment between 70 and 90 percent of the lifetime, so that programs which were
// started together do not renew their certificates together for ever. The randomness is that of the
// calling thread's Runtime. (client-go: `jitteryDuration`)
absl::Time RotationDeadline(const certificates::CertificateDetails& certificate);

// Returns OK if the certificate has the common name and at least the organizations, DNS names and
// addresses of `wanted`, or FAILED_PRECONDITION with what is missing. (client-go:
// `certSatisfiesTemplate`)
absl::Status CheckSatisfies(const certificates::CertificateDetails& certificate,
                            const certificates::RequestTemplate& wanted);

}  // namespace kube::certificate::internal

#endif  // CLIENTSET_CERTIFICATE_INTERNAL_ROTATION_H_
