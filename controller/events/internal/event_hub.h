#ifndef CONTROLLER_EVENTS_INTERNAL_EVENT_HUB_H_
#define CONTROLLER_EVENTS_INTERNAL_EVENT_HUB_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/queue.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "controller/events/internal/event_metrics.h"

namespace kube::events::internal {

// The common part of both broadcasters: each event is put into the queue of every watcher, and each
// watcher has a thread. A full queue drops new events without affecting other queues.
// (client-go: `watch.Broadcaster` with DropIfChannelFull)
//
// Shared by the broadcaster and its recorders, which may outlive the broadcaster; the broadcaster
// shuts it down. Thread-safe.
template <typename E>
class EventHub {
 public:
  using Item = std::shared_ptr<const E>;
  using Queue = base::BoundedQueue<Item>;
  // The function of a watcher's thread. Takes events until Pop fails, which happens when the queue
  // is closed and empty, or soon after the context is done.
  using Body = absl::AnyInvocable<void(const Context&, Queue&)>;

  EventHub(size_t queue_length, EventMetrics metrics)
      : queue_length_(queue_length), metrics_(std::move(metrics)) {}
  ~EventHub() { ShutdownNow(); }
  EventHub(const EventHub&) = delete;
  EventHub& operator=(const EventHub&) = delete;

  const EventMetrics& metrics() const { return metrics_; }

  // Puts the event into all queues. Never blocks. Events dropped by full queues are counted; the
  // start of dropping is logged. Returns FAILED_PRECONDITION after Shutdown.
  absl::Status Publish(const Item& event) ABSL_LOCKS_EXCLUDED(mutex_) {
    size_t begin_to_drop = 0;
    {
      base::MutexLock lock(mutex_);
      if (closed_) {
        metrics_.shutdown.Increment();
        return absl::FailedPreconditionError("record event: the broadcaster is shut down");
      }
      for (auto& [id, watcher] : watchers_) {
        const bool dropped = !watcher->queue.Push(Context(), event).ok();
        if (dropped) metrics_.queue_full.Increment();
        if (dropped && !watcher->dropping) ++begin_to_drop;
        watcher->dropping = dropped;
      }
    }
    if (begin_to_drop > 0) {
      log::Error(
          absl::OkStatus(), "Unable to record event: too many queued events, dropped event",
          {{"event", log::KRef(event->metadata.namespace_.view(), event->metadata.name.view())}});
    }
    return absl::OkStatus();
  }

  // Starts a watcher, which receives all events from now on, and returns its id. Returns
  // FAILED_PRECONDITION after Shutdown, or RESOURCE_EXHAUSTED if the system cannot create a thread.
  absl::StatusOr<int64_t> Start(std::string thread_name, Body body) ABSL_LOCKS_EXCLUDED(mutex_) {
    auto watcher = std::make_unique<Watcher>(queue_length_);
    KUBE_RETURN_IF_ERROR(watcher->thread.Start(Context(), std::move(thread_name),
                                               [this, w = watcher.get(),
                                                run = std::move(body)](const Context& ctx) mutable {
                                                 hub_of_this_thread_ = this;
                                                 watcher_of_this_thread_ = w;
                                                 run(ctx, w->queue);
                                                 w->done.Set();
                                               }),
                         "start event watcher");
    {
      base::MutexLock lock(mutex_);
      if (!closed_) {
        watchers_.emplace(++last_id_, std::move(watcher));
        return last_id_;
      }
    }
    // The thread is joined here, without the lock.
    return absl::FailedPreconditionError("start event watcher: the broadcaster is shut down");
  }

  // Stops a watcher and waits for its thread. If that thread itself calls this, the program is
  // terminated with a message. Has no effect if there is no such watcher.
  void Stop(int64_t id) ABSL_LOCKS_EXCLUDED(mutex_) {
    std::unique_ptr<Watcher> watcher;
    {
      base::MutexLock lock(mutex_);
      const auto found = watchers_.find(id);
      if (found == watchers_.end()) return;
      KUBE_CHECK(found->second.get() != watcher_of_this_thread_)
          << "an event watcher must not stop itself; call StopWatching on another thread";
      watcher = std::move(found->second);
      watchers_.erase(found);
    }
  }

  // Stops accepting events and waits until all queues are empty and all threads have ended. When
  // `ctx` is done first, stops the threads, drops and counts the remaining events and returns the
  // status of `ctx`. If a watcher's thread calls this, the program is terminated with a message.
  absl::Status Shutdown(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_) {
    KUBE_CHECK(hub_of_this_thread_ != this)
        << "an event broadcaster must not be shut down by one of its own watchers; call Shutdown, "
           "or destroy it, on another thread";
    std::map<int64_t, std::unique_ptr<Watcher>> watchers;
    {
      base::MutexLock lock(mutex_);
      closed_ = true;
      watchers.swap(watchers_);
    }
    absl::Status result;
    for (auto& [id, watcher] : watchers) watcher->queue.Close();
    for (auto& [id, watcher] : watchers) {
      absl::Status status = watcher->done.Wait(ctx);
      if (status.ok()) continue;
      result = std::move(status);
      watcher->thread.RequestStop();
    }
    for (auto& [id, watcher] : watchers) {
      watcher->thread.Join();
      while (watcher->queue.TryPop().has_value()) metrics_.shutdown.Increment();
    }
    return base::Annotate(result, "flush events");
  }

  // Shuts down without waiting for the queues to empty.
  void ShutdownNow() {
    CancelScope scope = WithCancel(Context());
    scope.Cancel();
    Shutdown(scope.context()).IgnoreError();  // reports that it did not wait
  }

 private:
  struct Watcher {
    explicit Watcher(size_t queue_length) : queue(queue_length, base::WhenFull::kReject) {}

    Queue queue;
    bool dropping = false;  // guarded by mutex_
    base::Event done;
    base::Thread thread;
  };

  // The hub and the watcher to which the calling thread belongs, or null.
  inline static thread_local const EventHub* hub_of_this_thread_ = nullptr;
  inline static thread_local const Watcher* watcher_of_this_thread_ = nullptr;

  const size_t queue_length_;
  const EventMetrics metrics_;
  base::Mutex mutex_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  int64_t last_id_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<int64_t, std::unique_ptr<Watcher>> watchers_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::events::internal

#endif  // CONTROLLER_EVENTS_INTERNAL_EVENT_HUB_H_
