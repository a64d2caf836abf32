#ifndef APISERVER_STREAMING_SESSIONS_H_
#define APISERVER_STREAMING_SESSIONS_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"

namespace kube::apiserver::internal {

// Threads that call functions of a test: those of connections that have switched to another
// protocol, one each, as long as the session lasts, and those of requests that webhooks are asked
// about. Thread-safe.
class Sessions {
 public:
  // Starts no more than `max_sessions` at a time. EndAll waits for `grace`. `function` is what a
  // session calls, for the log.
  explicit Sessions(size_t max_sessions, absl::Duration grace = absl::Seconds(30),
                    std::string function = "a function of a container");
  // Does what EndAll does. No session may start meanwhile.
  ~Sessions();
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;

  // Runs `body` on a thread of its own, with a context below `parent`. Returns RESOURCE_EXHAUSTED
  // if there are too many sessions or no threads left; `body` is destroyed then.
  absl::Status Start(const Context& parent, std::string name,
                     absl::AnyInvocable<void(const Context&)> body);

  // Returns how many sessions run.
  size_t size() const;
  bool full() const;

  // Cancels the sessions that run, and waits until they have ended. A session that goes on although
  // its context is done is given up after a grace period: it is logged, and its thread is left to
  // itself. Must not be called on the thread of a session.
  void EndAll();
  // Keeps `used` as long as the process lasts if sessions were given up, which may use it.
  void KeepIfGivenUp(std::shared_ptr<void> used);

 private:
  struct State;

  const size_t max_sessions_;
  const absl::Duration grace_;
  const std::string function_;
  // Shared with the threads, which may outlive this if they were given up.
  const std::shared_ptr<State> state_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STREAMING_SESSIONS_H_
