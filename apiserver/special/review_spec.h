#ifndef APISERVER_SPECIAL_REVIEW_SPEC_H_
#define APISERVER_SPECIAL_REVIEW_SPEC_H_

#include <string>

#include "api/authorization/v1/types.kube.h"
#include "apimachinery/validation/field_error.h"

// What is wrong in the spec of an access review (kube-apiserver:
// `pkg/apis/authorization/validation` and `pkg/registry/authorization/util`). Pure and thread-safe.
namespace kube::apiserver::internal {

// Validate an object of each kind. The metadata of a LocalSubjectAccessReview must have the
// namespace of the request already.
validation::field::ErrorList ValidateReview(const api::authorization::v1::SubjectAccessReview& of);
validation::field::ErrorList ValidateReview(
    const api::authorization::v1::SelfSubjectAccessReview& of);
validation::field::ErrorList ValidateReview(
    const api::authorization::v1::LocalSubjectAccessReview& of);

// Returns which selectors in the attributes of a review are ignored, or "".
std::string EvaluationError(const api::authorization::v1::ResourceAttributes& attributes);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_SPECIAL_REVIEW_SPEC_H_
