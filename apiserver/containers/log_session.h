#ifndef APISERVER_CONTAINERS_LOG_SESSION_H_
#define APISERVER_CONTAINERS_LOG_SESSION_H_

#include <functional>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/containers/container_log.h"
#include "apiserver/containers/log_reader.h"
#include "apiserver/internal/step_runner.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// A log that a client follows.
struct FollowedLog {
  // Kept as long as the functions below may be called, which may refer to it.
  std::shared_ptr<const void> owner = {};
  std::shared_ptr<ContainerLog> log = {};
  LogReader reader;
  // Returns whether the container has ended, also if nobody has ended the log; the log is then over
  // after the text that it has.
  std::function<bool()> container_ended = {};
  // Calls its argument after each change that may make `container_ended` true, on any thread, until
  // the result is destroyed.
  std::function<std::shared_ptr<void>(std::function<void()>)> watch_container = {};
};

// Connects the log that a client follows with its exchange and with what wakes it. Threads that
// append to the log write to the client. A slow client delays nobody: if 64 KiB wait for it,
// nothing is added until it has read.
//
// Thread-safe.
class LogSession : public std::enable_shared_from_this<LogSession> {
 public:
  LogSession(FollowedLog followed, std::shared_ptr<httpserver::Exchange> exchange);

  // Sends the headers and what the log has. `ended` is called once when the log is over: on any
  // thread, perhaps before this returns. It may destroy the session.
  void Start(std::function<void()> ended);

 private:
  // Writes what is due. If another thread is doing so, that one continues instead.
  void Pump();
  // Writes once. Returns false if the log is over.
  bool WriteNext();
  void End();

  const std::shared_ptr<httpserver::Exchange> exchange_;

  StepRunner steps_;
  base::Mutex mutex_;
  // Used only by the thread that runs `steps_`.
  FollowedLog followed_;
  std::function<void()> ended_ ABSL_GUARDED_BY(mutex_);

  std::shared_ptr<void> appended_;
  std::shared_ptr<void> container_changed_;
  DoneCallback gone_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CONTAINERS_LOG_SESSION_H_
