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
  // One for each server: see CacheDirectoryFor. Made when there is something to write.
  std::string directory = {};
  // How old a file may be, by its time of modification. Default: kubectl's.
  absl::Duration ttl = absl::Hours(6);
};

// kubectl's folder for a server: "CACHE/discovery/10.0.0.1_6443" of "CACHE/discovery" and
// "https://10.0.0.1:6443"; its own CACHE is ~/.kube/cache. (computeDiscoverCacheDir)
std::string CacheDirectoryFor(absl::string_view parent, absl::string_view host);

// What a server serves, in files that outlive the program and that kubectl reads and writes too:
// for command-line tools. (disk.CachedDiscoveryClient)
//
//   DIRECTORY/servergroups.json
//   DIRECTORY/apps/v1/serverresources.json
//
// A file that is too old, or cannot be read, is asked for again and written anew: to a temporary
// file that takes its place, so that others see a whole one. Files are 0660, folders 0750, less the
// umask. What cannot be written is logged; the answer is as good without. Empty answers and errors
// are not kept. After Invalidate only files count whose content was asked for after it.
//
// Thread-safe; several processes may share a folder.
class DiskCache final : public CachedDiscovery {
 public:
  // `delegate` is mostly a MemoryCache: see MakeCachedDiscovery. Invalidate reaches it too.
  DiskCache(std::shared_ptr<Discovery> delegate, DiskCacheOptions options)
      : delegate_(std::move(delegate)), options_(std::move(options)) {}

  absl::StatusOr<GroupList> ServerGroups(const Context& ctx) const override;
  absl::StatusOr<ResourceList> ServerResourcesForGroupVersion(
      const Context& ctx, absl::string_view group_version) const override;
  // Not kept.
  absl::StatusOr<version::Info> ServerVersion(const Context& ctx) const override;

  // Whether all files that were used so far were written by this object.
  bool Fresh() const override ABSL_LOCKS_EXCLUDED(mutex_);
  void Invalidate() override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // The file, or what `fetch` brings, which becomes the file. ListT: one of the two lists.
  template <typename ListT>
  absl::StatusOr<std::shared_ptr<const ListT>> GetOrFetch(
      const std::string& path,
      const std::function<absl::StatusOr<std::shared_ptr<const ListT>>()>& fetch) const;
  absl::StatusOr<std::string> Read(const std::string& path) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Does nothing if Invalidate was called since `generation`.
  absl::Status Write(const std::string& path, absl::string_view content, uint64_t generation) const
      ABSL_LOCKS_EXCLUDED(mutex_);
  uint64_t Generation() const ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<Discovery> delegate_;
  const DiskCacheOptions options_;

  mutable base::Mutex mutex_;
  mutable std::set<std::string> own_files_ ABSL_GUARDED_BY(mutex_);
  bool invalidated_ ABSL_GUARDED_BY(mutex_) = false;
  mutable bool fresh_ ABSL_GUARDED_BY(mutex_) = true;
  // Of Invalidate: what was asked for before it is not written.
  uint64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
};

// A DiskCache over a MemoryCache over a DiscoveryClient with a rest::Client of its own. Errors as
// rest::MakeClient. (disk.NewCachedDiscoveryClientForConfig, without its cache of HTTP answers)
absl::StatusOr<std::shared_ptr<DiskCache>> MakeCachedDiscovery(const rest::Config& config,
                                                               DiskCacheOptions options);

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_DISK_CACHE_H_
