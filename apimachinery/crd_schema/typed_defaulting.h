#ifndef APIMACHINERY_CRD_SCHEMA_TYPED_DEFAULTING_H_
#define APIMACHINERY_CRD_SCHEMA_TYPED_DEFAULTING_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/crd_schema/custom_resource.h"
#include "apimachinery/crd_schema/defaulting.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"

namespace kube::crd_schema {

// Returns `object` with the defaults of its kind's schema, as an API server would store it: for
// defaulting webhooks, for unit tests of code that relies on the defaults, and before comparing an
// object with a stored one. (client-go programs register generated functions with a scheme:
// `scheme.Default`; apiextensions-apiserver: `defaulting.Default`)
//
//   KUBE_ASSIGN_OR_RETURN(const auto rules, CustomResource::Make(definition, "v1"));
//   return WithDefaults(*rules, setting);
//
// `rules` must be those of the version of T; a version without a schema has no defaults. As in a
// request, a member that JSON leaves out because it has its zero value gets its default; declare it
// `optional` in the IDL where zero must be told from "not set". Returns INVALID_ARGUMENT if the
// object cannot be encoded, or if a default does not fit into T. Thread-safe.
template <ApiStruct T>
absl::StatusOr<T> WithDefaults(const CustomResource& rules, const T& object) {
  if (rules.schema() == nullptr) return object;
  absl::StatusOr<unstructured::Value> value = unstructured::ToValue(object);
  if (!value.ok()) return value.status();
  Map<unstructured::Value>* const members = value->object();
  if (members == nullptr) return absl::InvalidArgumentError("set defaults: not an object");
  Default(*rules.schema(), *members);
  return unstructured::FromValue<T>(*value);
}

}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_TYPED_DEFAULTING_H_
