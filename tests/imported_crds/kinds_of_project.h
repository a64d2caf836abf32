#ifndef TESTS_IMPORTED_CRDS_KINDS_OF_PROJECT_H_
#define TESTS_IMPORTED_CRDS_KINDS_OF_PROJECT_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "apimachinery/types/kind_info.h"

// What projects.bzl writes for each project.

namespace kube::imported {

// Returns the name in crd_projects.bzl: "cert_manager".
std::string NameOfProject();

// Returns the kinds of each group and version that is imported.
std::vector<absl::Span<const KindInfo>> KindsOfProject();

}  // namespace kube::imported

#endif  // TESTS_IMPORTED_CRDS_KINDS_OF_PROJECT_H_
