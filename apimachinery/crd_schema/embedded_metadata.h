#ifndef APIMACHINERY_CRD_SCHEMA_EMBEDDED_METADATA_H_
#define APIMACHINERY_CRD_SCHEMA_EMBEDDED_METADATA_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/crd_schema/internal/node.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"

// apiVersion, kind and metadata of embedded resources, which a schema marks with
// x-kubernetes-embedded-resource. They have their usual types, whatever the schema says
// (apiextensions-apiserver: `schema/objectmeta`). Pure; thread-safe for different objects.
namespace kube::crd_schema {

struct CoerceOptions {
  // Drop members of a wrong type instead of returning an error, for objects from storage.
  bool drop_invalid = false;
  // Report members that ObjectMeta does not have.
  bool report_unknown = false;
};

struct Metadata {
  api::meta::v1::ObjectMeta value;
  // Paths such as "metadata.foo", sorted.
  std::vector<std::string> unknown;
};

// Decodes the metadata of an object at `path`. Returns nullopt if it has none, and INVALID_ARGUMENT
// with the message of the decoder if it is malformed (apiextensions-apiserver:
// `GetObjectMetaWithOptions`).
absl::StatusOr<std::optional<Metadata>> GetObjectMeta(const Map<unstructured::Value>& object,
                                                      const validation::field::Path& path,
                                                      const CoerceOptions& options = {});

struct Coerced {
  // The first error by path. The object may already have been changed in part.
  std::optional<validation::field::Error> error;
  std::vector<std::string> unknown;
};

// Checks the types of apiVersion, kind and metadata of embedded resources, and removes unknown
// members of metadata. Does not look at those of the object itself (apiextensions-apiserver:
// `CoerceWithOptions`).
Coerced CoerceEmbedded(const Structural& schema, Map<unstructured::Value>& object,
                       const CoerceOptions& options = {});

// Checks that embedded resources have an apiVersion, a kind and valid metadata
// (apiextensions-apiserver: `objectmeta.Validate`).
[[nodiscard]] validation::field::ErrorList ValidateEmbedded(const Structural& schema,
                                                            const Map<unstructured::Value>& object);

namespace internal {

// Do the same for any value at `path`. `is_resource_root` says whether the value is a resource
// itself.
std::optional<validation::field::Error> CoerceValue(const Node& node, bool is_resource_root,
                                                    const validation::field::Path& path,
                                                    unstructured::Value& value);
validation::field::ErrorList ValidateMetadataOf(const Node& node, bool is_resource_root,
                                                const validation::field::Path& path,
                                                const unstructured::Value& value);

}  // namespace internal
}  // namespace kube::crd_schema

#endif  // APIMACHINERY_CRD_SCHEMA_EMBEDDED_METADATA_H_
