#ifndef APISERVER_VALIDATION_ADMISSION_ENVIRONMENT_H_
#define APISERVER_VALIDATION_ADMISSION_ENVIRONMENT_H_

#include <memory>

#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/type.h"

// What the expressions of webhooks and admission policies can refer to (kube-apiserver:
// `pkg/admission/plugin/cel`). Pure and thread-safe.
namespace kube::apiserver::internal {

// Declares `object`, `oldObject`, `request` and `namespaceObject`. The environment also needs
// AdmissionTypes.
void AddAdmissionVariables(cel::Environment& environment);

// Returns the types of the request and its namespace. Never null.
const std::shared_ptr<const cel::TypeProvider>& AdmissionTypes();

}  // namespace kube::apiserver::internal

#endif  // APISERVER_VALIDATION_ADMISSION_ENVIRONMENT_H_
