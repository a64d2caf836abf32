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

// Values by name, at most so many: a new one takes the place of that which nobody has asked for or
// set for the longest time. (k8s.io/utils/lru)
//
// Thread-compatible.
template <typename V>
class LruCache {
 public:
  // At least 1.
  explicit LruCache(size_t max_entries) : max_entries_(max_entries) {
    KUBE_CHECK(max_entries > 0) << "a cache without room";
  }

  // Null: there is none. Good until the entry goes.
  V* Get(absl::string_view key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &entries_.front().second;
  }

  // Sets it; answers the value that had to go for it, if any. `key` must not be a view of an entry.
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

  // Asks about each, the oldest first, without touching it; removes those it says true of.
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
  Entries entries_;  // the one used last comes first
  absl::flat_hash_map<absl::string_view, typename Entries::iterator> by_key_;  // views of entries_
};

}  // namespace kube::events::internal

#endif  // CONTROLLER_EVENTS_INTERNAL_LRU_CACHE_H_
