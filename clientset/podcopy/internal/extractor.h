#ifndef CLIENTSET_PODCOPY_INTERNAL_EXTRACTOR_H_
#define CLIENTSET_PODCOPY_INTERNAL_EXTRACTOR_H_

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "clientset/podcopy/internal/tar_entry.h"
#include "clientset/podcopy/internal/tar_reader.h"
#include "net/io/file_descriptor.h"

namespace kube::podcopy::internal {

struct ExtractorOptions {
  // The parts of a name that stand for the target itself: see EntryPrefix.
  std::vector<std::string> prefix = {};
  // The file or folder that the archive becomes.
  std::string target = {};
  // Creates symbolic links that stay within the target, instead of leaving out all of them.
  bool keep_symlinks = false;
  // Gives new files and folders the permissions of the archive, as far as the umask allows.
  bool keep_permissions = true;
  // Called for what is left out.
  std::function<void(absl::string_view warning)> warn = {};
};

// Writes the entries of an archive to the local file system, below one folder. Nothing in the
// archive makes it write anywhere else: it opens each folder on the way from the target by itself,
// and follows no symbolic link below the target, whether it was there before or came with the
// archive. The path of the target itself is the user's, and its links are followed.
//
// Files replace what has their name, unless that is a folder. Permissions lose the bits for setuid,
// setgid and sticky, and those that the umask takes away. Owners and times are not kept.
// Thread-compatible.
class Extractor final : public TarReader::Events {
 public:
  explicit Extractor(ExtractorOptions options);
  Extractor(const Extractor&) = delete;
  Extractor& operator=(const Extractor&) = delete;

  // Return DATA_LOSS if an entry is not below the prefix, and errors of the system, which name the
  // path.
  absl::Status OnEntry(const TarEntry& entry) override;
  absl::Status OnData(absl::string_view data) override;
  absl::Status OnEntryEnd() override;

  // The number of files, folders and links that were written.
  int64_t written() const { return written_; }

 private:
  // An open folder, and the name in it that an entry has.
  struct Place {
    io::FileDescriptor folder;
    std::string name;
  };

  // These handle the entry `parts` below the target, which is the target itself if there is no
  // part.
  absl::Status WriteFile(const TarEntry& entry, absl::Span<const std::string> parts);
  absl::Status WriteFolder(const TarEntry& entry, absl::Span<const std::string> parts);
  absl::Status WriteSymlink(const TarEntry& entry, absl::Span<const std::string> parts);
  absl::Status WriteHardLink(const TarEntry& entry, absl::Span<const std::string> parts);

  // Opens the folder in which an entry is, and makes it if it is missing.
  absl::StatusOr<Place> PlaceOf(absl::Span<const std::string> parts);
  // Opens a folder below the target, and makes it if it is missing, with these permissions (and the
  // umask) if they are set.
  absl::StatusOr<io::FileDescriptor> OpenFolder(absl::Span<const std::string> parts,
                                                std::optional<mode_t> permissions);
  // Opens the last of the parts, which is in `parent`.
  absl::StatusOr<io::FileDescriptor> OpenNext(const io::FileDescriptor& parent,
                                              absl::Span<const std::string> parts,
                                              std::optional<mode_t> permissions) const;
  absl::Status OpenTarget();
  // Returns the parts below the prefix. Returns DATA_LOSS for a name that does not have it.
  absl::StatusOr<std::vector<std::string>> Below(const std::vector<std::string>& parts) const;
  // Removes what is not a folder, so that the name is free.
  absl::Status Free(const Place& place, absl::Span<const std::string> parts) const;
  std::string QuotedPath(absl::Span<const std::string> parts) const;
  absl::Status SystemError(absl::string_view verb, absl::Span<const std::string> parts) const;
  void Warn(const std::string& text) const;

  const ExtractorOptions options_;
  io::FileDescriptor target_;  // the folder, once there is one
  io::FileDescriptor file_;    // that is being written
  std::vector<std::string> file_parts_;
  int64_t written_ = 0;
};

}  // namespace kube::podcopy::internal

#endif  // CLIENTSET_PODCOPY_INTERNAL_EXTRACTOR_H_
