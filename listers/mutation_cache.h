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

// Options of a MutationCache.
struct MutationCacheOptions {
  // How long a written object is remembered. Default: 5 minutes, as is usual with client-go.
  absl::Duration time_to_live = absl::Minutes(5);
  // Whether to return a written object that the store lacks. It may have been deleted meanwhile, in
  // which case it is returned until its time is over. Default: false, objects missing from the
  // store are reported as missing.
  bool include_adds = false;
};

// Combines a store with the objects that this program has just written and that the store may not
// have received yet, so that the program does not act on outdated objects.
// (client-go: `cache.MutationCache`)
//
//   KUBE_ASSIGN_OR_RETURN(corev1::Pod updated, pods.Update(ctx, pod));
//   cache.Mutation(std::make_shared<const corev1::Pod>(std::move(updated)));
//   return cache.GetByKey("prod/a");  // as new as `updated`, or newer
//
// The last 100 objects are remembered. The one with the higher resource version is returned; if a
// version is not a number, the stored one. To wait for the store instead, see
// AnySharedInformer::WaitForResourceVersion. Thread-safe.
template <StoredObject T>
class MutationCache {
 public:
  using Object = std::shared_ptr<const T>;

  explicit MutationCache(std::shared_ptr<const Indexer<T>> store,
                         const MutationCacheOptions& options = {})
      : store_(std::move(store)),
        include_adds_(options.include_adds),
        core_(internal::TraitsFor<T>::kTraits, options.time_to_live) {}

  // Remembers the object that a create, update or patch has returned.
  void Mutation(Object object) { core_.Add(std::move(object)); }

  // Returns the newer one of the stored and the remembered object, or null.
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
