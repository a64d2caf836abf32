#ifndef CONTROLLER_MANIFESTS_INTERNAL_DEFINITIONS_H_
#define CONTROLLER_MANIFESTS_INTERNAL_DEFINITIONS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/value.h"
#include "controller/manifests/internal/objects.h"

// The definitions of a program's own kinds, and what is made of them.
namespace kube::manifests::internal {

// A CustomResourceDefinition, and what is read of it.
struct Definition {
  Object object = {};
  std::string group = {};
  std::string plural = {};
  std::string kind = {};
};

// Parses the documents of a YAML text, each a CustomResourceDefinition of apiextensions.k8s.io/v1,
// sorts them by name and removes what only servers write. Returns INVALID_ARGUMENT with the line of
// the document if one is malformed or of another kind, or if two have one name.
absl::StatusOr<std::vector<Definition>> ParseDefinitions(absl::string_view yaml);

// Returns for each definition the roles of those who may do everything with its objects, who may
// write them, and who may read them. None of them is bound to anybody.
PlacedObjects UserRoles(const Names& names, const std::vector<Definition>& definitions);

// Returns an object of the kind, in the version that is stored, with those members that the schema
// requires or has defaults for.
Object SampleOf(const Definition& definition);

}  // namespace kube::manifests::internal

#endif  // CONTROLLER_MANIFESTS_INTERNAL_DEFINITIONS_H_
