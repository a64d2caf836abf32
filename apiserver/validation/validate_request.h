#ifndef APISERVER_VALIDATION_VALIDATE_REQUEST_H_
#define APISERVER_VALIDATION_VALIDATE_REQUEST_H_

#include "absl/strings/string_view.h"
#include "api/certificates/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"

namespace kube::apiserver::internal {

// What is wrong with the status of `now`, an update of `subresource` of `old`: "approval" says
// whether a request is approved, "status" has the certificate, and neither does the other's part.
// What is asked for, and the certificate itself, are not looked at. Pure: thread-safe.
// (validateCertificateSigningRequestUpdate)
void CheckRequestStatus(validation::field::ErrorList& wrong, absl::string_view subresource,
                        const api::certificates::v1::CertificateSigningRequest& now,
                        const api::certificates::v1::CertificateSigningRequest& old);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_REQUEST_H_
