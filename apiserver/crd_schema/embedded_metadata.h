#ifndef APISERVER_CRD_SCHEMA_EMBEDDED_METADATA_H_
#define APISERVER_CRD_SCHEMA_EMBEDDED_METADATA_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/validation/field_error.h"
#include "apimachinery/validation/field_path.h"
#include "apiserver/crd_schema/internal/node.h"
#include "apiserver/crd_schema/structural.h"

// apiVersion, kind and metadata where a schema says x-kubernetes-embedded-resource: they have the
// types that they have everywhere, whatever the schema says. (schema/objectmeta) Pure functions:
// thread-safe as far as the object is the caller's.
namespace kube::crd_schema {

struct CoerceOptions {
  // Drop what is of another type, instead of an error: for objects from storage.
  bool drop_invalid = false;
  // Tell of members that metadata does not have.
  bool report_unknown = false;
};

struct Metadata {
  api::meta::v1::ObjectMeta value;
  // "metadata.foo", sorted.
  std::vector<std::string> unknown;
};

// The metadata of an object, which is at `path`; INVALID_ARGUMENT, in the words of this library's
// decoder, where it is none. Nullopt: there is none. (GetObjectMetaWithOptions)
absl::StatusOr<std::optional<Metadata>> GetObjectMeta(const Map<unstructured::Value>& object,
                                                      const validation::field::Path& path,
                                                      const CoerceOptions& options = {});

struct Coerced {
  // Of several, the one with the first path. The object may have been changed in part.
  std::optional<validation::field::Error> error;
  std::vector<std::string> unknown;
};

// Checks the types of embedded apiVersion, kind and metadata, and removes what metadata does not
// have. The object's own are not looked at. (CoerceWithOptions)
Coerced CoerceEmbedded(const Structural& schema, Map<unstructured::Value>& object,
                       const CoerceOptions& options = {});

// That embedded resources have an apiVersion and a kind, and metadata as every object's.
// (objectmeta.Validate)
[[nodiscard]] validation::field::ErrorList ValidateEmbedded(const Structural& schema,
                                                            const Map<unstructured::Value>& object);

namespace internal {

// The same of any value, which is a resource itself or not, at `path`.
std::optional<validation::field::Error> CoerceValue(const Node& node, bool is_resource_root,
                                                    const validation::field::Path& path,
                                                    unstructured::Value& value);
validation::field::ErrorList ValidateMetadataOf(const Node& node, bool is_resource_root,
                                                const validation::field::Path& path,
                                                const unstructured::Value& value);

}  // namespace internal
}  // namespace kube::crd_schema

#endif  // APISERVER_CRD_SCHEMA_EMBEDDED_METADATA_H_
