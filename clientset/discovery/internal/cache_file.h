#ifndef CLIENTSET_DISCOVERY_INTERNAL_CACHE_FILE_H_
#define CLIENTSET_DISCOVERY_INTERNAL_CACHE_FILE_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

// Files that are a cache: what is lost is asked for again. Thread-safe, and among processes.
namespace kube::discovery::internal {

// NOT_FOUND where there is none, or it was modified before `oldest`; RESOURCE_EXHAUSTED for one
// that is longer than any discovery document.
absl::StatusOr<std::string> ReadCacheFile(const std::string& path, absl::Time oldest);

// A file (0660) that is to take the place of another, and is removed if it does not. Readers see
// the old or the new one. It is not synced to the disk: after a crash of the machine it may be
// broken, which readers must find out. Thread-compatible.
class NewCacheFile {
 public:
  // Makes the folders (0750) and writes `content` to a temporary file beside `path`.
  static absl::StatusOr<NewCacheFile> Write(const std::string& path, absl::string_view content);
  NewCacheFile(NewCacheFile&& other) noexcept
      : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, {})) {}
  NewCacheFile& operator=(NewCacheFile&&) = delete;
  ~NewCacheFile();

  // Puts it in the place of what is at `path`. One quick system call: a caller may hold a lock.
  absl::Status Replace() &&;

 private:
  NewCacheFile(std::string path, std::string temporary)
      : path_(std::move(path)), temporary_(std::move(temporary)) {}

  std::string path_;
  std::string temporary_;  // empty when there is nothing to remove
};

}  // namespace kube::discovery::internal

#endif  // CLIENTSET_DISCOVERY_INTERNAL_CACHE_FILE_H_
