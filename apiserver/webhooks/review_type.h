#ifndef APISERVER_WEBHOOKS_REVIEW_TYPE_H_
#define APISERVER_WEBHOOKS_REVIEW_TYPE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kube::apiserver::internal {

// The type of the reviews that a webhook gets and returns, such as admission.k8s.io/v1,
// AdmissionReview. There is such a type in v1 and in v1beta1.
struct ReviewType {
  absl::string_view group = {};
  absl::string_view version = {};
  absl::string_view kind = {};

  // Returns "admission.k8s.io/v1".
  std::string ApiVersion() const;
};

// Checks the type that the body of an answer states. A member that is missing is not an error.
// Returns INVALID_ARGUMENT with the words of upstream's decoder. Pure and thread-safe.
absl::Status CheckReviewType(const ReviewType& wanted, absl::string_view body);

// Returns "GROUP/VERSION, Kind=KIND", as Go prints a GroupVersionKind.
std::string GvkText(absl::string_view api_version, absl::string_view kind);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WEBHOOKS_REVIEW_TYPE_H_
