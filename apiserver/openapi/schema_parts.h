#ifndef APISERVER_OPENAPI_SCHEMA_PARTS_H_
#define APISERVER_OPENAPI_SCHEMA_PARTS_H_

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"

// References between the parts of an OpenAPI v3 document, and the parts that schemas of built-in
// and of custom kinds have in common. Pure and thread-safe.
namespace kube::apiserver::internal {

// How schemas describe the fields that all kinds have.
inline constexpr absl::string_view kApiVersionDescription =
    "The group and version that define the kind, such as apps/v1.";
inline constexpr absl::string_view kKindDescription = "The kind of the object, such as Deployment.";
inline constexpr absl::string_view kMetadataDescription =
    "The name, labels and other metadata that all objects have.";

// Where a document of OpenAPI v3 has its definitions.
inline constexpr absl::string_view kDefinitionsV3 = "#/components/schemas/";

// Returns {"$ref": "#/components/schemas/NAME"}.
Map<unstructured::Value> ReferenceTo(absl::string_view name);

// Returns a schema that refers to a definition: the reference alone if `schema` is empty, and
// otherwise `schema` with the reference as its allOf, because a $ref has no siblings in OpenAPI 3.0
// (kube-openapi: `builderutil.WrapRefs`).
Map<unstructured::Value> WithReference(Map<unstructured::Value> schema, absl::string_view name);

// Calls `visit` for each schema that is a part of a schema: those of items, properties and values.
void ForEachPart(Map<unstructured::Value>& schema,
                 absl::FunctionRef<void(Map<unstructured::Value>&)> visit);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_OPENAPI_SCHEMA_PARTS_H_
