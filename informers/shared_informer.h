#ifndef INFORMERS_SHARED_INFORMER_H_
#define INFORMERS_SHARED_INFORMER_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
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

// Caches the objects of one resource and notifies any number of handlers of changes, using a single
// watch. (client-go: `cache.SharedIndexInformer`)
//
//   KUBE_ASSIGN_OR_RETURN(const auto source, MakeListerWatcher(PodClient(client, kPods)));
//   SharedInformer<corev1::Pod> pods(source);
//   ...
//   KUBE_RETURN_IF_ERROR(pods.AddEventHandler({.on_add = on_add}).status());
//   kube::base::Thread thread;  // after what it uses: it ends first
//   const auto run = [&](const kube::Context& run_ctx) { pods.Run(run_ctx).IgnoreError(); };
//   KUBE_RETURN_IF_ERROR(thread.Start(ctx, "pods", run));
//   KUBE_RETURN_IF_ERROR(WaitForCacheSync(ctx, {&pods}, {.fail_fast = true}));
//
// Guarantees (docs/informers.md describes them in full):
// * The store always equals a state that the server had at some moment, and never goes back to an
//   earlier state unless the server does. It lags behind the server by an unknown time.
// * A handler is notified of every change that the informer saw, in order for each object, ending
//   with the latest one. The informer does not see every change: changes made while it had no watch
//   arrive as one update, or as a delete with `final_state_unknown`.
// * A handler is called after the store was changed, never before.
//
// Most programs let a factory make and run informers; see SharedInformerFactoryCore. Thread-safe,
// except for the destructor: Run must have returned before it. Results of lister() and store() may
// outlive the informer.
template <listers::StoredObject T>
class SharedInformer final : public AnySharedInformer {
 public:
  explicit SharedInformer(TypedListerWatcher<T> source, SharedInformerOptions options = {})
      : SharedInformer(std::move(source), std::move(options),
                       std::make_shared<listers::Indexer<T>>()) {}

  // Adds a handler, before or while the informer runs. The handler is first called for each object
  // in the store, as adds with `is_in_initial_list`; these calls may begin before this returns.
  // Blocks while a batch of changes is being stored. Returns FAILED_PRECONDITION if the informer
  // has stopped, or RESOURCE_EXHAUSTED if the system cannot create a thread.
  absl::StatusOr<HandlerRegistration> AddEventHandler(EventHandler<T> handler,
                                                      HandlerOptions options = {}) {
    return AddHandler(internal::EraseHandler<T>(std::move(handler)), std::move(options));
  }

  // Adds indexes at any time; errors are those of Indexer::AddIndexers. Returns FAILED_PRECONDITION
  // if the informer has stopped. (client-go: `AddIndexers`)
  absl::Status AddIndexers(listers::Indexers<T> indexers) {
    if (IsStopped()) return internal::StoppedError("add indexers", name());
    return store_->AddIndexers(std::move(indexers));
  }
  absl::Status AddIndexer(std::string index, absl::StatusOr<listers::IndexFunction<T>> function) {
    if (IsStopped()) return internal::StoppedError("add indexer", name());
    return store_->AddIndexer(std::move(index), std::move(function));
  }

  // Removes an index, if there is one of this name. Snapshots that have it keep it. client-go has
  // no such function.
  void RemoveIndexer(absl::string_view name) { store_->RemoveIndexer(name); }

  // Sets a transform for objects before they are stored; see Transform. Returns FAILED_PRECONDITION
  // if the informer has started.
  absl::Status SetTransform(Transform<T> transform) {
    return core().SetTransform(internal::EraseTransform<T>(std::move(transform)));
  }

  // Returns a read-only view of the store. Views keep the store alive and may outlive the informer.
  listers::Lister<T> lister() const { return listers::Lister<T>(store_, core().resource()); }
  // Returns the store itself. (client-go: `GetIndexer`)
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
