#ifndef APISERVER_CRD_SCHEMA_DEFAULT_VALIDATION_H_
#define APISERVER_CRD_SCHEMA_DEFAULT_VALIDATION_H_

#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/crd_schema/structural.h"

namespace kube::crd_schema {

// That the defaults in the schema of a resource, which is structural, are valid by it, and with
// `require_pruned` name nothing that it does not. x-kubernetes-validations are not looked at.
// Pure: thread-safe. (defaulting.ValidateDefaults)
[[nodiscard]] validation::field::ErrorList ValidateDefaults(const Structural& schema,
                                                            bool require_pruned,
                                                            const validation::field::Path& path);

}  // namespace kube::crd_schema

#endif  // APISERVER_CRD_SCHEMA_DEFAULT_VALIDATION_H_
