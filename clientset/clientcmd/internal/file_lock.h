#ifndef CLIENTSET_CLIENTCMD_INTERNAL_FILE_LOCK_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_FILE_LOCK_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"

namespace kube::clientcmd::internal {

// Locks files as kubectl does: with a file beside each, which only one program can create. The
// destructor unlocks all of them. Thread-compatible.
class FileLocks {
 public:
  FileLocks() = default;
  ~FileLocks();
  FileLocks(const FileLocks&) = delete;
  FileLocks& operator=(const FileLocks&) = delete;

  // Locks one more file; waits at most `timeout`. For errors see ModifyConfig. After an error the
  // earlier locks are kept.
  absl::Status Lock(const Context& ctx, const std::string& path, absl::Duration timeout);

 private:
  std::vector<std::string> locks_;
};

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_FILE_LOCK_H_
