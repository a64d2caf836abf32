#ifndef APIMACHINERY_CRD_SCHEMA_DEFAULT_VALIDATION_H_
#define APIMACHINERY_CRD_SCHEMA_DEFAULT_VALIDATION_H_

#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

namespace kube::crd_schema {

// Checks that the defaults in the structural schema of a resource are valid by it, including
// x-kubernetes-validations, and, with `require_pruned`, that they contain no unknown fields
// (apiextensions-apiserver: `defaulting.ValidateDefaults`). Pure and thread-safe.
[[nodiscard]] validation::field::ErrorList ValidateDefaults(const Structural& schema,
                                                            bool require_pruned,
                                                            const validation::field::Path& path);

}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_DEFAULT_VALIDATION_H_
