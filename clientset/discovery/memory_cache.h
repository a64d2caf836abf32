#ifndef CLIENTSET_DISCOVERY_MEMORY_CACHE_H_
#define CLIENTSET_DISCOVERY_MEMORY_CACHE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/version/info.kube.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/server_resources.h"

namespace kube::discovery {

struct MemoryCacheOptions {
  // How long it is remembered that a group-version is not there, or why it failed. Who asks for it
  // after that makes the cache ask again. Infinite: until Invalidate, as upstream. Transient errors
  // are not remembered at all: of the connection, 5xx, 429.
  absl::Duration negative_ttl = absl::Seconds(30);
};

// Everything that a server serves, asked for once, until Invalidate. (memory.NewMemCacheClient)
//
//   discovery::MemoryCache cache(std::make_shared<discovery::DiscoveryClient>(client));
//
// The first call reads all; after that a call asks the server only for what failed before and what
// this call needs. One thread at a time talks to the server, and the others wait for what it
// brings, as long as their own contexts let them; a call that finds what it looks for does not
// wait. A group-version without resources is an error here, IsEmptyResponse; one that is not there
// is IsCacheNotFound.
//
// Thread-safe.
class MemoryCache final : public CachedDiscovery {
 public:
  // A delegate that is a cache is reached by Invalidate too.
  explicit MemoryCache(std::shared_ptr<Discovery> delegate, const MemoryCacheOptions& options = {})
      : delegate_(std::move(delegate)), options_(options) {}

  absl::StatusOr<GroupList> ServerGroups(const Context& ctx) const override;
  absl::StatusOr<ResourceList> ServerResourcesForGroupVersion(
      const Context& ctx, absl::string_view group_version) const override;
  // Not remembered.
  absl::StatusOr<version::Info> ServerVersion(const Context& ctx) const override;
  absl::StatusOr<GroupsAndMaybeResources> MaybeResources(const Context& ctx) const override;

  // Whether there is anything.
  bool Fresh() const override ABSL_LOCKS_EXCLUDED(mutex_);
  void Invalidate() override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Entry {
    absl::StatusOr<ResourceList> resources;
    base::MonotonicTime at;  // when it was asked for
  };
  // What is known. Nobody changes it; what is learned later is in a new one.
  struct Snapshot {
    GroupList groups;
    std::map<std::string, Entry> entries;
    bool aggregated = false;
    // Without groups nothing is remembered.
    bool complete = true;
    base::MonotonicTime at;
  };
  using SnapshotPtr = std::shared_ptr<const Snapshot>;

  // The present one, or what `fetch` makes of it if `is_good` does not like it.
  absl::StatusOr<SnapshotPtr> GetOrFetch(
      const Context& ctx, absl::FunctionRef<bool(const Snapshot&)> is_good,
      absl::FunctionRef<absl::StatusOr<SnapshotPtr>(const SnapshotPtr&)> fetch) const
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<SnapshotPtr> Get(const Context& ctx) const;
  absl::StatusOr<SnapshotPtr> FetchAll(const Context& ctx) const;
  absl::StatusOr<SnapshotPtr> FetchOne(const Context& ctx, const SnapshotPtr& known,
                                       const std::string& group_version) const;
  absl::StatusOr<ResourceList> Fetch(const Context& ctx, const std::string& group_version) const;
  bool IsOld(base::MonotonicTime at) const;
  // Whether the group-version need not be asked for again.
  bool Knows(const Snapshot& snapshot, const std::string& group_version) const;

  const std::shared_ptr<Discovery> delegate_;
  const MemoryCacheOptions options_;

  mutable base::Mutex mutex_;
  mutable base::CondVar fetched_;
  mutable SnapshotPtr snapshot_ ABSL_GUARDED_BY(mutex_);
  // Somebody is asking the server.
  mutable bool fetching_ ABSL_GUARDED_BY(mutex_) = false;
  // Of Invalidate: what was asked for before it is not kept.
  uint64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_MEMORY_CACHE_H_
