#ifndef CLIENTSET_PODCOPY_INTERNAL_PATH_PARTS_H_
#define CLIENTSET_PODCOPY_INTERNAL_PATH_PARTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

// Paths of Unix as text; nothing asks a file system. Pure functions: thread-safe.
namespace kube::podcopy::internal {

// A path without empty parts, without ".", and with ".." only at its beginning, where it leads out
// of the folder that a relative path begins in. (Go: `path.Clean`)
struct CleanPath {
  bool absolute = false;
  std::vector<std::string> parts = {};

  // "/a/b", "a/b", "..", "/" or ".".
  std::string ToString() const;
  // Returns whether the path ends in a name, unlike "/", "." and "../..".
  bool has_name() const { return !parts.empty() && parts.back() != ".."; }

  friend bool operator==(const CleanPath&, const CleanPath&) = default;
};

CleanPath ParsePath(absl::string_view path);

// Returns the parts of the name of an archive's entry, without a slash at its beginning. Returns
// nullopt if it contains "..".
std::optional<std::vector<std::string>> EntryParts(absl::string_view name);

// Returns the parts that the names of the entries have in common if tar archives `path`: programs
// leave out what leads to the root and out of the working folder.
std::vector<std::string> EntryPrefix(absl::string_view path);

// Returns whether the target of a symbolic link stays within the tree if the link is in a folder
// `depth` levels below its root: the target is relative, begins with ".." at most `depth` times,
// and has no other "..". A name that follows may be a link itself, which then stays within the
// tree, too.
bool StaysInside(absl::string_view link_target, size_t depth);

// Returns "a/b".
std::string JoinParts(absl::Span<const std::string> parts);

}  // namespace kube::podcopy::internal

#endif  // CLIENTSET_PODCOPY_INTERNAL_PATH_PARTS_H_
