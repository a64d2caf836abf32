#ifndef CONTROLLER_METRICS_INTERNAL_EXPIRING_CACHE_H_
#define CONTROLLER_METRICS_INTERNAL_EXPIRING_CACHE_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"

namespace kube::metrics::internal {

// A map whose entries expire, with a maximum number of entries: a new entry replaces the one that
// would expire first. (apimachinery: `cache.LRUExpireCache`)
//
// Thread-safe.
template <typename V>
class ExpiringCache {
 public:
  // `max_entries` must be at least 1.
  explicit ExpiringCache(size_t max_entries) : max_entries_(max_entries) {
    KUBE_CHECK(max_entries > 0) << "max_entries must be at least 1";
  }

  // Returns a copy of the value, or nullopt if the key is unknown or has expired.
  std::optional<V> Get(const std::string& key) const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end() || found->second.expires->first <= base::Now()) return std::nullopt;
    return std::optional<V>(std::in_place, found->second.value);
  }

  // Sets the value, which expires after `ttl`. Zero or less: it is not kept.
  void Set(const std::string& key, V value, absl::Duration ttl) ABSL_LOCKS_EXCLUDED(mutex_) {
    if (ttl <= absl::ZeroDuration()) return;
    base::MutexLock lock(mutex_);
    if (const auto found = entries_.find(key); found != entries_.end()) Erase(found);
    if (entries_.size() >= max_entries_) Erase(entries_.find(by_expiry_.begin()->second));
    const auto expires = by_expiry_.emplace(base::Now() + ttl, key);
    entries_.emplace(key, Entry{.value = std::move(value), .expires = expires});
  }

  size_t size() const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    return entries_.size();
  }

 private:
  using ByExpiry = std::multimap<base::MonotonicTime, std::string>;
  struct Entry {
    V value = {};
    typename ByExpiry::iterator expires = {};
  };
  using Entries = std::map<std::string, Entry>;

  void Erase(typename Entries::iterator entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    by_expiry_.erase(entry->second.expires);
    entries_.erase(entry);
  }

  const size_t max_entries_;
  mutable base::Mutex mutex_;
  Entries entries_ ABSL_GUARDED_BY(mutex_);
  ByExpiry by_expiry_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::metrics::internal

#endif  // CONTROLLER_METRICS_INTERNAL_EXPIRING_CACHE_H_
