#ifndef INFORMERS_SHARDED_LISTER_WATCHER_H_
#define INFORMERS_SHARDED_LISTER_WATCHER_H_

#include <memory>
#include <utility>

#include "apimachinery/meta/object_access.h"
#include "apimachinery/sharding/selector.h"
#include "informers/lister_watcher.h"
#include "listers/stored_object.h"

namespace kube::informers {
namespace internal {

std::shared_ptr<ListerWatcher> MakeShardedListerWatcher(std::shared_ptr<ListerWatcher> source,
                                                        sharding::Selector shard,
                                                        const meta::ObjectAccess& access);

}  // namespace internal

// Returns a ListerWatcher for the objects of one shard, so that the caches of several replicas
// divide the objects of a resource among them:
//
//   KUBE_ASSIGN_OR_RETURN(const sharding::Selector mine, sharding::ShardOf(replica, replicas));
//   KUBE_ASSIGN_OR_RETURN(auto all, MakeListerWatcher(client));
//   return std::make_unique<SharedInformer<ConfigMap>>(
//       MakeShardedListerWatcher(std::move(all), mine));
//
// It asks the server for the shard (`shardSelector`), and also leaves out the objects of other
// shards by itself: servers before 1.36, and those without the feature gate ShardedListAndWatch,
// send all objects. The cache is the same; the server's answers are larger. An object never moves
// to another shard, because its UID and its namespace never change. To change a replica's shard,
// make a new informer. A projection of the source must not drop the field that decides: it would
// then be empty in all objects.
template <listers::StoredObject T>
TypedListerWatcher<T> MakeShardedListerWatcher(TypedListerWatcher<T> source,
                                               sharding::Selector shard) {
  return {.any = internal::MakeShardedListerWatcher(std::move(source.any), std::move(shard),
                                                    meta::kObjectAccess<T>)};
}

}  // namespace kube::informers

#endif  // INFORMERS_SHARDED_LISTER_WATCHER_H_
