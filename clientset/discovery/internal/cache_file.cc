#include "clientset/discovery/internal/cache_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"

namespace kube::discovery::internal {
namespace {

constexpr size_t kMaxFileBytes = size_t{64} << 20;

absl::Status ErrnoStatus(absl::string_view verb, absl::string_view path) {
  const int number = errno;
  const std::string text = absl::StrCat(verb, " ", path, ": ", std::strerror(number));
  return number == ENOENT ? absl::NotFoundError(text) : absl::UnknownError(text);
}

absl::Status MakeFolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos || slash == 0) return absl::OkStatus();
  const std::string folder = path.substr(0, slash);
  if (mkdir(folder.c_str(), 0750) == 0 || errno == EEXIST) return absl::OkStatus();
  if (errno != ENOENT) return ErrnoStatus("mkdir", folder);
  KUBE_RETURN_IF_ERROR(MakeFolderOf(folder));
  if (mkdir(folder.c_str(), 0750) == 0 || errno == EEXIST) return absl::OkStatus();
  return ErrnoStatus("mkdir", folder);
}

absl::Status WriteAll(int fd, absl::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = write(fd, content.data(), content.size());
    if (written >= 0) {
      content.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      return ErrnoStatus("write", path);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadAll(int fd, const std::string& path) {
  std::string content;
  char buffer[65536];
  while (true) {
    const ssize_t count = read(fd, buffer, sizeof(buffer));
    if (count == 0) return content;
    if (count < 0 && errno != EINTR) return ErrnoStatus("read", path);
    if (count > 0) content.append(buffer, static_cast<size_t>(count));
    if (content.size() > kMaxFileBytes) {
      return absl::ResourceExhaustedError(absl::StrCat("read ", path, ": file too large"));
    }
  }
}

}  // namespace

absl::StatusOr<std::string> ReadCacheFile(const std::string& path, absl::Time oldest) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return ErrnoStatus("open", path);
  const absl::Cleanup closer = [fd] { close(fd); };
  struct stat info = {};
  if (fstat(fd, &info) != 0) return ErrnoStatus("stat", path);
  if (!S_ISREG(info.st_mode)) {
    return absl::NotFoundError(absl::StrCat("read ", path, ": not a regular file"));
  }
  if (absl::TimeFromTimespec(info.st_mtim) < oldest) {
    return absl::NotFoundError(absl::StrCat("read ", path, ": cache expired"));
  }
  return ReadAll(fd, path);
}

absl::StatusOr<NewCacheFile> NewCacheFile::Write(const std::string& path,
                                                 absl::string_view content) {
  KUBE_RETURN_IF_ERROR(MakeFolderOf(path));
  std::string temporary = absl::StrCat(path, ".XXXXXX");
  const int fd = mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) return ErrnoStatus("create", temporary);
  NewCacheFile file(path, temporary);
  absl::Cleanup closer = [fd] { close(fd); };
  KUBE_RETURN_IF_ERROR(WriteAll(fd, content, temporary));
  if (fchmod(fd, 0660) != 0) return ErrnoStatus("chmod", temporary);
  std::move(closer).Cancel();
  if (close(fd) != 0) return ErrnoStatus("close", temporary);
  return file;
}

NewCacheFile::~NewCacheFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

absl::Status NewCacheFile::Replace() && {
  if (rename(temporary_.c_str(), path_.c_str()) != 0) return ErrnoStatus("rename", temporary_);
  temporary_.clear();
  return absl::OkStatus();
}

}  // namespace kube::discovery::internal
