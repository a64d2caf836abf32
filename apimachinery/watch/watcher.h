#ifndef APIMACHINERY_WATCH_WATCHER_H_
#define APIMACHINERY_WATCH_WATCHER_H_

#include <optional>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/watch/event.h"

namespace kube::watch {

// A running watch. Whoever wants its events pulls them, one at a time, on his own thread. Upstream
// sends them into a channel, for which each watch has a goroutine; here none has a thread.
// (watch.Interface)
//
//   while (true) {
//     absl::StatusOr<std::optional<Event<Pod>>> event = watcher->Next(ctx);
//     if (!event.ok()) return event.status();       // ctx is done
//     if (!event->has_value()) break;               // the watch has ended: list, or watch again
//     if ((*event)->type == EventType::kError) ...  // as
//     errors::IsResourceExpired((*event)->error)
//   }
//
// Next is for one thread at a time; Stop is thread-safe. The destructor stops the watch; nobody may
// be in Next then.
template <typename T>
class Watcher {
 public:
  virtual ~Watcher() = default;

  // Blocks until there is an event, the watch has ended, or `ctx` is done.
  //   an event     also one of type kError: what is wrong with the watch is an event, after which
  //                it ends
  //   nothing      it has ended, and stays so: the server did it, or Stop
  //   an error     ctx.status(). No event is lost: another Next goes on where this one was
  virtual absl::StatusOr<std::optional<Event<T>>> Next(const Context& ctx) = 0;

  // Whether an event is there already, which Next would return at once. False: perhaps, too. For
  // those who do something together for events that come together. Of the thread that calls Next.
  virtual bool HasNext() const { return false; }

  // Ends the watch and wakes a Next that blocks. Events that were there already may still come.
  // Never blocks; once is enough.
  virtual void Stop() = 0;
};

// A watch without events, which has ended. (watch.NewEmptyWatch)
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
