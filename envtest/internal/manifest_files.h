#ifndef ENVTEST_INTERNAL_MANIFEST_FILES_H_
#define ENVTEST_INTERNAL_MANIFEST_FILES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

// Files with manifests, as tests name them. Functions return NOT_FOUND, with the path, if a file or
// directory does not exist. Thread-safe.
namespace kube::envtest::internal {

// Returns `path`, or if that is a directory its files *.json, *.yaml and *.yml in the order of
// their names, without subdirectories. A file need not exist.
//
// A relative path is one below the working directory or, if that has no such file, among the
// runfiles of the test: "folder/file.yaml" of the main repository, or "REPOSITORY/folder/file.yaml"
// of any. Bazel tests begin in the runfiles of the main repository.
absl::StatusOr<std::vector<std::string>> ManifestFiles(const std::string& path);

// Returns the content of a file.
absl::StatusOr<std::string> ReadManifestFile(const std::string& path);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_INTERNAL_MANIFEST_FILES_H_
