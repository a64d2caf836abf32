#ifndef CODEGEN_CRD_IMPORT_INTERNAL_READ_DEFINITIONS_H_
#define CODEGEN_CRD_IMPORT_INTERNAL_READ_DEFINITIONS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apiextensions/v1/types.kube.h"

namespace kube::codegen::internal {

// Returns the CustomResourceDefinitions in a file of YAML documents or of JSON, also those in a
// List, with their defaults. Objects of other kinds are skipped, and so are labels and annotations
// with Helm's templates in them. A definition is checked as an API server checks it before it
// stores it.
//
// Returns INVALID_ARGUMENT with the line, or with the definition and the path in it, if something
// is not YAML, not of apiextensions.k8s.io/v1, or would be refused by an API server. Returns
// RESOURCE_EXHAUSTED if the text is larger than 64 MiB. Pure and thread-safe.
absl::StatusOr<std::vector<api::apiextensions::v1::CustomResourceDefinition>> ReadDefinitions(
    absl::string_view text);

}  // namespace kube::codegen::internal

#endif  // CODEGEN_CRD_IMPORT_INTERNAL_READ_DEFINITIONS_H_
