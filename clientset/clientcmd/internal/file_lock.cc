#include "clientset/clientcmd/internal/file_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "clientset/clientcmd/internal/read_file.h"
#include "clientset/clientcmd/internal/write_file.h"

namespace kube::clientcmd::internal {
namespace {

constexpr absl::Duration kRetry = absl::Milliseconds(50);

// Returns false if another program has the lock.
absl::StatusOr<bool> TryLock(const std::string& lock) {
  const int fd = open(lock.c_str(), O_CREAT | O_EXCL | O_CLOEXEC, 0);
  if (fd >= 0) {
    close(fd);
    return true;
  }
  if (errno == EEXIST) return false;
  return ErrnoStatus(errno, "lock", lock);
}

}  // namespace

FileLocks::~FileLocks() {
  for (const std::string& lock : locks_) unlink(lock.c_str());
}

absl::Status FileLocks::Lock(const Context& ctx, const std::string& path, absl::Duration timeout) {
  KUBE_RETURN_IF_ERROR(MakeDirectoryFor(path));
  const std::string lock = absl::StrCat(path, ".lock");
  for (absl::Duration left = timeout;; left -= kRetry) {
    KUBE_RETURN_IF_ERROR(ctx.status());
    KUBE_ASSIGN_OR_RETURN(const bool locked, TryLock(lock));
    if (locked) break;
    if (left <= absl::ZeroDuration()) {
      return absl::UnavailableError(
          absl::StrCat("lock ", lock,
                       ": file exists: another process is changing the file; if a process crashed "
                       "and left the lock file behind, remove it"));
    }
    KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, kRetry), "wait for ", lock);
  }
  locks_.push_back(lock);
  return absl::OkStatus();
}

}  // namespace kube::clientcmd::internal
