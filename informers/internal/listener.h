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

// Counters shared by all listeners of an informer.
struct ListenerMetrics {
  base::Counter delivered = {};
  base::Counter suppressed = {};
  base::Counter merged = {};
};

// One handler with its queue and its thread. (client-go: `processorListener` in shared_informer.go,
// which needs three goroutines)
//
// The queue has one entry per batch of changes; the batch itself is shared by all handlers. The
// thread takes all entries at once. Thread-safe, except for Start, Join and the destructor, which
// only the owner may call.
class Listener {
 public:
  // `access` must outlive the listener. `options.name` must be set. `informer` identifies the
  // listener's informer; it is compared, never dereferenced.
  Listener(const void* informer, AnyHandler handler, HandlerOptions options,
           const meta::ObjectAccess& access, ListenerMetrics metrics);

  // Starts the thread that calls the handler. Returns RESOURCE_EXHAUSTED if there is no thread
  // left; the listener is then closed.
  absl::Status Start() ABSL_LOCKS_EXCLUDED(mutex_);
  // Blocks until the thread has ended. Call it after Close.
  void Join() { thread_.Join(); }

  // Appends a batch, without its resyncs unless `with_resyncs`. With OverflowPolicy::kWait, blocks
  // while the queue is full, until Close or until `ctx` is done; the rest of the batch is then
  // dropped. Calls must not overlap.
  void Push(const Context& ctx, const NotificationBatch& batch, bool with_resyncs)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Appends the initial notifications, regardless of the bound of the queue.
  void PushInitial(const NotificationBatch& batch) ABSL_LOCKS_EXCLUDED(mutex_);
  // Appends a mark: synced() is set when everything before it has been delivered.
  void PushSynced() ABSL_LOCKS_EXCLUDED(mutex_);

  // Drops the queue; a call that is running is the last one. Never blocks.
  void Close() ABSL_LOCKS_EXCLUDED(mutex_);
  bool closed() const { return closed_.load(std::memory_order_acquire); }
  // Set when the handler will not be called again.
  const base::Event& ended() const { return ended_; }

  // Returns the listener, of any informer, whose handler thread is the caller, or null.
  static const Listener* OfThisThread();
  const void* informer() const { return informer_; }

  const base::Event& synced() const { return synced_; }
  HandlerStatus status() const ABSL_LOCKS_EXCLUDED(mutex_);
  const HandlerOptions& options() const { return options_; }

 private:
  // A range of a batch.
  struct Entry {
    NotificationBatch batch;  // null for the mark of PushSynced
    size_t begin = 0;
    size_t end = 0;
    bool with_resyncs = true;
    size_t count = 0;  // notifications in the range that are delivered

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
  // Removes from `rest` as many notifications as there is room for, and returns them.
  Entry Split(Entry& rest) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool WaitForRoom(const Context& ctx) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Replaces all entries by a single batch with one notification per object.
  void Merge() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  size_t pending() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  void Loop() ABSL_LOCKS_EXCLUDED(mutex_);
  // Waits for entries and moves all of them to `entries`. Returns false once the listener is
  // closed.
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
  // Number of calls that have returned; written only by the thread.
  std::atomic<int64_t> told_{0};
  // Start of the running call, in nanoseconds of the monotonic clock; -1 if there is no call.
  std::atomic<int64_t> call_began_{-1};

  mutable base::Mutex mutex_;
  base::CondVar filled_;
  base::CondVar room_;
  bool started_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<Entry> entries_ ABSL_GUARDED_BY(mutex_);
  // Number of notifications in `entries_`, and number of notifications ever taken by the thread.
  size_t queued_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t taken_ ABSL_GUARDED_BY(mutex_) = 0;
  // Entries are merged when `queued_` exceeds this.
  size_t merge_above_ ABSL_GUARDED_BY(mutex_);
  size_t max_pending_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t suppressed_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t merged_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Duration waited_ ABSL_GUARDED_BY(mutex_) = absl::ZeroDuration();

  base::Thread thread_;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_LISTENER_H_
