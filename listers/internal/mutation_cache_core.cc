#include "listers/internal/mutation_cache_core.h"

#include <algorithm>
#include <compare>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/meta/resource_version.h"
#include "listers/internal/store_core.h"

namespace kube::listers::internal {
namespace {

constexpr size_t kMaxEntries = 100;

}  // namespace

bool MutationCacheCore::IsOlder(const AnyObject& a, const AnyObject& b) const {
  const absl::StatusOr<std::strong_ordering> order = meta::CompareResourceVersion(
      traits_.resource_version(a.get()), traits_.resource_version(b.get()));
  return order.ok() && *order < 0;
}

MutationCacheCore::Entries::iterator MutationCacheCore::Find(absl::string_view key) {
  const base::MonotonicTime now = base::Now();
  entries_.remove_if([now](const Entry& entry) { return now >= entry.end; });
  const auto it = std::find_if(entries_.begin(), entries_.end(),
                               [key](const Entry& entry) { return entry.key == key; });
  if (it != entries_.end()) entries_.splice(entries_.begin(), entries_, it);
  return it;
}

void MutationCacheCore::Add(AnyObject object) {
  const std::string key = JoinKey(traits_.key(object.get()));
  base::MutexLock lock(mutex_);
  const auto it = Find(key);
  if (it != entries_.end()) {
    if (IsOlder(object, it->object)) return;
    entries_.erase(it);
  }
  entries_.push_front(
      {.key = key, .object = std::move(object), .end = base::Now() + time_to_live_});
  if (entries_.size() > kMaxEntries) entries_.pop_back();
}

MutationCacheCore::AnyObject MutationCacheCore::Newer(absl::string_view key, AnyObject stored) {
  base::MutexLock lock(mutex_);
  const auto it = Find(key);
  if (it == entries_.end()) return stored;
  if (stored == nullptr || IsOlder(stored, it->object)) return it->object;
  entries_.erase(it);
  return stored;
}

}  // namespace kube::listers::internal
