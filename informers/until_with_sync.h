#ifndef INFORMERS_UNTIL_WITH_SYNC_H_
#define INFORMERS_UNTIL_WITH_SYNC_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "informers/event_handler.h"
#include "informers/lister_watcher.h"
#include "informers/shared_informer.h"
#include "informers/until.h"
#include "informers/wait_for_cache_sync.h"
#include "listers/lister.h"
#include "listers/stored_object.h"

namespace kube::informers {

// Returns whether the objects of the first list fulfil the condition already. An error ends the
// wait. (client-go: `PreconditionFunc`)
template <listers::StoredObject T>
using StoreCondition = std::function<absl::StatusOr<bool>(const listers::Lister<T>&)>;

namespace internal {

// What an informer of its own sees, as a watch. The informer waits for nobody: what is not read yet
// is in its handler's queue. (client-go: `NewIndexerInformerWatcher`)
template <listers::StoredObject T>
class InformerWatcher final : public watch::Watcher<T> {
 public:
  InformerWatcher(const Context& ctx, TypedListerWatcher<T> source)
      : scope_(WithCancel(ctx)), informer_(std::move(source)) {}
  // Blocks until the informer has ended.
  ~InformerWatcher() override { Stop(); }

  // Starts the informer; called once.
  absl::Status Start() {
    const auto push = [this](watch::EventType type, std::shared_ptr<const T> object) {
      // Fails only after Stop, when nobody reads.
      events_.Push(scope_.context(), {.type = type, .object = std::move(object)}).IgnoreError();
    };
    EventHandler<T> handler;
    handler.on_add = [push](const AddEvent<T>& event) {
      push(watch::EventType::kAdded, event.object);
    };
    handler.on_update = [push](const UpdateEvent<T>& event) {
      push(watch::EventType::kModified, event.object);
    };
    handler.on_delete = [push](const DeleteEvent<T>& event) {
      push(watch::EventType::kDeleted, event.object);
    };
    absl::Status added = informer_.AddEventHandler(std::move(handler)).status();
    if (!added.ok()) return added;
    return thread_.Start(scope_.context(), "until-with-sync", [this](const Context& ctx) {
      informer_.Run(ctx).IgnoreError();
      events_.Close();
    });
  }

  absl::StatusOr<std::optional<watch::Event<T>>> Next(const Context& ctx) override {
    absl::StatusOr<watch::Event<T>> event = events_.Pop(ctx);
    if (absl::IsOutOfRange(event.status())) {
      // The informer ends with the context, and may do so before this thread sees it.
      if (ctx.done()) return ctx.status();
      return std::optional<watch::Event<T>>();
    }
    if (!event.ok()) return event.status();
    return std::optional<watch::Event<T>>(*std::move(event));
  }

  void Stop() override {
    scope_.Cancel();
    events_.Close();
  }

  const SharedInformer<T>& informer() const { return informer_; }

 private:
  static constexpr size_t kCapacity = 100;

  CancelScope scope_;
  base::BoundedQueue<watch::Event<T>> events_{kCapacity, base::WhenFull::kBlock};
  SharedInformer<T> informer_;
  base::Thread thread_;
};

}  // namespace internal

// Lists and watches with an informer of its own until all conditions have become true, one after
// the other, and returns the event that fulfilled the last one. Use it to wait for a state of the
// world, as a command does; use Until to see every change.
//
//   const StoreCondition<corev1::ConfigMap> is_gone =
//       [](const listers::Lister<corev1::ConfigMap>& listed) -> absl::StatusOr<bool> {
//     return listed.List().size() == 0;
//   };
//   const EventCondition<corev1::ConfigMap> is_deleted =
//       [](const watch::Event<corev1::ConfigMap>& event) -> absl::StatusOr<bool> {
//     return event.type == watch::EventType::kDeleted;
//   };
//   KUBE_ASSIGN_OR_RETURN(const auto source,
//                         MakeListerWatcher(maps, {.field_selector = "metadata.name=a"}));
//   return UntilWithSync<corev1::ConfigMap>(ctx, source, is_gone, {is_deleted}).status();
//
// After the first list, `precondition` is called with its objects, unless it is null; if it returns
// true, the result is nothing. Then each object of the list is an event of type kAdded. Events are
// in order for each object, not between objects. Lost connections and versions that are too old do
// not end the wait: the informer lists again, so that changes may have been merged into one event,
// and an object that was not changed meanwhile may be an event again.
//
// Blocks until it is done, and then until the informer has ended. Returns the error of a condition;
// ctx.status(); and, if the first list fails with an error that trying again does not cure (see
// CannotSync), that error, with its payload. client-go goes on trying in that case.
// (client-go: `UntilWithSync`)
template <listers::StoredObject T>
absl::StatusOr<std::optional<watch::Event<T>>> UntilWithSync(
    const Context& ctx, TypedListerWatcher<T> source, const StoreCondition<T>& precondition,
    const std::vector<EventCondition<T>>& conditions) {
  internal::InformerWatcher<T> watcher(ctx, std::move(source));
  absl::Status status = watcher.Start();
  if (!status.ok()) return status;
  status = WaitForCacheSync(ctx, {&watcher.informer()}, {.fail_fast = true, .quiet = true});
  if (!status.ok()) return status;
  if (precondition != nullptr) {
    const absl::StatusOr<bool> done = precondition(watcher.informer().lister());
    if (!done.ok()) return done.status();
    if (*done) return std::optional<watch::Event<T>>();
  }
  return UntilWithoutRetry<T>(ctx, watcher, conditions);
}

}  // namespace kube::informers

#endif  // INFORMERS_UNTIL_WITH_SYNC_H_
