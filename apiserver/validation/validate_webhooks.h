#ifndef APISERVER_VALIDATION_VALIDATE_WEBHOOKS_H_
#define APISERVER_VALIDATION_VALIDATE_WEBHOOKS_H_

#include "apimachinery/validation/field_error.h"
#include "apiserver/object.h"

namespace kube::apiserver::internal {

// Validates the configurations of admission webhooks; objects of other kinds have no errors. `old`
// is null for a new one. An update may keep what an older server accepted (kube-apiserver:
// `pkg/apis/admissionregistration/validation`). Pure and thread-safe.
void CheckWebhooks(validation::field::ErrorList& wrong, const Object& object, const Object* old);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_VALIDATE_WEBHOOKS_H_
