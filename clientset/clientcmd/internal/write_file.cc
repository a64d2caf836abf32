#include "clientset/clientcmd/internal/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "clientset/clientcmd/internal/go_path.h"
#include "clientset/clientcmd/internal/read_file.h"

// How a file is written. Symbolic links are followed first, so that the link itself is kept. The
// content goes to a temporary file in the same directory, with the owner and the mode of the
// existing file; it is synced to the disk and then renamed, so that readers see the old or the new
// file, also after a crash. If the file cannot be replaced like that (no permission in the
// directory, another owner, a mount point, not a regular file), it is overwritten in place.
namespace kube::clientcmd::internal {
namespace {

absl::Status WriteAll(int fd, absl::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      return ErrnoStatus(errno, "write", path);
    }
  }
  return absl::OkStatus();
}

// Returns where a chain of symbolic links ends, even if that file does not exist.
std::string FollowLinks(std::string path) {
  constexpr int kMaxLinks = 40;  // as Linux
  for (int i = 0; i < kMaxLinks; ++i) {
    std::error_code error;
    const std::string target = std::filesystem::read_symlink(path, error).string();
    if (error) break;
    path = IsAbsolutePath(target) ? target : absl::StrCat(DirectoryOf(path), "/", target);
  }
  return path;
}

absl::Status WriteInPlace(const std::string& path, absl::string_view content) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600);
  if (fd < 0) return ErrnoStatus(errno, "open", path);
  absl::Status status = WriteAll(fd, content, path);
  if (close(fd) != 0 && status.ok()) status = ErrnoStatus(errno, "close", path);
  return status;
}

// Returns false, without any change, if the file cannot be replaced, for example because it belongs
// to another user or is a mount point.
absl::StatusOr<bool> Replace(const std::string& path, absl::string_view content,
                             const struct stat* existing) {
  std::string temporary = absl::StrCat(path, ".XXXXXX");
  const int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return false;
  absl::Cleanup remover = [&temporary] { unlink(temporary.c_str()); };
  absl::Cleanup closer = [fd] { close(fd); };
  if (existing != nullptr) {
    if (fchown(fd, existing->st_uid, existing->st_gid) != 0) return false;
    if (fchmod(fd, existing->st_mode & 07777) != 0) return false;
  }
  KUBE_RETURN_IF_ERROR(WriteAll(fd, content, temporary));
  if (fsync(fd) != 0) return ErrnoStatus(errno, "sync", temporary);
  std::move(closer).Cancel();
  if (close(fd) != 0) return ErrnoStatus(errno, "close", temporary);
  if (rename(temporary.c_str(), path.c_str()) != 0) return false;
  std::move(remover).Cancel();
  return true;
}

}  // namespace

absl::Status MakeDirectoryFor(const std::string& path) {
  const std::string directory = DirectoryOf(path);
  if (mkdir(directory.c_str(), 0700) == 0 || errno == EEXIST) return absl::OkStatus();
  if (errno != ENOENT) return ErrnoStatus(errno, "mkdir", directory);
  KUBE_RETURN_IF_ERROR(MakeDirectoryFor(directory));
  if (mkdir(directory.c_str(), 0700) == 0 || errno == EEXIST) return absl::OkStatus();
  return ErrnoStatus(errno, "mkdir", directory);
}

absl::Status WriteFile(const std::string& path, absl::string_view content) {
  if (path.empty()) return ErrnoStatus(ENOENT, "open", path);
  KUBE_RETURN_IF_ERROR(MakeDirectoryFor(path));
  const std::string target = FollowLinks(path);
  struct stat info = {};
  const bool exists = stat(target.c_str(), &info) == 0;
  // A read-only file must not be replaced, even if its directory would allow that.
  const bool replaceable = !exists || (S_ISREG(info.st_mode) && access(target.c_str(), W_OK) == 0);
  if (replaceable) {
    KUBE_ASSIGN_OR_RETURN(const bool done, Replace(target, content, exists ? &info : nullptr));
    if (done) return absl::OkStatus();
  }
  return WriteInPlace(target, content);
}

}  // namespace kube::clientcmd::internal
