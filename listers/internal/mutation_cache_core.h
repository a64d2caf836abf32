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

// What MutationCache remembers, of any type. Thread-safe.
class MutationCacheCore {
 public:
  using AnyObject = std::shared_ptr<const void>;

  // `traits` live for ever.
  MutationCacheCore(const ObjectTraits& traits, absl::Duration time_to_live)
      : traits_(traits), time_to_live_(time_to_live) {}

  void Add(AnyObject object) ABSL_LOCKS_EXCLUDED(mutex_);
  // Of the one remembered, if there is one, and this, which may be null.
  AnyObject Newer(absl::string_view key, AnyObject stored) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Entry {
    std::string key;
    AnyObject object;
    base::MonotonicTime end;
  };
  using Entries = std::list<Entry>;

  // Without those whose time is over.
  Entries::iterator Find(absl::string_view key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool IsOlder(const AnyObject& a, const AnyObject& b) const;

  const ObjectTraits& traits_;
  const absl::Duration time_to_live_;

  base::Mutex mutex_;
  // The one used last comes first. A hundred at most: they are looked through.
  Entries entries_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_MUTATION_CACHE_CORE_H_
