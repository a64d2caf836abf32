#ifndef APIMACHINERY_WATCH_WATCHER_H_
#define APIMACHINERY_WATCH_WATCHER_H_

#include <optional>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/watch/event.h"

namespace kube::watch {

// A running watch, whose events the caller pulls one at a time on its own thread. client-go's sends
// them into a channel from a goroutine of its own; here a watch has no thread.
// (client-go: `watch.Interface`)
//
//   while (true) {
//     KUBE_ASSIGN_OR_RETURN(std::optional<Event<Pod>> event, watcher.Next(ctx));
//     if (!event.has_value()) return absl::OkStatus();            // the watch has ended
//     if (event->type == EventType::kError) return event->error;  // see errors::IsResourceExpired
//     handle(*event->object);
//   }
//
// One thread at a time may call Next; Stop is thread-safe. The destructor stops the watch; no
// thread may be in Next then.
template <typename T>
class Watcher {
 public:
  virtual ~Watcher() = default;

  // Blocks until there is an event, the watch has ended, or `ctx` is done. Returns
  // - an event. One of type kError tells what is wrong with the watch, which ends after it.
  // - nullopt once the watch has ended, by the server or by Stop; further calls return it again.
  // - ctx.status() if `ctx` is done. No event is lost: the next call continues.
  virtual absl::StatusOr<std::optional<Event<T>>> Next(const Context& ctx) = 0;

  // Returns whether Next would return an event at once; may return false although it would. For
  // callers that handle events that arrive together in one batch. Only the thread that calls Next
  // may call it.
  virtual bool HasNext() const { return false; }

  // Ends the watch and wakes a Next that blocks. Next may still return events that were already
  // received. Never blocks; further calls have no effect.
  virtual void Stop() = 0;
};

// A watch that has no events and has ended. (client-go: `watch.NewEmptyWatch`)
template <typename T>
class EmptyWatcher final : public Watcher<T> {
 public:
  absl::StatusOr<std::optional<Event<T>>> Next(const Context& ctx) override {
    if (ctx.done()) return ctx.status();
    return std::optional<Event<T>>();
  }
  void Stop() override {}
};

}  // namespace kube::watch

#endif  // APIMACHINERY_WATCH_WATCHER_H_
