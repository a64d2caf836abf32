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

namespace kube::workqueue {

template <QueueKey Key>
class Queue;

// A key that a worker has in hand: until this has gone, nobody else gets the key. Movable; of one
// thread at a time. Goes before its queue does.
template <QueueKey Key>
class Item {
 public:
  Item(Item&&) = default;
  // Ends what it had.
  Item& operator=(Item&&) = default;
  ~Item() = default;

  const Key& key() const {
    if (!key_.has_value()) key_ = KeyTraits<Key>::FromText(text());
    return *key_;
  }
  // How it is kept, and what logs should say.
  absl::string_view text() const { return claim_.text(); }
  // The one it came out with; zero with QueueOrder::kFifo.
  int16_t priority() const { return claim_.priority(); }

  // The worker has finished, well or not. If the key was added meanwhile it is in the queue again.
  // The destructor does it too; afterwards nothing may be asked. (Done)
  void Done() { claim_.Release(); }

 private:
  friend class Queue<Key>;
  explicit Item(internal::QueueCore::Claim claim) : claim_(std::move(claim)) {}

  internal::QueueCore::Claim claim_;
  mutable std::optional<Key> key_;  // made when it is asked for
};

// Keys of objects that have something to be done: between handlers, which say so, and workers,
// which do it. (client-go's workqueue: TypedInterface, TypedDelayingInterface and
// TypedRateLimitingInterface in one; with QueueOrder::kPriority controller-runtime's
// priorityqueue)
//
//   Queue<meta::ObjectName> queue({.name = "webs", .metrics = metrics});
//   queue.Add(meta::ObjectNameOf(pod));                        // a handler
//   while (true) {                                             // a worker; see also RunWorkers
//     absl::StatusOr<Item<meta::ObjectName>> item = queue.Get(ctx);
//     if (!item.ok()) return;
//     if (Sync(ctx, item->key()).ok()) queue.Forget(item->key());
//     else queue.AddRateLimited(item->key());
//   }                                                          // the item is done here
//
// The contract:
// * A key is in the queue once, however often it was added: what is to be done is to bring the
//   object to its present state, not to repeat each event.
// * A key is with one worker at a time. If it is added while a worker has it, it is in the queue
//   again once that has finished: no change is missed.
// * First in, first out; with QueueOrder::kPriority within each priority.
// It has no bound: it is as long as there are objects, which are in memory too.
//
// Delayed keys need no thread: a worker that waits in Get wakes when the next is due, and every
// call counts in what has become due meanwhile. With metrics the first Get starts a thread, which
// ends with ShutDown.
//
// Thread-safe. It is destroyed after the last Item, and when nobody is in a call. Never calls what
// is its user's but for the rate limiter, and that without a lock.
template <QueueKey Key>
class Queue {
 public:
  explicit Queue(QueueOptions options = {}) : core_(std::move(options)) {}

  // Puts the key into the queue. Nothing after ShutDown. Never blocks.
  void Add(const Key& key) { core_.Add(KeyTraits<Key>::ToText(key)); }

  // The same later, or with a priority.
  //
  // kFifo: the key waits aside. Of two waits of a key the earlier one counts; one that is
  // added now, or is in the queue, may wait besides, and then comes twice.
  // kPriority: there is one wait, priority and place of a key: the earlier time, and the higher
  // priority, with which it goes behind the others of that.
  void Add(const Key& key, const AddOptions& options) {
    core_.AddWith(KeyTraits<Key>::ToText(key), options);
  }
  void AddAfter(const Key& key, absl::Duration delay) { Add(key, {.after = delay}); }
  // For a key that failed.
  void AddRateLimited(const Key& key) { Add(key, {.rate_limited = true}); }

  // The key's failures are over: the next one counts as the first. Do it after success, and when a
  // key is given up; it stays in the queue if it is there.
  void Forget(const Key& key) { core_.rate_limiter().Forget(KeyTraits<Key>::ToText(key)); }
  int NumRequeues(const Key& key) const {
    return core_.rate_limiter().NumRequeues(KeyTraits<Key>::ToText(key));
  }

  // Blocks until there is a key, and takes it. Errors: ctx.status(), even if there are keys;
  // OUT_OF_RANGE after ShutDown when there are no more: let the worker end.
  absl::StatusOr<Item<Key>> Get(const Context& ctx) {
    absl::StatusOr<internal::QueueCore::Claim> claim = core_.Get(ctx);
    if (!claim.ok()) return claim.status();
    return Item<Key>(*std::move(claim));
  }

  // How many keys a Get could take now. For information: it may be another number at once. (Len)
  size_t length() { return core_.length(); }
  // How many keys wait for their time.
  size_t delayed() { return core_.delayed(); }

  // From now on nothing is added, and what waits for its time is gone; what is in the queue can
  // still be taken. Again: ends ShutDownWithDrain. Never blocks.
  void ShutDown() { core_.ShutDown(); }

  // The same, and blocks until workers have taken all keys and finished them; those added while a
  // worker had them too. Errors: ctx.status(); CANCELLED if ShutDown is called meanwhile.
  // client-go's returns at once, whatever is in the queue, when no worker has a key just then.
  absl::Status ShutDownWithDrain(const Context& ctx) { return core_.ShutDownWithDrain(ctx); }

  bool shutting_down() const { return core_.shutting_down(); }

 private:
  internal::QueueCore core_;
};

}  // namespace kube::workqueue

#endif  // CONTROLLER_WORKQUEUE_QUEUE_H_
