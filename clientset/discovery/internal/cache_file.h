#ifndef CLIENTSET_DISCOVERY_INTERNAL_CACHE_FILE_H_
#define CLIENTSET_DISCOVERY_INTERNAL_CACHE_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

// Files that are a cache: what is lost is asked for again. Thread-safe, and among processes.
namespace kube::discovery::internal {

// NOT_FOUND where there is none, or it was modified before `oldest`; RESOURCE_EXHAUSTED for one
// that is longer than any discovery document.
absl::StatusOr<std::string> ReadCacheFile(const std::string& path, absl::Time oldest);

// Makes the folders (0750) and puts a file (0660) in the place of what is there, at once: readers
// see the old or the new one. It is not synced to the disk: after a crash of the machine it may be
// broken, which readers must find out.
absl::Status WriteCacheFile(const std::string& path, absl::string_view content);

}  // namespace kube::discovery::internal

#endif  // CLIENTSET_DISCOVERY_INTERNAL_CACHE_FILE_H_
