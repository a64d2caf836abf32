#ifndef APISERVER_WATCH_WATCH_SESSION_H_
#define APISERVER_WATCH_WATCH_SESSION_H_

#include <functional>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/timer.h"
#include "apiserver/internal/step_runner.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/watch/watch_stream.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

struct WatchSessionOptions {
  // Time between two bookmarks.
  absl::Duration bookmark_interval = absl::Minutes(1);
  // Starts a thread that calls a function once. Null if the stream never blocks.
  std::function<absl::Status(std::function<void()>)> start_thread = {};
};

// A watch that a client reads: connects its stream, its exchange and what wakes it. Threads that
// change the storage write its events, unless it has threads of its own. A slow client delays
// nobody and takes little memory: if 64 KiB wait for it, nothing is added until it has read, and it
// gets a 410 if the history has moved on by then.
//
// Thread-safe.
class WatchSession : public std::enable_shared_from_this<WatchSession> {
 public:
  WatchSession(std::shared_ptr<Storage> storage, std::unique_ptr<WatchStream> stream,
               std::shared_ptr<httpserver::Exchange> exchange, WatchSessionOptions options);

  // Sends the headers and the first events. `ended` is called once when the watch is over: on any
  // thread, perhaps before this returns. It may destroy the session.
  void Start(std::function<void()> ended);

  // Ends the watch after the events so far, unless `resources` still has its resource unchanged.
  void EndUnlessOf(const Resources& resources);

  // Writes the events that are due. If another thread is doing so, that one continues instead.
  // With WatchSessionOptions::start_thread, leaves it to a thread, and does not block.
  void Pump();

 private:
  void PumpHere();
  // Writes once. Returns false if the watch is over.
  bool WriteNext();
  void Bookmark();
  void ArmBookmark(int which);
  // Ends the watch because its timeout has passed.
  void Finish();
  void End();

  const std::shared_ptr<Storage> storage_;
  const std::shared_ptr<httpserver::Exchange> exchange_;
  const WatchSessionOptions options_;
  const absl::Duration bookmark_interval_;
  const bool bookmarks_;

  StepRunner steps_;
  base::Mutex mutex_;
  // Used only by the thread that runs `steps_`.
  const std::unique_ptr<WatchStream> stream_;
  bool wants_bookmark_ ABSL_GUARDED_BY(mutex_) = false;
  bool wants_end_ ABSL_GUARDED_BY(mutex_) = false;
  // Whether a thread was started that has not begun.
  bool thread_comes_ ABSL_GUARDED_BY(mutex_) = false;
  std::function<void()> ended_ ABSL_GUARDED_BY(mutex_);

  std::shared_ptr<void> changed_;
  std::shared_ptr<void> fresh_;
  // Set while the stream lags. Used only by the thread that runs `steps_`.
  std::shared_ptr<void> later_;
  DoneCallback gone_;
  base::Timer timeout_;
  // Used in turn, because a callback cannot start its own timer.
  base::Timer bookmark_timers_[2];
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WATCH_WATCH_SESSION_H_
