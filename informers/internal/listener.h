#ifndef INFORMERS_INTERNAL_LISTENER_H_
#define INFORMERS_INTERNAL_LISTENER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/meta/object_access.h"
#include "informers/handler_options.h"
#include "informers/internal/notification.h"

namespace kube::informers::internal {

// What all listeners of an informer count.
struct ListenerMetrics {
  base::Counter delivered = {};
  base::Counter suppressed = {};
  base::Counter merged = {};
};

// One handler, its queue and its thread. (processorListener of shared_informer.go, which needs
// three goroutines)
//
// The queue has a node for each batch of changes, which all handlers share; the thread takes all
// that there is at once. Thread-safe, but Start, Join and the destructor, which are for its owner.
class Listener {
 public:
  // `access` lives for ever. The options have a name.
  // `informer` is the one that it is of; it is only compared.
  Listener(const void* informer, AnyHandler handler, HandlerOptions options,
           const meta::ObjectAccess& access, ListenerMetrics metrics);

  // Begins to call the handler. RESOURCE_EXHAUSTED: there is no thread left, and it is closed.
  absl::Status Start() ABSL_LOCKS_EXCLUDED(mutex_);
  // Blocks until the handler is called no more: after Close.
  void Join() { thread_.Join(); }

  // Appends a batch; its resyncs only if `with_resyncs`. Blocks while there is no room, if the
  // options say so, until Close or `ctx` is done: then the rest of the batch does not matter any
  // more. Callers do not overlap.
  void Push(const Context& ctx, const NotificationBatch& batch, bool with_resyncs)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Appends what there is already, whether there is room or not.
  void PushInitial(const NotificationBatch& batch) ABSL_LOCKS_EXCLUDED(mutex_);
  // When it has told of all that was appended before this, it has synced.
  void PushSynced() ABSL_LOCKS_EXCLUDED(mutex_);

  // The call that runs is the last one. Never blocks.
  void Close() ABSL_LOCKS_EXCLUDED(mutex_);
  bool closed() const { return closed_.load(std::memory_order_acquire); }
  // Set when there will be no call any more.
  const base::Event& ended() const { return ended_; }

  // The listener whose thread is calling, of whatever informer; null: another thread is.
  static const Listener* OfThisThread();
  const void* informer() const { return informer_; }

  const base::Event& synced() const { return synced_; }
  HandlerStatus status() const ABSL_LOCKS_EXCLUDED(mutex_);
  const HandlerOptions& options() const { return options_; }

 private:
  // A part of a batch.
  struct Entry {
    NotificationBatch batch;  // null: the mark of PushSynced
    size_t begin = 0;
    size_t end = 0;
    bool with_resyncs = true;
    size_t count = 0;  // that are told of

    bool Tells(const AnyNotification& notification) const {
      return with_resyncs || !notification.is_resync;
    }
  };

  bool waits() const {
    return options_.max_pending > 0 && options_.overflow == OverflowPolicy::kWait;
  }
  bool merges() const {
    return options_.max_pending > 0 && options_.overflow == OverflowPolicy::kMerge;
  }

  void Append(Entry entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The first part of `rest` for which there is room, which is taken off it.
  Entry Split(Entry& rest) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool WaitForRoom(const Context& ctx) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // All that waits becomes one batch, with one notification for each object.
  void Merge() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  size_t pending() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  void Loop() ABSL_LOCKS_EXCLUDED(mutex_);
  // False: nothing any more.
  bool Take(std::deque<Entry>& entries) ABSL_LOCKS_EXCLUDED(mutex_);
  void Tell(const Entry& entry) ABSL_LOCKS_EXCLUDED(mutex_);

  const void* const informer_;
  const AnyHandler handler_;
  const HandlerOptions options_;
  const meta::ObjectAccess& access_;
  const ListenerMetrics metrics_;

  base::Event synced_;
  base::Event ended_;
  std::atomic<bool> closed_{false};
  // Written by the thread alone.
  std::atomic<int64_t> told_{0};
  // When the present call began, in nanoseconds of the monotonic clock; -1: none runs.
  std::atomic<int64_t> call_began_{-1};

  mutable base::Mutex mutex_;
  base::CondVar filled_;
  base::CondVar room_;
  bool started_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<Entry> entries_ ABSL_GUARDED_BY(mutex_);
  // Notifications of the entries, and of those that the thread has ever taken.
  size_t queued_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t taken_ ABSL_GUARDED_BY(mutex_) = 0;
  // With more queued ones than this they are merged.
  size_t merge_above_ ABSL_GUARDED_BY(mutex_);
  size_t max_pending_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t suppressed_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t merged_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Duration waited_ ABSL_GUARDED_BY(mutex_) = absl::ZeroDuration();

  base::Thread thread_;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_LISTENER_H_
