#ifndef APISERVER_WEBHOOKS_ADMISSION_REVIEW_H_
#define APISERVER_WEBHOOKS_ADMISSION_REVIEW_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admission/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/box.h"

// The AdmissionReviews that are sent to webhooks and come back (kube-apiserver:
// `pkg/admission/plugin/webhook/request`, `errors`). Pure and thread-safe.
namespace kube::apiserver::internal {

// Returns the JSON of a review that asks about a request. `version` is "v1" or "v1beta1", which
// have the same members. Returns INVALID_ARGUMENT if the objects in the request are not JSON.
absl::StatusOr<std::string> EncodeReview(absl::string_view version,
                                         const api::admission::v1::AdmissionRequest& request);

// What an answer must fit to.
struct AskedReview {
  std::string version = {};
  std::string uid = {};
  bool mutating = false;
};

// Returns the response in the body of an answer. Returns INVALID_ARGUMENT with upstream's text,
// such as "received invalid webhook response: webhook response was absent", if it cannot be used.
absl::StatusOr<api::admission::v1::AdmissionResponse> ReadReview(const AskedReview& asked,
                                                                 absl::string_view body);

// Returns the error for the client of a request that a webhook has refused: what the webhook says,
// with a code of at least 400 and the webhook's name in the message.
absl::Status Refusal(absl::string_view webhook, const Box<api::meta::v1::Status>& result);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WEBHOOKS_ADMISSION_REVIEW_H_
