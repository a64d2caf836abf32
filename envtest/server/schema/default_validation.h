#ifndef ENVTEST_SERVER_SCHEMA_DEFAULT_VALIDATION_H_
#define ENVTEST_SERVER_SCHEMA_DEFAULT_VALIDATION_H_

#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "envtest/server/schema/structural.h"

namespace kube::envtest::crd_schema {

// That the defaults in the schema of a resource, which is structural, are valid by it, and with
// `require_pruned` name nothing that it does not. x-kubernetes-validations are not looked at.
// Pure: thread-safe. (defaulting.ValidateDefaults)
[[nodiscard]] validation::field::ErrorList ValidateDefaults(const Structural& schema,
                                                            bool require_pruned,
                                                            const validation::field::Path& path);

}  // namespace kube::envtest::crd_schema

#endif  // ENVTEST_SERVER_SCHEMA_DEFAULT_VALIDATION_H_
