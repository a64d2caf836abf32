#ifndef CLIENTSET_DISCOVERY_DISK_CACHE_H_
#define CLIENTSET_DISCOVERY_DISK_CACHE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/version/info.kube.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/server_resources.h"
#include "clientset/rest/config.h"

namespace kube::discovery {

struct DiskCacheOptions {
  // Each server needs a directory of its own: see CacheDirectoryFor. It is created when the first
  // file is written.
  std::string directory = {};
  // The maximum age of a file since its modification. Default: kubectl's.
  absl::Duration ttl = absl::Hours(6);
};

// Returns the directory that kubectl uses for a server: "CACHE/discovery/10.0.0.1_6443" for the
// parent "CACHE/discovery" and the host "https://10.0.0.1:6443". kubectl's CACHE is ~/.kube/cache.
// (cli-runtime: `computeDiscoverCacheDir`)
std::string CacheDirectoryFor(absl::string_view parent, absl::string_view host);

// Caches discovery in files that outlive the program and that kubectl reads and writes, too. For
// command-line tools. (client-go: `disk.CachedDiscoveryClient`)
//
//   DIRECTORY/servergroups.json
//   DIRECTORY/apps/v1/serverresources.json
//
// If a file is too old or cannot be read, the server is asked, and the file is written again: to a
// temporary file that then replaces it, so that readers see a whole file. Files have mode 0660 and
// directories 0750, less the umask. If a file cannot be written, that is logged, and the answer is
// returned all the same. Empty answers and errors are not cached. After Invalidate, only files
// count whose content was requested after it.
//
// Thread-safe; several processes may share a directory.
class DiskCache final : public CachedDiscovery {
 public:
  // `delegate` is usually a MemoryCache: see MakeCachedDiscovery. Invalidate is passed on to it.
  DiskCache(std::shared_ptr<Discovery> delegate, DiskCacheOptions options)
      : delegate_(std::move(delegate)), options_(std::move(options)) {}

  absl::StatusOr<GroupList> ServerGroups(const Context& ctx) const override;
  absl::StatusOr<ResourceList> ServerResourcesForGroupVersion(
      const Context& ctx, absl::string_view group_version) const override;
  // Not cached.
  absl::StatusOr<version::Info> ServerVersion(const Context& ctx) const override;

  // Returns whether all files that were used so far were written by this object.
  bool Fresh() const override ABSL_LOCKS_EXCLUDED(mutex_);
  void Invalidate() override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Returns the content of the file, or what `fetch` returns, which is then written to the file.
  // ListT is one of the two list types.
  template <typename ListT>
  absl::StatusOr<std::shared_ptr<const ListT>> GetOrFetch(
      const Context& ctx, const std::string& path,
      const std::function<absl::StatusOr<std::shared_ptr<const ListT>>()>& fetch) const;
  absl::StatusOr<std::string> Read(const std::string& path) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Does nothing if Invalidate was called after `generation` was read.
  absl::Status Write(const std::string& path, absl::string_view content, uint64_t generation) const
      ABSL_LOCKS_EXCLUDED(mutex_);
  uint64_t Generation() const ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<Discovery> delegate_;
  const DiskCacheOptions options_;

  mutable base::Mutex mutex_;
  mutable std::set<std::string> own_files_ ABSL_GUARDED_BY(mutex_);
  bool invalidated_ ABSL_GUARDED_BY(mutex_) = false;
  mutable bool fresh_ ABSL_GUARDED_BY(mutex_) = true;
  // Incremented by Invalidate: answers to earlier requests are not written.
  uint64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Returns a DiskCache over a MemoryCache over a DiscoveryClient with a rest::Client of its own.
// Returns INVALID_ARGUMENT if options.directory is empty, and the errors of rest::MakeClient.
// (client-go: `disk.NewCachedDiscoveryClientForConfig`, without its cache of HTTP responses)
absl::StatusOr<std::shared_ptr<DiskCache>> MakeCachedDiscovery(const rest::Config& config,
                                                               DiskCacheOptions options);

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_DISK_CACHE_H_
