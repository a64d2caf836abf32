#ifndef CONTROLLER_WORKQUEUE_QUEUE_H_
#define CONTROLLER_WORKQUEUE_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "controller/workqueue/internal/queue_core.h"
#include "controller/workqueue/key_traits.h"
#include "controller/workqueue/queue_options.h"
#include "controller/workqueue/queue_status.h"

namespace kube::workqueue {

template <QueueKey Key>
class Queue;

// A key that a worker is processing. While it exists, no other worker gets the key. Movable; used
// by one thread at a time. Must be destroyed before its queue.
template <QueueKey Key>
class Item {
 public:
  Item(Item&&) = default;
  // Calls Done for the item held before.
  Item& operator=(Item&&) = default;
  ~Item() = default;

  const Key& key() const {
    if (!key_.has_value()) key_ = KeyTraits<Key>::FromText(text());
    return *key_;
  }
  // Returns the key as stored in the queue, for logs.
  absl::string_view text() const { return claim_.text(); }
  // Returns the priority the key was taken with; zero with QueueOrder::kFifo.
  int16_t priority() const { return claim_.priority(); }

  // Marks the key as processed, successfully or not. If it was added again meanwhile, it returns to
  // the queue. The destructor calls it too. No other method may be called afterwards.
  // (client-go: `Done`)
  void Done() { claim_.Release(); }

 private:
  friend class Queue<Key>;
  explicit Item(internal::QueueCore::Claim claim) : claim_(std::move(claim)) {}

  internal::QueueCore::Claim claim_;
  mutable std::optional<Key> key_;  // set on first use
};

// A queue of keys of objects that need processing, filled by event handlers and emptied by workers.
// (client-go: `TypedInterface`, `TypedDelayingInterface` and `TypedRateLimitingInterface` of
// workqueue in one class; with QueueOrder::kPriority, controller-runtime's `priorityqueue`)
//
//   queue.Add(meta::ObjectNameOf(pod));  // a handler
//   while (true) {                       // a worker; see also RunWorkers
//     absl::StatusOr<Item<meta::ObjectName>> item = queue.Get(ctx);
//     if (!item.ok()) return item.status();
//     const bool synced = Sync(ctx, item->key()).ok();
//     if (synced) queue.Forget(item->key());
//     if (!synced) queue.AddRateLimited(item->key());
//   }  // the item is done here
//
// The contract:
// * A key is in the queue at most once, however often it was added: the worker brings the object to
//   its current desired state and does not replay events.
// * A key is processed by one worker at a time. If it is added while a worker has it, it returns to
//   the queue when the worker has finished, so no change is missed.
// * The order is first in, first out; with QueueOrder::kPriority, within each priority, and
//   QueueOptions::ageing bounds how long a low priority waits.
// * The queue has no bound, as it cannot be longer than the number of objects, which are in memory
//   anyway.
//
// Delayed keys need no thread: a worker that waits in Get wakes up when the next key is due, and
// every call takes keys that have become due into account. With metrics, the first Get starts a
// thread that ends with ShutDown.
//
// Thread-safe. Destroy the queue after the last Item, when no call is running. Of the user's code
// it calls only the rate limiter, without holding a lock.
template <QueueKey Key>
class Queue {
 public:
  explicit Queue(QueueOptions options = {}) : core_(std::move(options)) {}

  // Adds the key to the queue. Has no effect after ShutDown. Never blocks.
  void Add(const Key& key) { core_.Add(KeyTraits<Key>::ToText(key)); }

  // Adds the key with a delay or a priority. Has no effect after ShutDown. Never blocks.
  //
  // With kFifo, a delayed key waits outside the queue. If it is delayed twice, the earlier time
  // counts. A key that is in the queue, or is added to it meanwhile, may also be waiting, and then
  // it comes out twice. With kPriority, a key has one time, one priority and one place: the earlier
  // time and the higher priority win, and with a new priority it is placed behind the other keys of
  // that priority.
  void Add(const Key& key, const AddOptions& options) {
    core_.AddWith(KeyTraits<Key>::ToText(key), options);
  }
  void AddAfter(const Key& key, absl::Duration delay) { Add(key, {.after = delay}); }
  // Adds a failed key with the delay given by the rate limiter.
  void AddRateLimited(const Key& key) { Add(key, {.rate_limited = true}); }

  // Resets the failure count of the key. Call it after success, and when giving the key up. The key
  // stays in the queue if it is there.
  void Forget(const Key& key) { core_.rate_limiter().Forget(KeyTraits<Key>::ToText(key)); }
  int NumRequeues(const Key& key) const {
    return core_.rate_limiter().NumRequeues(KeyTraits<Key>::ToText(key));
  }

  // Blocks until a key is available, and takes it. Returns ctx.status() if `ctx` is done, even if
  // there are keys. Returns OUT_OF_RANGE after ShutDown once the queue is empty; the worker should
  // end then.
  absl::StatusOr<Item<Key>> Get(const Context& ctx) {
    absl::StatusOr<internal::QueueCore::Claim> claim = core_.Get(ctx);
    if (!claim.ok()) return claim.status();
    return Item<Key>(*std::move(claim));
  }

  // Returns the number of keys that can be taken now. May be out of date at once.
  // (client-go: `Len`)
  size_t length() { return core_.length(); }
  // Returns the number of keys that wait for their time.
  size_t delayed() { return core_.delayed(); }

  // Returns what the queue has now, for status pages: ready keys by priority, delayed keys, the
  // oldest ready keys. May be out of date at once. Takes the queue's lock, like Add, for as long as
  // it takes to copy one number for each priority that keys of this queue have had, and the texts
  // of kMostOldestKeys keys; the number of keys in the queue does not matter.
  QueueStatus status() { return core_.status(); }

  // Rejects further keys and drops delayed ones; keys in the queue can still be taken. A second
  // call ends ShutDownWithDrain. Never blocks.
  void ShutDown() { core_.ShutDown(); }

  // Does what ShutDown does, and blocks until workers have taken and finished all keys, including
  // those that were added while a worker had them. Returns ctx.status() if `ctx` is done, or
  // CANCELLED if ShutDown is called meanwhile. (client-go's function returns at once, even if keys
  // are queued, when no worker has a key at that moment.)
  absl::Status ShutDownWithDrain(const Context& ctx) { return core_.ShutDownWithDrain(ctx); }

  bool shutting_down() const { return core_.shutting_down(); }

 private:
  internal::QueueCore core_;
};

}  // namespace kube::workqueue

#endif  // CONTROLLER_WORKQUEUE_QUEUE_H_
