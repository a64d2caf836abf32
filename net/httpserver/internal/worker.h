#ifndef NET_HTTPSERVER_INTERNAL_WORKER_H_
#define NET_HTTPSERVER_INTERNAL_WORKER_H_

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/io/event_loop.h"

namespace kube::httpserver::internal {

// What a Worker owns: a connection, or the listener. All of it is called on the worker's thread.
class Served : public io::EventLoop::Listener {
 public:
  // Now and then, at least once in the worker's interval.
  virtual void OnTick(base::MonotonicTime now) = 0;
  // To end when what is under way has ended, and to take nothing new.
  virtual void Shutdown() = 0;
  // The worker ends: whoever waits for this one is to be told. Nothing follows.
  virtual void OnStop() = 0;
};

// One I/O thread of a server: its event loop, and what it serves. Thread-compatible on its own
// thread; Post, RequestStop and RequestShutdown are thread-safe.
class Worker {
 public:
  // Ticks come so often.
  explicit Worker(absl::Duration tick);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Once, before all else. An error: the process has no file descriptor left.
  absl::Status Open() { return loop_.Open(); }

  // Serves until RequestStop, and then stops and drops everything; or until, after RequestShutdown,
  // all have removed themselves.
  void Run();
  void RequestStop();
  void RequestShutdown();
  // Whether this is its thread, in Run.
  bool IsThisThread() const;
  // Set when Run has returned.
  const base::Event& ended() const { return ended_; }

  // Calls `closure` on the thread, soon, in the order of the calls. After the end it is dropped: it
  // must not have been what somebody waits for.
  void Post(absl::AnyInvocable<void()> closure) { loop_.Post(std::move(closure)); }

  // From now on.
  void SetTick(absl::Duration tick);

  // Shares `served` until Remove.
  void Add(std::shared_ptr<Served> served);
  void Remove(const Served* served) { served_.erase(served); }
  io::EventLoop& loop() { return loop_; }

 private:
  void Tick();
  // A copy: they remove themselves, and others, while they are called.
  std::vector<std::shared_ptr<Served>> All() const;

  io::EventLoop loop_;
  absl::Duration tick_;
  io::EventLoop::Timer tick_timer_;
  std::unordered_map<const Served*, std::shared_ptr<Served>> served_;
  bool stop_ = false;
  bool shutting_down_ = false;
  base::Event ended_;
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_WORKER_H_
