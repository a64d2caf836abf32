#include "clientset/clientcmd/internal/read_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/status.h"

namespace kube::clientcmd::internal {
namespace {

// Without O_NONBLOCK, opening a pipe would wait for a writer.
absl::StatusOr<int> Open(const std::string& path) {
  // The system would open the file whose name ends at the zero byte.
  if (path.find('\0') != std::string::npos) return ErrnoStatus(EINVAL, "open", path);
  int fd = -1;
  do {
    fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) return ErrnoStatus(errno, "open", path);
  return fd;
}

absl::Status WaitForData(int fd, const std::string& path, absl::Duration patience) {
  pollfd waiting = {.fd = fd, .events = POLLIN, .revents = 0};
  const int ready = poll(&waiting, 1, static_cast<int>(absl::ToInt64Milliseconds(patience)));
  if (ready > 0 || (ready < 0 && errno == EINTR)) return absl::OkStatus();
  if (ready < 0) return ErrnoStatus(errno, "read", path);
  return absl::DeadlineExceededError(
      absl::StrCat("read ", path, ": timed out waiting for data from the pipe after ",
                   absl::FormatDuration(patience)));
}

}  // namespace

absl::Status ErrnoStatus(int error_number, absl::string_view verb, absl::string_view path) {
  std::string cause = std::generic_category().message(error_number);
  if (!cause.empty()) cause[0] = absl::ascii_tolower(static_cast<unsigned char>(cause[0]));
  const std::string message = absl::StrCat(verb, " ", path, ": ", cause);
  switch (error_number) {
    case ENOENT:
      return absl::NotFoundError(message);
    case EACCES:
    case EPERM:
      return absl::PermissionDeniedError(message);
    default:
      return absl::UnknownError(message);
  }
}

absl::StatusOr<std::string> ReadFile(const std::string& path, absl::Duration patience) {
  KUBE_ASSIGN_OR_RETURN(const int fd, Open(path));
  const absl::Cleanup closer = [fd] { close(fd); };
  struct stat info = {};
  if (fstat(fd, &info) != 0) return ErrnoStatus(errno, "stat", path);
  // A pipe that no process has opened for writing yet looks like one that has ended.
  if (S_ISFIFO(info.st_mode)) KUBE_RETURN_IF_ERROR(WaitForData(fd, path, patience));
  std::string content;
  char buffer[1 << 14];
  while (true) {
    const ssize_t size = read(fd, buffer, sizeof(buffer));
    if (size == 0) return content;
    if (size > 0) {
      content.append(buffer, static_cast<size_t>(size));
      if (content.size() > kMaxFileSize) {
        return absl::ResourceExhaustedError(
            absl::StrCat("read ", path, ": file is larger than ", kMaxFileSize >> 20, " MiB"));
      }
    } else if (errno == EAGAIN) {
      KUBE_RETURN_IF_ERROR(WaitForData(fd, path, patience));
    } else if (errno != EINTR) {
      return ErrnoStatus(errno, "read", path);
    }
  }
}

absl::Status CheckReadable(const std::string& path) {
  KUBE_ASSIGN_OR_RETURN(const int fd, Open(path));
  close(fd);
  return absl::OkStatus();
}

}  // namespace kube::clientcmd::internal
