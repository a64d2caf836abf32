#ifndef APISERVER_CRD_SCHEMA_VALUE_VALIDATION_H_
#define APISERVER_CRD_SCHEMA_VALUE_VALIDATION_H_

#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/crd_schema/internal/node.h"
#include "apiserver/crd_schema/structural.h"

// Whether values are what their schema says, in the words of kube-openapi:
//   spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10
//
// Where upstream's order is that of a Go map, random, ours is by name; x-kubernetes-validations are
// not looked at. Pure functions: thread-safe.
namespace kube::crd_schema {

// (ValidateCustomResource)
[[nodiscard]] validation::field::ErrorList ValidateObject(const Structural& schema,
                                                          const Map<unstructured::Value>& object);

// An update: what is wrong with a part that is as it was is forgiven, except what the schema says
// below allOf and its neighbours. Elements of lists are the same ones only in lists of type map.
// (ValidateCustomResourceUpdate, with ratcheting, which is always on)
[[nodiscard]] validation::field::ErrorList ValidateObjectUpdate(
    const Structural& schema, const Map<unstructured::Value>& object,
    const Map<unstructured::Value>& old_object);

// The member `name` of an object alone, by the schema of that property; nothing where object or
// schema have none. What a server does with "status" at the subresource.
[[nodiscard]] validation::field::ErrorList ValidateMember(
    const Structural& schema, absl::string_view name, const Map<unstructured::Value>& object,
    const Map<unstructured::Value>& old_object);

namespace internal {

// A default of a schema: here int-or-string without a type has no type, and unknown formats count
// as formats. (ValidateCustomResource with Structural.ToKubeOpenAPI)
validation::field::ErrorList ValidateDefaultValue(const Node& node,
                                                  const validation::field::Path& path,
                                                  const unstructured::Value& value);

}  // namespace internal
}  // namespace kube::crd_schema

#endif  // APISERVER_CRD_SCHEMA_VALUE_VALIDATION_H_
