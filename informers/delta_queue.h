#ifndef INFORMERS_DELTA_QUEUE_H_
#define INFORMERS_DELTA_QUEUE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "informers/delta.h"
#include "informers/internal/delta_queue_core.h"

namespace kube::informers {

struct DeltaQueueOptions {
  // So many deltas wait; then Add and its siblings do, and the watch is read no further. A list is
  // one delta, whatever its length. Default: two batches, from where on client-go's producers wait
  // for its consumer too (its own queue has no bound).
  size_t max_length = 2000;
  // The most that Pop hands over at once. Default: client-go's.
  size_t max_batch = 1000;
};

// What a reflector saw and the store does not have yet, in order. (cache.RealFIFO as informers of
// 1.36 use it: AtomicEvents, UnlockWhileProcessing, EmitDeltaTypeBookmark. INF-10)
//
//   DeltaQueue<corev1::Pod> queue;
//   KUBE_RETURN_IF_ERROR(queue.Replace(ctx, pods, "120"));          // the reflector's thread
//   while (queue.Pop(ctx, [&](std::vector<Delta<corev1::Pod>> deltas, bool is_initial) { ...
//   }).ok()) {}
//
// Every delta comes out, in the order in which it went in, none merged with another: of an object
// all, and of different objects too. Pop hands over batches in which no key is twice; what is about
// all objects, a list, a sync, a bookmark, is alone. What came after the first list is in no batch
// with what came before.
//
// Thread-safe; one thread pops. Waits end with their Context or Close.
template <typename T>
class DeltaQueue {
 public:
  using Object = std::shared_ptr<const T>;

  explicit DeltaQueue(const DeltaQueueOptions& options = {})
      : core_(options.max_length, options.max_batch) {}

  // ---- the producer: all block while the queue is full. Errors: ctx.status(), and
  // FAILED_PRECONDITION after Close; then nothing was added.

  absl::Status Add(const Context& ctx, Object object) {
    return Push(ctx, DeltaType::kAdded, std::move(object));
  }
  absl::Status Update(const Context& ctx, Object object) {
    return Push(ctx, DeltaType::kUpdated, std::move(object));
  }
  absl::Status Delete(const Context& ctx, Object last_state) {
    return Push(ctx, DeltaType::kDeleted, std::move(last_state));
  }
  // All objects there are, as of this version: one delta. What is missing among them is found by
  // whoever has the store.
  absl::Status Replace(const Context& ctx, std::vector<Object> objects,
                       std::string resource_version) {
    for (const Object& object : objects) KUBE_CHECK(object != nullptr) << "queue no object";
    return core_.Push(ctx, {.type = DeltaType::kReplaced,
                            .objects = {std::make_move_iterator(objects.begin()),
                                        std::make_move_iterator(objects.end())},
                            .resource_version = std::move(resource_version)});
  }
  // (RealFIFO.Resync)
  absl::Status Resync(const Context& ctx) { return core_.Push(ctx, {.type = DeltaType::kSync}); }
  absl::Status Bookmark(const Context& ctx, std::string resource_version) {
    return core_.Push(
        ctx, {.type = DeltaType::kBookmark, .resource_version = std::move(resource_version)});
  }
  // Any of these.
  absl::Status Push(const Context& ctx, Delta<T> delta) {
    switch (delta.type) {
      case DeltaType::kReplaced:
        return Replace(ctx, std::move(delta.objects), std::move(delta.resource_version));
      case DeltaType::kSync:
        return Resync(ctx);
      case DeltaType::kBookmark:
        return Bookmark(ctx, std::move(delta.resource_version));
      default:
        return Push(ctx, delta.type, std::move(delta.object));
    }
  }

  // ---- the consumer

  // Blocks until there is something, calls `process` with a batch, without a lock, and returns its
  // status; the batch is gone also when that is an error. `is_initial`: synced() is not set yet.
  // Errors of its own: ctx.status(); OUT_OF_RANGE when the queue is closed and drained.
  // (RealFIFO.PopBatch)
  absl::Status Pop(
      const Context& ctx,
      absl::FunctionRef<absl::Status(std::vector<Delta<T>> deltas, bool is_initial)> process) {
    return core_.Pop(ctx, [process](std::vector<Core::Item> items, bool is_initial) {
      std::vector<Delta<T>> deltas;
      deltas.reserve(items.size());
      for (Core::Item& item : items) deltas.push_back(FromItem(std::move(item)));
      return process(std::move(deltas), is_initial);
    });
  }

  // What is in the queue can still be popped; nothing can be added. Never blocks.
  void Close() { core_.Close(); }

  // Set when all of the first Replace, and what came before it, has been processed; or at once,
  // when the first thing is no Replace. Bookmarks and syncs do not count. (Queue.HasSynced)
  bool HasSynced() const { return core_.synced().IsSet(); }
  const base::Event& synced() const { return core_.synced(); }

  // Deltas that wait.
  size_t length() const { return core_.length(); }

 private:
  using Core = internal::DeltaQueueCore;

  absl::Status Push(const Context& ctx, DeltaType type, Object object) {
    KUBE_CHECK(object != nullptr) << "queue no object";
    const void* const any = object.get();
    return core_.Push(ctx, {.type = type,
                            .key = internal::KeyOf(internal::kObjectAccess<T>, any),
                            .object = std::move(object)});
  }

  static Delta<T> FromItem(Core::Item item) {
    Delta<T> delta = {.type = item.type,
                      .object = std::static_pointer_cast<const T>(std::move(item.object)),
                      .resource_version = std::move(item.resource_version)};
    delta.objects.reserve(item.objects.size());
    for (auto& object : item.objects) {
      delta.objects.push_back(std::static_pointer_cast<const T>(std::move(object)));
    }
    return delta;
  }

  Core core_;
};

}  // namespace kube::informers

#endif  // INFORMERS_DELTA_QUEUE_H_
