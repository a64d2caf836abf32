#ifndef INFORMERS_SHARED_INFORMER_H_
#define INFORMERS_SHARED_INFORMER_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/meta/object_access.h"
#include "informers/any_shared_informer.h"
#include "informers/event_handler.h"
#include "informers/handler_options.h"
#include "informers/internal/shared_informer_core.h"
#include "informers/lister_watcher.h"
#include "informers/shared_informer_options.h"
#include "informers/transform.h"
#include "listers/index_function.h"
#include "listers/indexer.h"
#include "listers/lister.h"

namespace kube::informers {

// A cache of one resource's objects, and any number of handlers that hear of its changes, over one
// watch. (cache.SharedIndexInformer)
//
//   KUBE_ASSIGN_OR_RETURN(auto source, MakeListerWatcher(client.CoreV1().Pods("").typed_client()));
//   SharedInformer<corev1::Pod> pods(source, {.resync_period = absl::Minutes(10)});
//   KUBE_RETURN_IF_ERROR(pods.AddEventHandler({.on_add = ...}).status());
//   thread.Start(ctx, "pods", [&](const Context& ctx) { pods.Run(ctx).IgnoreError(); });
//   KUBE_RETURN_IF_ERROR(WaitForCacheSync(ctx, {&pods}));
//   pods.lister().Namespace("prod").Get("web-0");
//
// What it promises (docs/informers.md has it at length):
// * The store is, at each moment, what the server had at some moment, and does not go back, but
//   when the server does. It follows; how far behind it is only the server knows.
// * A handler hears of every change that the informer saw, each object's in order, and at last of
//   the last one. The informer does not see every change: what happened while it had no watch
//   comes as one update, or as a deletion with final_state_unknown.
// * A handler is called after the store was changed, never before.
//
// Most programs have a factory make and run it: see SharedInformerFactoryCore. Thread-safe, but the
// destructor, before which Run must have returned. lister() and store() may outlive it.
template <listers::StoredObject T>
class SharedInformer final : public AnySharedInformer {
 public:
  explicit SharedInformer(TypedListerWatcher<T> source, SharedInformerOptions options = {})
      : SharedInformer(std::move(source), std::move(options),
                       std::make_shared<listers::Indexer<T>>()) {}

  // Adds a handler, at any time. It is told of all objects in the store first, as adds with
  // is_in_initial_list, before this returns or after. FAILED_PRECONDITION: the informer has
  // stopped. RESOURCE_EXHAUSTED: the system has no thread left. Blocks for as long as a
  // batch of changes takes.
  absl::StatusOr<HandlerRegistration> AddEventHandler(EventHandler<T> handler,
                                                      HandlerOptions options = {}) {
    return AddHandler(internal::EraseHandler<T>(std::move(handler)), std::move(options));
  }

  // At any time; FAILED_PRECONDITION after it has stopped. Else as Indexer's. (AddIndexers)
  absl::Status AddIndexers(listers::Indexers<T> indexers) {
    if (IsStopped()) return internal::StoppedError("add indexers", name());
    return store_->AddIndexers(std::move(indexers));
  }
  absl::Status AddIndexer(std::string index, absl::StatusOr<listers::IndexFunction<T>> function) {
    if (IsStopped()) return internal::StoppedError("add indexer", name());
    return store_->AddIndexer(std::move(index), std::move(function));
  }

  // See Transform. FAILED_PRECONDITION: it has started.
  absl::Status SetTransform(Transform<T> transform) {
    return core().SetTransform(internal::EraseTransform<T>(std::move(transform)));
  }

  // To read. Handles: they keep the store, and may outlive the informer.
  listers::Lister<T> lister() const { return listers::Lister<T>(store_, core().resource()); }
  // (GetIndexer)
  std::shared_ptr<const listers::Indexer<T>> store() const { return store_; }

 private:
  SharedInformer(TypedListerWatcher<T> source, SharedInformerOptions options,
                 std::shared_ptr<listers::Indexer<T>> store)
      : AnySharedInformer(std::make_unique<internal::SharedInformerCore>(
            std::move(source.any), meta::kObjectAccess<T>,
            std::shared_ptr<listers::AnyStore>(store, &store->any()), std::move(options))),
        store_(std::move(store)) {}

  const std::shared_ptr<listers::Indexer<T>> store_;
};

}  // namespace kube::informers

#endif  // INFORMERS_SHARED_INFORMER_H_
