#ifndef CLIENTSET_CLIENTCMD_INTERNAL_GO_PATH_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_GO_PATH_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Go's path/filepath for Unix. std::filesystem normalizes differently ("a/" stays "a/"). The
// functions are pure, except AbsolutePath, which reads the working directory.
namespace kube::clientcmd::internal {

inline bool IsAbsolutePath(absl::string_view path) { return !path.empty() && path[0] == '/'; }

// Returns the shortest equivalent path; "." for an empty one. (Go: `filepath.Clean`)
std::string CleanPath(absl::string_view path);

// Joins two paths and cleans the result. Empty paths are ignored; if both are empty, the result is
// empty. (Go: `filepath.Join`)
std::string JoinPath(absl::string_view a, absl::string_view b);

// Returns everything before the last slash. (Go: `filepath.Dir`)
std::string DirectoryOf(absl::string_view path);

// Returns FAILED_PRECONDITION if the working directory is needed and cannot be found. (Go:
// `filepath.Abs`)
absl::StatusOr<std::string> AbsolutePath(absl::string_view path);

// Returns `path` relative to `base`. Returns INVALID_ARGUMENT if that is not possible, for example
// if only one of them is absolute. (Go: `filepath.Rel`)
absl::StatusOr<std::string> RelativePath(absl::string_view base, absl::string_view path);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_GO_PATH_H_
