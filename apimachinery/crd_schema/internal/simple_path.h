#ifndef APIMACHINERY_CRD_SCHEMA_INTERNAL_SIMPLE_PATH_H_
#define APIMACHINERY_CRD_SCHEMA_INTERNAL_SIMPLE_PATH_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/crd_schema/internal/node.h"

namespace kube::crd_schema::internal {

// The place in a schema that a path leads to.
struct FoundPath {
  const Node* node = nullptr;  // null inside additionalProperties without a schema
  std::string first;           // the first member of the path
  std::string text;            // the normalized path
};

// Resolves a path such as ".spec.color", or with `brackets` also ".spec['dotted.name']". Returns
// INVALID_ARGUMENT with upstream's message if the path is malformed, or if the schema has no such
// member (kube-apiserver: `cel.ValidFieldPath`).
absl::StatusOr<FoundPath> FindPath(absl::string_view path, const Node& schema, bool brackets);

}  // namespace kube::crd_schema::internal

#endif  // APIMACHINERY_CRD_SCHEMA_INTERNAL_SIMPLE_PATH_H_
