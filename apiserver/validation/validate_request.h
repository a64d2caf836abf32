#ifndef APISERVER_VALIDATION_VALIDATE_REQUEST_H_
#define APISERVER_VALIDATION_VALIDATE_REQUEST_H_

#include "absl/strings/string_view.h"
#include "api/certificates/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"

namespace kube::apiserver::internal {

// Validates the status of `now`, an update of `subresource` of `old`: "approval" changes the
// conditions that approve a request, "status" the certificate. The spec and the content of the
// certificate are not checked (kube-apiserver: `validateCertificateSigningRequestUpdate`). Pure and
// thread-safe.
void CheckRequestStatus(validation::field::ErrorList& wrong, absl::string_view subresource,
                        const api::certificates::v1::CertificateSigningRequest& now,
                        const api::certificates::v1::CertificateSigningRequest& old);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_REQUEST_H_
