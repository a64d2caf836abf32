#ifndef CLIENTSET_DISCOVERY_INTERNAL_CACHE_FILE_H_
#define CLIENTSET_DISCOVERY_INTERNAL_CACHE_FILE_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

// Files of a cache: their content can be requested again if it is lost. Thread-safe, also between
// processes.
namespace kube::discovery::internal {

// Returns the content of the file. Returns NOT_FOUND if it does not exist, is not a regular file,
// or was modified before `oldest`; RESOURCE_EXHAUSTED if it is longer than any discovery document.
absl::StatusOr<std::string> ReadCacheFile(const std::string& path, absl::Time oldest);

// A temporary file (mode 0660) that replaces another one, or is removed by its destructor. Readers
// see the old or the new file. It is not synced to the disk, so it may be damaged after a crash of
// the machine; readers must detect that. Thread-compatible.
class NewCacheFile {
 public:
  // Creates the directories (mode 0750) and writes `content` to a temporary file beside `path`.
  static absl::StatusOr<NewCacheFile> Write(const std::string& path, absl::string_view content);
  NewCacheFile(NewCacheFile&& other) noexcept
      : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}
  NewCacheFile& operator=(NewCacheFile&&) = delete;
  ~NewCacheFile();

  // Renames the file to `path`. It is a single fast system call, so the caller may hold a lock.
  absl::Status Replace() &&;

 private:
  NewCacheFile(std::string path, std::string temporary)
      : path_(std::move(path)), temporary_(std::move(temporary)) {}

  std::string path_;
  std::string temporary_;  // empty if there is nothing to remove
};

}  // namespace kube::discovery::internal

#endif  // CLIENTSET_DISCOVERY_INTERNAL_CACHE_FILE_H_
