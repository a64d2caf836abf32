#ifndef APISERVER_OPENAPI_CUSTOM_SCHEMA_H_
#define APISERVER_OPENAPI_CUSTOM_SCHEMA_H_

#include <string>

#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/custom_kind.h"

// The schemas of custom resources in OpenAPI documents, made of those of their definitions
// (apiextensions-apiserver: `builder.buildKubeNative`). All of them refer to other definitions as
// documents of version 3 do. Pure and thread-safe.
namespace kube::apiserver::internal {

// The OpenAPI version that a schema must make sense in. Version 2 has no null, no anyOf and the
// like, and its readers refuse unknown fields of an object with properties.
enum class SpecVersion { kV2, kV3 };

// Returns the name of a custom kind's definition, such as "com.example.stable.v1.CronTab".
std::string CustomDefinitionName(const KindInfo& kind);

// Returns the schema of the objects: the definition's own with apiVersion, kind and metadata, also
// those of embedded resources. If the definition has no structural schema, that of any object.
Map<unstructured::Value> SchemaOfKind(const CustomKind& kind, SpecVersion version);

// Returns the schema of lists of the objects.
Map<unstructured::Value> SchemaOfList(const CustomKind& kind);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_OPENAPI_CUSTOM_SCHEMA_H_
