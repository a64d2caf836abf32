#ifndef APISERVER_WEBHOOKS_CONVERSION_REVIEW_H_
#define APISERVER_WEBHOOKS_CONVERSION_REVIEW_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/custom_converter.h"

// The ConversionReviews that are sent to the webhook of a CustomResourceDefinition and come back
// (apiextensions-apiserver: `webhook_converter.go`). Errors have upstream's texts. Pure and
// thread-safe.
namespace kube::apiserver::internal {

// What is asked of a webhook, and what its answer must fit to.
struct AskedConversion {
  std::string version = {};  // of the review: "v1" or "v1beta1", which have the same members
  std::string uid = {};
  std::string api_version = {};  // the wanted one, such as "example.com/v2"
};

// Returns the first of the definition's conversionReviewVersions that this server knows. Returns
// INVALID_ARGUMENT if it knows none.
absl::StatusOr<std::string> ReviewVersionOf(const std::vector<std::string>& versions);

// Returns the JSON of a review. Returns INVALID_ARGUMENT if an object is not JSON.
absl::StatusOr<std::string> EncodeConversionReview(
    const AskedConversion& asked, const std::vector<unstructured::Unstructured>& objects);

// Returns the objects in the body of an answer. Returns INVALID_ARGUMENT if it cannot be used, or
// says that the conversion has failed: with the message of its result.
absl::StatusOr<List<unstructured::Value>> ReadConversionReview(const AskedConversion& asked,
                                                               absl::string_view body);

// Checks the objects of an answer, and gives them the metadata of the originals except for labels
// and annotations, which a webhook may change. The error names what was converted, `subject`.
absl::StatusOr<std::vector<unstructured::Unstructured>> CheckConverted(
    const AskedConversion& asked, const ConversionSubject& subject,
    const std::vector<unstructured::Unstructured>& originals, List<unstructured::Value> converted);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WEBHOOKS_CONVERSION_REVIEW_H_
