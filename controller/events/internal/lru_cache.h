#ifndef CONTROLLER_EVENTS_INTERNAL_LRU_CACHE_H_
#define CONTROLLER_EVENTS_INTERNAL_LRU_CACHE_H_

#include <cstddef>
#include <iterator>
#include <list>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"

namespace kube::events::internal {

// A map with a maximum number of entries: a new entry replaces the least recently used one.
// (client-go: `lru` in k8s.io/utils)
//
// Thread-compatible.
template <typename V>
class LruCache {
 public:
  // `max_entries` must be at least 1.
  explicit LruCache(size_t max_entries) : max_entries_(max_entries) {
    KUBE_CHECK(max_entries > 0) << "max_entries must be at least 1";
  }

  // Returns the value, or null. The pointer is valid until the entry is removed.
  V* Get(absl::string_view key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &entries_.front().second;
  }

  // Sets the value and returns the value that was evicted, if any. `key` must not point into an
  // entry.
  std::optional<V> Add(absl::string_view key, V value) {
    if (V* const there = Get(key); there != nullptr) {
      *there = std::move(value);
      return std::nullopt;
    }
    entries_.emplace_front(std::string(key), std::move(value));
    by_key_.emplace(entries_.front().first, entries_.begin());
    if (entries_.size() <= max_entries_) return std::nullopt;
    std::optional<V> evicted = std::move(entries_.back().second);
    by_key_.erase(entries_.back().first);
    entries_.pop_back();
    return evicted;
  }

  // Removes the entries for which `is_over` returns true. Visits the least recently used entry
  // first and does not count as a use.
  void EraseIf(absl::FunctionRef<bool(V&)> is_over) {
    for (auto entry = entries_.end(); entry != entries_.begin();) {
      --entry;
      if (!is_over(entry->second)) continue;
      by_key_.erase(entry->first);
      entry = entries_.erase(entry);
    }
  }

  size_t size() const { return entries_.size(); }

 private:
  using Entries = std::list<std::pair<const std::string, V>>;

  const size_t max_entries_;
  Entries entries_;  // the most recently used entry first
  absl::flat_hash_map<absl::string_view, typename Entries::iterator> by_key_;  // views of entries_
};

}  // namespace kube::events::internal

#endif  // CONTROLLER_EVENTS_INTERNAL_LRU_CACHE_H_
