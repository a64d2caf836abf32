#ifndef APIMACHINERY_CRD_SCHEMA_VALUE_VALIDATION_H_
#define APIMACHINERY_CRD_SCHEMA_VALUE_VALIDATION_H_

#include "absl/strings/string_view.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// Validates values by a schema, with the errors of kube-openapi:
//   spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10
//
// Where upstream has the random order of a Go map, errors are sorted by name.
// x-kubernetes-validations are not evaluated. Pure and thread-safe.
namespace kube::crd_schema {

// Validates an object (apiextensions-apiserver: `ValidateCustomResource`).
[[nodiscard]] validation::field::ErrorList ValidateObject(const Structural& schema,
                                                          const Map<unstructured::Value>& object);

// Validates an update. Errors in unchanged parts are dropped, except those below allOf, anyOf,
// oneOf and not. Elements of lists are only compared in lists of type map (apiextensions-apiserver:
// `ValidateCustomResourceUpdate` with ratcheting, which is always on).
[[nodiscard]] validation::field::ErrorList ValidateObjectUpdate(
    const Structural& schema, const Map<unstructured::Value>& object,
    const Map<unstructured::Value>& old_object);

// Validates only the member `name` of an object, by the schema of that property. Returns no errors
// if the object or the schema does not have it. A server does this with "status" for the status
// subresource.
[[nodiscard]] validation::field::ErrorList ValidateMember(
    const Structural& schema, absl::string_view name, const Map<unstructured::Value>& object,
    const Map<unstructured::Value>& old_object);

namespace internal {

// Validates a default of a schema. Unlike for objects, int-or-string without a type has no type,
// and unknown formats count as formats (apiextensions-apiserver: `ValidateCustomResource` with
// `Structural.ToKubeOpenAPI`).
validation::field::ErrorList ValidateDefaultValue(const Node& node,
                                                  const validation::field::Path& path,
                                                  const unstructured::Value& value);

}  // namespace internal
}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_VALUE_VALIDATION_H_
