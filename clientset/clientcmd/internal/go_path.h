#ifndef CLIENTSET_CLIENTCMD_INTERNAL_GO_PATH_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_GO_PATH_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// Go's path/filepath on Unix: pure text, but for AbsolutePath, which asks for the working
// directory. std::filesystem normalises otherwise ("a/" stays "a/").
namespace kube::clientcmd::internal {

inline bool IsAbsolutePath(absl::string_view path) { return !path.empty() && path[0] == '/'; }

// The shortest path that means the same; "." for nothing. (Clean)
std::string CleanPath(absl::string_view path);

// (Join) of two: empty ones are left out, and nothing remains of nothing.
std::string JoinPath(absl::string_view a, absl::string_view b);

// All before the last slash. (Dir)
std::string DirectoryOf(absl::string_view path);

// (Abs)
absl::StatusOr<std::string> AbsolutePath(absl::string_view path);

// `path` as seen from `base`. (Rel) INVALID_ARGUMENT where one of the two is relative.
absl::StatusOr<std::string> RelativePath(absl::string_view base, absl::string_view path);

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_GO_PATH_H_
