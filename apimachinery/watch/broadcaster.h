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

// What a Broadcaster does when a watcher has not pulled enough. (watch.FullChannelBehavior)
enum class WhenWatcherIsFull {
  kWait,  // Action blocks until it has: one that is slow holds up all
  kDrop,  // it does not get the event, and is not told; the others do
};

struct BroadcasterOptions {
  // How many events wait for each watcher. Default: upstream's DefaultChanSize; 0 counts as 1.
  size_t queue_length = 100;
  // Default: wait, so that no event is lost.
  WhenWatcherIsFull when_full = WhenWatcherIsFull::kWait;
};

// Gives each event to all who watch. (watch.Broadcaster)
//
//   Broadcaster<corev1::Event> broadcaster({.when_full = WhenWatcherIsFull::kDrop});
//   std::unique_ptr<Watcher<corev1::Event>> log = *broadcaster.Watch();
//   KUBE_RETURN_IF_ERROR(broadcaster.Action(ctx, {.object = std::move(event)}));
//
// Where upstream's has a goroutine and a queue in front of it, this one has neither: Action hands
// the event over on its caller's thread. All watchers get the events in the same order, which is
// that of the Actions. A watcher gets those whose Action begins after its Watch; stop it (or
// destroy it) when it is not wanted any more, or it blocks the others.
//
// Thread-safe. Watchers may outlive the broadcaster, whose destructor is Shutdown.
template <typename T>
class Broadcaster {
 public:
  explicit Broadcaster(const BroadcasterOptions& options = {})
      : core_(std::make_shared<internal::BroadcasterCore>(
            options.queue_length, options.when_full == WhenWatcherIsFull::kWait)) {}
  ~Broadcaster() { Shutdown(); }
  Broadcaster(const Broadcaster&) = delete;
  Broadcaster& operator=(const Broadcaster&) = delete;

  // A watcher of all events from now on. Never blocks. FAILED_PRECONDITION after Shutdown.
  absl::StatusOr<std::unique_ptr<Watcher<T>>> Watch() { return WatchWithPrefix({}); }

  // The same, which first gets `events`, as when it joins late: it has room for them besides its
  // queue. Nothing comes between them and what follows.
  absl::StatusOr<std::unique_ptr<Watcher<T>>> WatchWithPrefix(std::vector<Event<T>> events) {
    std::vector<Event<void>> prefix;
    prefix.reserve(events.size());
    for (Event<T>& event : events) prefix.push_back(internal::ToAny(std::move(event)));
    absl::StatusOr<std::shared_ptr<internal::EventQueue>> queue = core_->Watch(std::move(prefix));
    if (!queue.ok()) return queue.status();
    return std::make_unique<BroadcastWatcher>(core_, *std::move(queue));
  }

  // Gives the event to all who watch now. Blocks while another Action is on its way and, with
  // kWait, while a watcher has no room. FAILED_PRECONDITION after Shutdown, or when it comes
  // meanwhile; ctx.status() when that ends first: then some watchers may have got the event, and
  // others lack it. (Broadcaster.Action; ActionOrDrop is one with a short deadline)
  absl::Status Action(const Context& ctx, Event<T> event) {
    return core_->Action(ctx, internal::ToAny(std::move(event)));
  }

  // Ends all watches; what waits for a watcher can still be pulled. Never blocks. Further calls do
  // nothing.
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
