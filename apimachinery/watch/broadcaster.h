#ifndef APIMACHINERY_WATCH_BROADCASTER_H_
#define APIMACHINERY_WATCH_BROADCASTER_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/internal/any_event.h"
#include "apimachinery/watch/internal/broadcaster_core.h"
#include "apimachinery/watch/watcher.h"

namespace kube::watch {

// What a Broadcaster does when the queue of a watcher is full.
// (client-go: `watch.FullChannelBehavior`)
enum class WhenWatcherIsFull {
  kWait,  // Action blocks, and all watchers wait
  kDrop,  // only this watcher misses the event, unnoticed
};

struct BroadcasterOptions {
  // Number of events queued for each watcher. Default: client-go's DefaultChanSize. 0 counts as 1.
  size_t queue_length = 100;
  // Policy for a full queue. Default: wait, so that no event is lost.
  WhenWatcherIsFull when_full = WhenWatcherIsFull::kWait;
};

// A Broadcaster distributes each event to all watchers. (client-go: `watch.Broadcaster`)
//
//   Broadcaster<corev1::Event> broadcaster({.when_full = WhenWatcherIsFull::kDrop});
//   KUBE_ASSIGN_OR_RETURN(std::unique_ptr<Watcher<corev1::Event>> watcher, broadcaster.Watch());
//   KUBE_RETURN_IF_ERROR(broadcaster.Action(ctx, {.object = event}));
//   return watcher->Next(ctx);
//
// client-go distributes events on a goroutine of its own, behind a queue; here Action does it on
// the caller's thread. All watchers get the events in the order of the calls of Action. A watcher
// gets the events whose Action begins after its Watch. Stop or destroy a watcher that is no longer
// needed: with kWait its full queue would block the others.
//
// Thread-safe. Watchers may outlive the broadcaster. The destructor calls Shutdown.
template <typename T>
class Broadcaster {
 public:
  explicit Broadcaster(const BroadcasterOptions& options = {})
      : core_(std::make_shared<internal::BroadcasterCore>(
            options.queue_length, options.when_full == WhenWatcherIsFull::kWait)) {}
  ~Broadcaster() { Shutdown(); }
  Broadcaster(const Broadcaster&) = delete;
  Broadcaster& operator=(const Broadcaster&) = delete;

  // Returns a watcher of all further events. Never blocks. Returns FAILED_PRECONDITION after
  // Shutdown.
  absl::StatusOr<std::unique_ptr<Watcher<T>>> Watch() { return WatchWithPrefix({}); }

  // Returns a watcher that gets `events` first, and then all further events. Its queue has room for
  // at least `events` and one more. Never blocks. Returns FAILED_PRECONDITION after Shutdown.
  // (client-go: `Broadcaster.WatchWithPrefix`)
  absl::StatusOr<std::unique_ptr<Watcher<T>>> WatchWithPrefix(std::vector<Event<T>> events) {
    std::vector<Event<void>> prefix;
    prefix.reserve(events.size());
    for (Event<T>& event : events) prefix.push_back(internal::ToAny(std::move(event)));
    absl::StatusOr<std::shared_ptr<internal::EventQueue>> queue = core_->Watch(std::move(prefix));
    if (!queue.ok()) return queue.status();
    return std::make_unique<BroadcastWatcher>(core_, *std::move(queue));
  }

  // Gives the event to all current watchers. Blocks while another Action runs and, with kWait,
  // while the queue of a watcher is full. Returns FAILED_PRECONDITION if Shutdown has been called
  // before or meanwhile, and ctx.status() if `ctx` ends first; in both cases some watchers may have
  // got the event and others not. (client-go: `Broadcaster.Action`; use a short deadline for
  // `ActionOrDrop`)
  absl::Status Action(const Context& ctx, Event<T> event) {
    return core_->Action(ctx, internal::ToAny(std::move(event)));
  }

  // Ends all watches; events that are already queued can still be pulled. Never blocks. Further
  // calls have no effect.
  void Shutdown() { core_->Shutdown(); }

 private:
  class BroadcastWatcher final : public Watcher<T> {
   public:
    BroadcastWatcher(std::shared_ptr<internal::BroadcasterCore> core,
                     std::shared_ptr<internal::EventQueue> queue)
        : core_(std::move(core)), queue_(std::move(queue)) {}
    ~BroadcastWatcher() override { BroadcastWatcher::Stop(); }

    absl::StatusOr<std::optional<Event<T>>> Next(const Context& ctx) override {
      return internal::NextOf<T>(*queue_, ctx);
    }
    void Stop() override { core_->Remove(queue_); }

   private:
    const std::shared_ptr<internal::BroadcasterCore> core_;
    const std::shared_ptr<internal::EventQueue> queue_;
  };

  const std::shared_ptr<internal::BroadcasterCore> core_;
};

}  // namespace kube::watch

#endif  // APIMACHINERY_WATCH_BROADCASTER_H_
