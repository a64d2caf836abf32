#ifndef APISERVER_VALIDATION_VALIDATE_MUTATING_POLICIES_H_
#define APISERVER_VALIDATION_VALIDATE_MUTATING_POLICIES_H_

#include "apimachinery/validation/field_error.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

// Validates MutatingAdmissionPolicies and their bindings; objects of other kinds have no errors.
// `old` is null for a new one (kube-apiserver: `ValidateMutatingAdmissionPolicy` of
// `pkg/apis/admissionregistration/validation`). Pure and thread-safe.
void CheckMutatingPolicies(validation::field::ErrorList& wrong, const Object& object,
                           const Object* old);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_MUTATING_POLICIES_H_
