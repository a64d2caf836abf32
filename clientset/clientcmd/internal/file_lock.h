#ifndef CLIENTSET_CLIENTCMD_INTERNAL_FILE_LOCK_H_
#define CLIENTSET_CLIENTCMD_INTERNAL_FILE_LOCK_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"

namespace kube::clientcmd::internal {

// Files that are locked as kubectl does it: by a file beside each that only one can make. The
// destructor unlocks. Thread-compatible.
class FileLocks {
 public:
  FileLocks() = default;
  ~FileLocks();
  FileLocks(const FileLocks&) = delete;
  FileLocks& operator=(const FileLocks&) = delete;

  // Waits for at most `timeout`: see ModifyConfig. After an error the locks of before remain.
  absl::Status Lock(const Context& ctx, const std::string& path, absl::Duration timeout);

 private:
  std::vector<std::string> locks_;
};

}  // namespace kube::clientcmd::internal

#endif  // CLIENTSET_CLIENTCMD_INTERNAL_FILE_LOCK_H_
