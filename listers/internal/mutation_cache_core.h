#ifndef LISTERS_INTERNAL_MUTATION_CACHE_CORE_H_
#define LISTERS_INTERNAL_MUTATION_CACHE_CORE_H_

#include <list>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "listers/internal/value_index.h"

namespace kube::listers::internal {

// The part of MutationCache that does not depend on the object type. Thread-safe.
class MutationCacheCore {
 public:
  using AnyObject = std::shared_ptr<const void>;

  // `traits` must outlive the cache.
  MutationCacheCore(const ObjectTraits& traits, absl::Duration time_to_live)
      : traits_(traits), time_to_live_(time_to_live) {}

  void Add(AnyObject object) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the newer one of `stored`, which may be null, and the remembered object, if there is
  // one.
  AnyObject Newer(absl::string_view key, AnyObject stored) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Entry {
    std::string key;
    AnyObject object;
    base::MonotonicTime end;
  };
  using Entries = std::list<Entry>;

  // Drops expired entries, and returns the entry of `key` moved to the front, or the end.
  Entries::iterator Find(absl::string_view key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsOlder(const AnyObject& a, const AnyObject& b) const;

  const ObjectTraits& traits_;
  const absl::Duration time_to_live_;

  base::Mutex mutex_;
  // Ordered by last use, the latest first. Limited to 100 entries, which are searched linearly.
  Entries entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_MUTATION_CACHE_CORE_H_
