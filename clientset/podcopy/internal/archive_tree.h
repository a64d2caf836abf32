#ifndef CLIENTSET_PODCOPY_INTERNAL_ARCHIVE_TREE_H_
#define CLIENTSET_PODCOPY_INTERNAL_ARCHIVE_TREE_H_

#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kube::podcopy::internal {

// Takes the next bytes of an archive. An error ends the archiving.
using ArchiveSink = absl::FunctionRef<absl::Status(absl::string_view bytes)>;
using WarningSink = absl::FunctionRef<void(absl::string_view warning)>;

// Writes a tar archive of a local file or folder. `name` is that of the entry for `path`; for a
// folder it may be "", and then what is in the folder has no folder in the archive. Entries are in
// the order of their names. Folders have no entries of their own unless they are empty, as with
// kubectl, so that folders that exist where the archive is unpacked keep their permissions.
// Symbolic links are archived as links, also if `path` is one; pipes, sockets and devices are left
// out with a warning.
//
// Returns the errors of the system, which name the path; INVALID_ARGUMENT if a file would have no
// name; ABORTED if a file changes its size meanwhile; and the errors of `sink`. Calls `sink` with
// pieces of some 64 KiB.
absl::Status ArchiveTree(const std::string& path, const std::string& name, ArchiveSink sink,
                         WarningSink warn);

}  // namespace kube::podcopy::internal

#endif  // CLIENTSET_PODCOPY_INTERNAL_ARCHIVE_TREE_H_
