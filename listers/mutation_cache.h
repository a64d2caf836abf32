#ifndef LISTERS_MUTATION_CACHE_H_
#define LISTERS_MUTATION_CACHE_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "listers/indexer.h"
#include "listers/internal/mutation_cache_core.h"
#include "listers/internal/traits.h"
#include "listers/stored_object.h"

namespace kube::listers {

struct MutationCacheOptions {
  // For how long what was written is remembered. Default: client-go's usual one.
  absl::Duration time_to_live = absl::Minutes(5);
  // Whether an object that the store lacks is known by what was written. It may be one that was
  // deleted since, until its time is over. Default: no: what the store lacks, is not there.
  bool include_adds = false;
};

// A store, and what this program has written to the server a moment ago, which the store may not
// have yet: so that it does not act on what it knows to be old. (cache.MutationCache)
//
//   KUBE_ASSIGN_OR_RETURN(corev1::Pod updated, pods.Update(ctx, pod));
//   cache.Mutation(std::make_shared<const corev1::Pod>(std::move(updated)));
//   cache.GetByKey("prod/web-0");   // at least as new
//
// The last 100 writes are remembered; of two the newer counts, by its resource version, and where
// one is no number, the store's. See AnySharedInformer::WaitForResourceVersion for waiting instead.
// Thread-safe.
template <StoredObject T>
class MutationCache {
 public:
  using Object = std::shared_ptr<const T>;

  explicit MutationCache(std::shared_ptr<const Indexer<T>> store,
                         const MutationCacheOptions& options = {})
      : store_(std::move(store)),
        include_adds_(options.include_adds),
        core_(internal::TraitsFor<T>::kTraits, options.time_to_live) {}

  // What a create, update or patch has answered.
  void Mutation(Object object) { core_.Add(std::move(object)); }

  // The newer one. Null: there is none.
  Object GetByKey(absl::string_view key) {
    Object stored = store_->GetByKey(key);
    if (stored == nullptr && !include_adds_) return nullptr;
    return std::static_pointer_cast<const T>(core_.Newer(key, std::move(stored)));
  }

 private:
  const std::shared_ptr<const Indexer<T>> store_;
  const bool include_adds_;
  internal::MutationCacheCore core_;
};

}  // namespace kube::listers

#endif  // LISTERS_MUTATION_CACHE_H_
