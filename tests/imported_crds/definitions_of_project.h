#ifndef TESTS_IMPORTED_CRDS_DEFINITIONS_OF_PROJECT_H_
#define TESTS_IMPORTED_CRDS_DEFINITIONS_OF_PROJECT_H_

#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/types/kind_info.h"

namespace kube::imported {

// Definitions by name.
using Definitions = std::map<std::string, api::apiextensions::v1::CustomResourceDefinition>;

// Adds the definitions in a file of YAML documents; other objects are skipped. A definition whose
// name is there already is not added.
absl::Status AddDefinitions(const std::string& path, Definitions& definitions);

// Returns the definitions of a project of crd_projects.bzl, which must be in the test's data.
// Returns UNAVAILABLE if its module cannot be had: see oracle::PrintSkipped.
absl::StatusOr<Definitions> DefinitionsOfProject(const std::string& project);

// Returns the version of a definition that defines a kind, or null.
const api::apiextensions::v1::CustomResourceDefinitionVersion* FindVersion(
    const Definitions& definitions, const KindInfo& kind);

}  // namespace kube::imported

#endif  // TESTS_IMPORTED_CRDS_DEFINITIONS_OF_PROJECT_H_
