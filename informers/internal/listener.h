#ifndef INFORMERS_INTERNAL_LISTENER_H_
#define INFORMERS_INTERNAL_LISTENER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/thread.h"
#include "informers/handler_options.h"
#include "informers/internal/notification.h"
#include "informers/internal/object_access.h"

namespace kube::informers::internal {

// One handler, its queue and its thread. (processorListener of shared_informer.go, which needs
// three goroutines)
//
// The queue has one node for each batch of changes, which all handlers share; its thread takes all
// that there is at once. Thread-safe, but Start, Join and the destructor: those are its owner's.
class Listener {
 public:
  // `access` lives for ever. The options have a name.
  Listener(AnyHandler handler, HandlerOptions options, const ObjectAccess& access);
  ~Listener();

  // Begins to call the handler. RESOURCE_EXHAUSTED: there is no thread left.
  absl::Status Start();
  // Waits for the thread, after Close.
  void Join();

  // Appends a batch, not empty; its resyncs only if `with_resyncs`. Blocks while there is no room,
  // if the options want that, until Close or `ctx` is done; then what is appended does not matter.
  // Callers do not overlap.
  void Push(const Context& ctx, NotificationBatch batch, bool with_resyncs)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // All that was there has been appended: when it is told of, the handler has synced.
  void PushSynced() ABSL_LOCKS_EXCLUDED(mutex_);

  // The call that runs is the last one. Never blocks.
  void Close() ABSL_LOCKS_EXCLUDED(mutex_);
  // Set when there will be no call any more.
  const base::Event& ended() const { return ended_; }
  bool closed() const { return closed_.load(std::memory_order_acquire); }

  // Whether the calling thread is that of a handler, of any informer.
  static bool IsHandlerThread();

  const base::Event& synced() const { return synced_; }
  HandlerStatus status() const ABSL_LOCKS_EXCLUDED(mutex_);
  const HandlerOptions& options() const { return options_; }

 private:
  struct Entry {
    NotificationBatch batch;  // null: the mark of PushSynced
    bool with_resyncs = true;
    size_t count = 0;  // that are told of
  };

  void Loop() ABSL_LOCKS_EXCLUDED(mutex_);
  // False: closed meanwhile.
  bool Tell(const Entry& entry) ABSL_LOCKS_EXCLUDED(mutex_);
  void OnTold() ABSL_LOCKS_EXCLUDED(mutex_);
  size_t pending() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void MergeEntries() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const AnyHandler handler_;
  const HandlerOptions options_;
  const ObjectAccess& access_;

  base::Event synced_;
  base::Event ended_;
  std::atomic<bool> closed_{false};
  // Written by the thread alone.
  std::atomic<int64_t> told_{0};
  // When the present call began, in nanoseconds since the clock's beginning; -1: none runs.
  std::atomic<int64_t> call_began_{-1};

  mutable base::Mutex mutex_;
  base::CondVar filled_;
  base::CondVar room_;
  std::deque<Entry> entries_ ABSL_GUARDED_BY(mutex_);
  // Of the entries; and of those that the thread has taken, before it tells of them.
  size_t queued_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t taken_ ABSL_GUARDED_BY(mutex_) = 0;
  // From how many queued ones on to merge.
  size_t merge_at_ ABSL_GUARDED_BY(mutex_) = 0;
  size_t max_pending_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t suppressed_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t merged_ ABSL_GUARDED_BY(mutex_) = 0;
  absl::Duration waited_ ABSL_GUARDED_BY(mutex_) = absl::ZeroDuration();

  base::Thread thread_;
};

}  // namespace kube::informers::internal

#endif  // INFORMERS_INTERNAL_LISTENER_H_
