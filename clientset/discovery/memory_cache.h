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
  // How long the cache remembers that a group-version does not exist, or why it failed. After that,
  // the next call that needs it asks the server again. Infinite: until Invalidate, as in client-go.
  // Transient errors (of the connection, 5xx, 429) are not remembered at all.
  absl::Duration negative_ttl = absl::Seconds(30);
};

// Reads everything that a server serves once, and keeps it until Invalidate. (client-go:
// `memory.NewMemCacheClient`)
//
//   const auto cache = std::make_shared<kube::discovery::MemoryCache>(
//       std::make_shared<kube::discovery::DiscoveryClient>(client.client()));
//
// `client` is a kubernetes::Clientset. The first call reads everything. Later calls ask the server
// only for group-versions that failed before and are needed now. One thread at a time talks to the
// server; the others wait for its result, as long as their own contexts allow. A call whose answer
// is cached does not wait. A group-version without resources is an error here (IsEmptyResponse);
// one that does not exist is IsCacheNotFound.
//
// Thread-safe.
class MemoryCache final : public CachedDiscovery {
 public:
  // If the delegate is a cache, Invalidate is passed on to it.
  explicit MemoryCache(std::shared_ptr<Discovery> delegate, const MemoryCacheOptions& options = {})
      : delegate_(std::move(delegate)), options_(options) {}

  absl::StatusOr<GroupList> ServerGroups(const Context& ctx) const override;
  absl::StatusOr<ResourceList> ServerResourcesForGroupVersion(
      const Context& ctx, absl::string_view group_version) const override;
  // Not cached.
  absl::StatusOr<version::Info> ServerVersion(const Context& ctx) const override;
  absl::StatusOr<GroupsAndMaybeResources> MaybeResources(const Context& ctx) const override;

  // Returns whether anything is cached.
  bool Fresh() const override ABSL_LOCKS_EXCLUDED(mutex_);
  void Invalidate() override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Entry {
    absl::StatusOr<ResourceList> resources;
    base::MonotonicTime at;  // when it was requested
  };
  // What is known. It is immutable: new knowledge makes a new snapshot.
  struct Snapshot {
    GroupList groups;
    std::map<std::string, Entry> entries;
    bool aggregated = false;
    // False if the server listed no groups; such a snapshot is not kept.
    bool complete = true;
    base::MonotonicTime at;
  };
  using SnapshotPtr = std::shared_ptr<const Snapshot>;

  // Returns the current snapshot if `is_good` accepts it, and otherwise the one that `fetch` makes
  // of it.
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
  // Returns whether the group-version need not be requested again.
  bool Knows(const Snapshot& snapshot, const std::string& group_version) const;

  const std::shared_ptr<Discovery> delegate_;
  const MemoryCacheOptions options_;

  mutable base::Mutex mutex_;
  mutable base::CondVar fetched_;
  mutable SnapshotPtr snapshot_ ABSL_GUARDED_BY(mutex_);
  // A thread is asking the server.
  mutable bool fetching_ ABSL_GUARDED_BY(mutex_) = false;
  // Incremented by Invalidate: answers to earlier requests are not kept.
  uint64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_MEMORY_CACHE_H_
