#include "clientset/podcopy/internal/archive_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "clientset/podcopy/internal/tar_entry.h"
#include "clientset/podcopy/internal/tar_writer.h"
#include "net/io/file_descriptor.h"

namespace kube::podcopy::internal {
namespace {

constexpr size_t kPieceBytes = size_t{64} << 10;

absl::Status SystemError(absl::string_view verb, const std::string& path) {
  const int error = errno;
  return absl::ErrnoToStatus(error, absl::StrCat(verb, " \"", path, "\""));
}

std::string Join(const std::string& folder, const std::string& name) {
  if (folder.empty()) return name;
  return absl::StrCat(folder, absl::EndsWith(folder, "/") ? "" : "/", name);
}

// Returns the names of what is in a folder, sorted.
absl::StatusOr<std::vector<std::string>> NamesIn(const std::string& path) {
  struct Closer {
    void operator()(DIR* folder) const { ::closedir(folder); }
  };
  const std::unique_ptr<DIR, Closer> folder(::opendir(path.c_str()));
  if (folder == nullptr) return SystemError("open folder", path);
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* const entry = ::readdir(folder.get());
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  if (errno != 0) return SystemError("read folder", path);
  std::sort(names.begin(), names.end());
  return names;
}

absl::StatusOr<std::string> TargetOf(const std::string& path) {
  std::string target(4096, '\0');
  const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
  if (size < 0) return SystemError("read symlink", path);
  if (static_cast<size_t>(size) == target.size()) {
    return absl::OutOfRangeError(absl::StrCat("read symlink \"", path, "\": target too long"));
  }
  target.resize(static_cast<size_t>(size));
  return target;
}

class Archiver {
 public:
  Archiver(ArchiveSink sink, WarningSink warn) : sink_(sink), warn_(warn) {}

  // Adds a file, or a folder with all that is in it.
  absl::Status Add(const std::string& path, const std::string& name) {
    struct stat status = {};
    if (::lstat(path.c_str(), &status) != 0) return SystemError("look at", path);
    if (S_ISDIR(status.st_mode)) return AddFolder(path, name, status);
    if (name.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("copy \"", path, "\": the destination has no file name"));
    }
    if (S_ISREG(status.st_mode)) return AddFile(path, name);
    if (S_ISLNK(status.st_mode)) return AddSymlink(path, name, status);
    warn_(absl::StrCat("skipping \"", path, "\": not a file, folder or link"));
    return absl::OkStatus();
  }

  absl::Status Finish() {
    KUBE_RETURN_IF_ERROR(writer_.Finish(out_));
    return Send();
  }

 private:
  static TarEntry EntryOf(const std::string& name, TarType type, const struct stat& status) {
    TarEntry entry;
    entry.name = name;
    entry.type = type;
    entry.mode = status.st_mode & 07777;
    entry.user_id = status.st_uid;
    entry.group_id = status.st_gid;
    entry.mtime = std::max<int64_t>(status.st_mtim.tv_sec, 0);
    return entry;
  }

  absl::Status AddFolder(const std::string& path, const std::string& name,
                         const struct stat& status) {
    KUBE_ASSIGN_OR_RETURN(const std::vector<std::string> names, NamesIn(path));
    if (names.empty() && !name.empty()) {
      KUBE_RETURN_IF_ERROR(writer_.AddEntry(EntryOf(name, TarType::kFolder, status), out_));
      return SendIfLarge();
    }
    for (const std::string& each : names) {
      KUBE_RETURN_IF_ERROR(Add(Join(path, each), Join(name, each)));
    }
    return absl::OkStatus();
  }

  absl::Status AddSymlink(const std::string& path, const std::string& name,
                          const struct stat& status) {
    TarEntry entry = EntryOf(name, TarType::kSymlink, status);
    KUBE_ASSIGN_OR_RETURN(entry.link_target, TargetOf(path));
    KUBE_RETURN_IF_ERROR(writer_.AddEntry(entry, out_), "copy \"", path, "\"");
    return SendIfLarge();
  }

  absl::Status AddFile(const std::string& path, const std::string& name) {
    // It may have become something else since it was looked at, which must not block or be
    // followed.
    const io::FileDescriptor file(
        ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    struct stat status = {};
    if (!file.is_open() || ::fstat(file.get(), &status) != 0) return SystemError("open", path);
    if (!S_ISREG(status.st_mode)) {
      return absl::AbortedError(absl::StrCat("read \"", path, "\": it is no longer a file"));
    }
    TarEntry entry = EntryOf(name, TarType::kFile, status);
    entry.size = static_cast<uint64_t>(status.st_size);
    KUBE_RETURN_IF_ERROR(writer_.AddEntry(entry, out_), "copy \"", path, "\"");
    std::string buffer(kPieceBytes, '\0');
    while (writer_.missing_bytes() > 0) {
      const size_t wanted =
          static_cast<size_t>(std::min<uint64_t>(writer_.missing_bytes(), buffer.size()));
      const ssize_t size = ::read(file.get(), buffer.data(), wanted);
      if (size < 0 && errno == EINTR) continue;
      if (size < 0) return SystemError("read", path);
      // What was added to the file meanwhile is left out; what was cut off cannot be made up.
      if (size == 0) {
        return absl::AbortedError(absl::StrCat("read \"", path, "\": it has become shorter"));
      }
      KUBE_RETURN_IF_ERROR(
          writer_.AddData(absl::string_view(buffer).substr(0, static_cast<size_t>(size)), out_));
      KUBE_RETURN_IF_ERROR(SendIfLarge());
    }
    return SendIfLarge();
  }

  absl::Status SendIfLarge() { return out_.size() >= kPieceBytes ? Send() : absl::OkStatus(); }

  absl::Status Send() {
    const absl::Status status = sink_(out_);
    out_.clear();
    return status;
  }

  const ArchiveSink sink_;
  const WarningSink warn_;
  TarWriter writer_;
  std::string out_;
};

}  // namespace

absl::Status ArchiveTree(const std::string& path, const std::string& name, ArchiveSink sink,
                         WarningSink warn) {
  Archiver archiver(sink, warn);
  KUBE_RETURN_IF_ERROR(archiver.Add(path, name));
  return archiver.Finish();
}

}  // namespace kube::podcopy::internal
