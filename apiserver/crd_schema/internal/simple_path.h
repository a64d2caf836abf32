#ifndef APISERVER_CRD_SCHEMA_INTERNAL_SIMPLE_PATH_H_
#define APISERVER_CRD_SCHEMA_INTERNAL_SIMPLE_PATH_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apiserver/crd_schema/internal/node.h"

namespace kube::crd_schema::internal {

// Where a path of members leads in a schema.
struct FoundPath {
  const Node* node = nullptr;  // null: into additionalProperties without a schema
  std::string first;           // the first member
  std::string text;            // normalised
};

// A path such as ".spec.color", or with `brackets` also ".spec['dotted.name']". INVALID_ARGUMENT in
// upstream's words where it is none, or the schema has no such member. (cel.ValidFieldPath)
absl::StatusOr<FoundPath> FindPath(absl::string_view path, const Node& schema, bool brackets);

}  // namespace kube::crd_schema::internal

#endif  // APISERVER_CRD_SCHEMA_INTERNAL_SIMPLE_PATH_H_
