#include "clientset/podcopy/internal/extractor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "clientset/podcopy/internal/path_parts.h"
#include "clientset/podcopy/internal/tar_entry.h"
#include "net/io/file_descriptor.h"

// An archive may contain a link and then files "below" it, names with "..", and absolute names; the
// target may contain links before. Therefore no path with more than one part is ever given to the
// system below the target: each folder is opened from the one above it with O_NOFOLLOW, and the
// entry is created in the last one with O_EXCL.
//
// Names of the archive are quoted in messages, because they may contain what terminals take for
// orders.
namespace kube::podcopy::internal {
namespace {

constexpr mode_t kPermissions = 0777;
// Folders that the archive does not describe, as in kubectl.
constexpr mode_t kFolderPermissions = 0755;
constexpr int kOpenFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

// Makes the folders of a path of the user's, whose links are followed.
absl::Status MakeFolders(const CleanPath& path) {
  CleanPath made = {.absolute = path.absolute};
  for (const std::string& part : path.parts) {
    made.parts.push_back(part);
    if (part == "..") continue;
    if (::mkdir(made.ToString().c_str(), kFolderPermissions) != 0 && errno != EEXIST) {
      return absl::ErrnoToStatus(errno, absl::StrCat("make folder \"", made.ToString(), "\""));
    }
  }
  return absl::OkStatus();
}

}  // namespace

Extractor::Extractor(ExtractorOptions options) : options_(std::move(options)) {}

absl::Status Extractor::OnEntry(const TarEntry& entry) {
  const std::optional<std::vector<std::string>> parts = EntryParts(entry.name);
  if (!parts.has_value()) {
    Warn(absl::StrCat("file ", text::Quoted(entry.name),
                      " is outside target destination, skipping"));
    return absl::OkStatus();
  }
  KUBE_ASSIGN_OR_RETURN(const std::vector<std::string> below, Below(*parts));
  switch (entry.type) {
    case TarType::kFile:
      return WriteFile(entry, below);
    case TarType::kFolder:
      return WriteFolder(entry, below);
    case TarType::kSymlink:
      return WriteSymlink(entry, below);
    case TarType::kHardLink:
      return WriteHardLink(entry, below);
    case TarType::kOther:
      break;
  }
  Warn(absl::StrCat("skipping ", QuotedPath(below), ": not a file, folder or link"));
  return absl::OkStatus();
}

absl::Status Extractor::OnData(absl::string_view data) {
  if (!file_.is_open()) return absl::OkStatus();  // the entry is left out
  while (!data.empty()) {
    const ssize_t size = ::write(file_.get(), data.data(), data.size());
    if (size >= 0) {
      data.remove_prefix(static_cast<size_t>(size));
    } else if (errno != EINTR) {
      return SystemError("write", file_parts_);
    }
  }
  return absl::OkStatus();
}

absl::Status Extractor::OnEntryEnd() {
  if (!file_.is_open()) return absl::OkStatus();
  const io::FileDescriptor file = std::exchange(file_, io::FileDescriptor());
  // A network file system tells what it could not write when any descriptor of the file is closed.
  const int copy = ::fcntl(file.get(), F_DUPFD_CLOEXEC, 0);
  if (copy >= 0 && ::close(copy) != 0) return SystemError("write", file_parts_);
  ++written_;
  return absl::OkStatus();
}

absl::Status Extractor::WriteFile(const TarEntry& entry, absl::Span<const std::string> parts) {
  file_parts_.assign(parts.begin(), parts.end());
  const mode_t permissions =
      options_.keep_permissions ? static_cast<mode_t>(entry.mode) & kPermissions : mode_t{0666};
  if (parts.empty()) {
    CleanPath parent = ParsePath(options_.target);
    if (parent.has_name()) parent.parts.pop_back();
    KUBE_RETURN_IF_ERROR(MakeFolders(parent));
    file_ = io::FileDescriptor(::open(
        options_.target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, permissions));
  } else {
    KUBE_ASSIGN_OR_RETURN(const Place place, PlaceOf(parts));
    KUBE_RETURN_IF_ERROR(Free(place, parts));
    file_ = io::FileDescriptor(::openat(place.folder.get(), place.name.c_str(),
                                        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                        permissions));
  }
  return file_.is_open() ? absl::OkStatus() : SystemError("create", parts);
}

absl::Status Extractor::WriteFolder(const TarEntry& entry, absl::Span<const std::string> parts) {
  std::optional<mode_t> permissions;
  // The owner must be able to write what follows.
  if (options_.keep_permissions)
    permissions = (static_cast<mode_t>(entry.mode) & kPermissions) | 0700;
  KUBE_RETURN_IF_ERROR(OpenFolder(parts, permissions));
  ++written_;
  return absl::OkStatus();
}

absl::Status Extractor::WriteSymlink(const TarEntry& entry, absl::Span<const std::string> parts) {
  const std::string link =
      absl::StrCat("symlink: ", QuotedPath(parts), " -> ", text::Quoted(entry.link_target));
  if (!options_.keep_symlinks) {
    Warn(absl::StrCat("skipping ", link));
    return absl::OkStatus();
  }
  if (parts.empty() || !StaysInside(entry.link_target, parts.size() - 1)) {
    Warn(absl::StrCat("skipping ", link, ", which leads out of the target destination"));
    return absl::OkStatus();
  }
  KUBE_ASSIGN_OR_RETURN(const Place place, PlaceOf(parts));
  KUBE_RETURN_IF_ERROR(Free(place, parts));
  if (::symlinkat(entry.link_target.c_str(), place.folder.get(), place.name.c_str()) != 0) {
    return SystemError("create symlink", parts);
  }
  ++written_;
  return absl::OkStatus();
}

absl::Status Extractor::WriteHardLink(const TarEntry& entry, absl::Span<const std::string> parts) {
  const std::optional<std::vector<std::string>> target = EntryParts(entry.link_target);
  std::vector<std::string> source;
  if (target.has_value()) {
    KUBE_ASSIGN_OR_RETURN(source, Below(*target));
  }
  if (source.empty() || parts.empty()) {
    Warn(absl::StrCat("skipping hard link ", QuotedPath(parts), " to ",
                      text::Quoted(entry.link_target)));
    return absl::OkStatus();
  }
  if (std::equal(source.begin(), source.end(), parts.begin(), parts.end())) {
    return absl::OkStatus();
  }
  KUBE_ASSIGN_OR_RETURN(const Place from, PlaceOf(source));
  KUBE_ASSIGN_OR_RETURN(const Place to, PlaceOf(parts));
  struct stat status = {};
  const bool exists =
      ::fstatat(from.folder.get(), from.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  if (!exists && errno != ENOENT) return SystemError("link to", source);
  // Links to symbolic links and devices, which were left out, are hard links, too.
  if (!exists || !S_ISREG(status.st_mode)) {
    Warn(absl::StrCat("skipping hard link ", QuotedPath(parts), " to ", QuotedPath(source), ": ",
                      exists ? "its target is not a file" : "its target was not copied"));
    return absl::OkStatus();
  }
  KUBE_RETURN_IF_ERROR(Free(to, parts));
  if (::linkat(from.folder.get(), from.name.c_str(), to.folder.get(), to.name.c_str(), 0) != 0) {
    return SystemError("create hard link", parts);
  }
  ++written_;
  return absl::OkStatus();
}

absl::StatusOr<Extractor::Place> Extractor::PlaceOf(absl::Span<const std::string> parts) {
  KUBE_ASSIGN_OR_RETURN(io::FileDescriptor folder,
                        OpenFolder(parts.subspan(0, parts.size() - 1), std::nullopt));
  return Place{.folder = std::move(folder), .name = parts.back()};
}

absl::StatusOr<io::FileDescriptor> Extractor::OpenFolder(absl::Span<const std::string> parts,
                                                         std::optional<mode_t> permissions) {
  KUBE_RETURN_IF_ERROR(OpenTarget());
  io::FileDescriptor folder(::openat(target_.get(), ".", kOpenFolder));
  if (!folder.is_open()) return SystemError("open", {});
  for (size_t depth = 1; depth <= parts.size(); ++depth) {
    const bool is_last = depth == parts.size();
    KUBE_ASSIGN_OR_RETURN(
        folder, OpenNext(folder, parts.subspan(0, depth), is_last ? permissions : std::nullopt));
  }
  return folder;
}

absl::StatusOr<io::FileDescriptor> Extractor::OpenNext(const io::FileDescriptor& parent,
                                                       absl::Span<const std::string> parts,
                                                       std::optional<mode_t> permissions) const {
  const char* const name = parts.back().c_str();
  io::FileDescriptor folder(::openat(parent.get(), name, kOpenFolder | O_NOFOLLOW));
  if (!folder.is_open() && errno == ENOENT) {
    if (::mkdirat(parent.get(), name, permissions.value_or(kFolderPermissions)) != 0) {
      return SystemError("make folder", parts);
    }
    folder = io::FileDescriptor(::openat(parent.get(), name, kOpenFolder | O_NOFOLLOW));
  }
  if (folder.is_open()) return folder;
  const absl::Status error = SystemError("open folder", parts);
  struct stat status = {};
  if (::fstatat(parent.get(), name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode)) {
    return absl::FailedPreconditionError(absl::StrCat("open folder ", QuotedPath(parts),
                                                      ": it is a symlink, which is not followed"));
  }
  return error;
}

absl::Status Extractor::OpenTarget() {
  if (target_.is_open()) return absl::OkStatus();
  KUBE_RETURN_IF_ERROR(MakeFolders(ParsePath(options_.target)));
  target_ = io::FileDescriptor(::open(options_.target.c_str(), kOpenFolder));
  return target_.is_open() ? absl::OkStatus() : SystemError("open folder", {});
}

absl::StatusOr<std::vector<std::string>> Extractor::Below(
    const std::vector<std::string>& parts) const {
  const std::vector<std::string>& prefix = options_.prefix;
  if (parts.size() < prefix.size() || !std::equal(prefix.begin(), prefix.end(), parts.begin())) {
    return absl::DataLossError(
        absl::StrCat("tar contents corrupted: ", text::Quoted(JoinParts(parts)), " is not below \"",
                     JoinParts(prefix), "\""));
  }
  return std::vector<std::string>(parts.begin() + static_cast<std::ptrdiff_t>(prefix.size()),
                                  parts.end());
}

absl::Status Extractor::Free(const Place& place, absl::Span<const std::string> parts) const {
  struct stat status = {};
  if (::fstatat(place.folder.get(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT ? absl::OkStatus() : SystemError("look at", parts);
  }
  if (S_ISDIR(status.st_mode)) {
    return absl::FailedPreconditionError(
        absl::StrCat("create ", QuotedPath(parts), ": is a directory"));
  }
  if (::unlinkat(place.folder.get(), place.name.c_str(), 0) != 0) {
    return SystemError("replace", parts);
  }
  return absl::OkStatus();
}

std::string Extractor::QuotedPath(absl::Span<const std::string> parts) const {
  if (parts.empty()) return text::Quoted(options_.target);
  return text::Quoted(absl::StrCat(options_.target, "/", JoinParts(parts)));
}

absl::Status Extractor::SystemError(absl::string_view verb,
                                    absl::Span<const std::string> parts) const {
  const int error = errno;
  return absl::ErrnoToStatus(error, absl::StrCat(verb, " ", QuotedPath(parts)));
}

void Extractor::Warn(const std::string& text) const {
  if (options_.warn) options_.warn(text);
}

}  // namespace kube::podcopy::internal
