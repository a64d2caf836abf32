#ifndef APISERVER_WATCH_WATCH_SESSION_H_
#define APISERVER_WATCH_WATCH_SESSION_H_

#include <functional>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/timer.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/watch/watch_stream.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// A watch that a client reads: brings together its stream, its exchange, and what wakes it.
// Whoever changes the storage writes to it. A slow client costs nobody time and little memory: when
// enough waits for it, it gets no more until it has read, and 410 if the history is gone by then.
//
// Thread-safe.
class WatchSession : public std::enable_shared_from_this<WatchSession> {
 public:
  WatchSession(std::shared_ptr<Storage> storage, std::unique_ptr<WatchStream> stream,
               std::shared_ptr<httpserver::Exchange> exchange, absl::Duration bookmark_interval);

  // Answers with the header and what there is. `ended` is called once, when it is over: on any
  // thread, perhaps before this returns; it may drop the session.
  void Start(std::function<void()> ended);

  // Ends it behind what has happened, if its resource is none of these any more.
  void EndUnlessOf(const Resources& resources);

  // Writes what there is, unless another thread is doing so, which then looks again.
  void Pump();

 private:
  // One round of it; false: it is over.
  bool WriteNext();
  void Bookmark();
  void ArmBookmark(int which);
  // At its end by time.
  void Finish();
  void End();

  const std::shared_ptr<Storage> storage_;
  const std::shared_ptr<httpserver::Exchange> exchange_;
  const absl::Duration bookmark_interval_;
  const bool bookmarks_;

  base::Mutex mutex_;
  // Of the thread that has `pumping_`.
  const std::unique_ptr<WatchStream> stream_;
  bool pumping_ ABSL_GUARDED_BY(mutex_) = false;
  bool again_ ABSL_GUARDED_BY(mutex_) = false;
  bool wants_bookmark_ ABSL_GUARDED_BY(mutex_) = false;
  bool wants_end_ ABSL_GUARDED_BY(mutex_) = false;
  bool over_ ABSL_GUARDED_BY(mutex_) = false;
  std::function<void()> ended_ ABSL_GUARDED_BY(mutex_);

  std::shared_ptr<void> changed_;
  std::shared_ptr<void> fresh_;
  // While it lags. Of the thread that has `pumping_`.
  std::shared_ptr<void> later_;
  DoneCallback gone_;
  base::Timer timeout_;
  // In turn: a callback cannot start its own timer.
  base::Timer bookmark_timers_[2];
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_WATCH_WATCH_SESSION_H_
