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

// What a Worker serves: a connection, or the listener. Its methods are called on the worker's
// thread.
class Served : public io::EventLoop::Listener {
 public:
  // Called regularly, at least once in the worker's interval.
  virtual void OnTick(base::MonotonicTime now) = 0;
  // Complete what is in progress, and accept nothing new.
  virtual void Shutdown() = 0;
  // The worker ends: release everything that waits for this object. Nothing follows.
  virtual void OnStop() = 0;
};

// One I/O thread of a server: its event loop and what it serves. Post, RequestStop and
// RequestShutdown are thread-safe; everything else belongs to the thread that calls Run.
class Worker {
 public:
  // `tick` is the interval of OnTick.
  explicit Worker(absl::Duration tick);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Must be called once, before all else. Returns an error if the process has no descriptors left.
  absl::Status Open() { return loop_.Open(); }

  // Serves until RequestStop, then stops and drops everything; or, after RequestShutdown, until
  // everything has removed itself.
  void Run();
  void RequestStop();
  void RequestShutdown();
  // Returns whether the calling thread is in Run of this worker.
  bool IsThisThread() const;
  // Set when Run has ended.
  const base::Event& ended() const { return ended_; }

  // Calls `closure` on the worker's thread, soon, in the order of the calls. After the end of Run
  // it is dropped, so nobody may wait for it.
  void Post(absl::AnyInvocable<void()> closure) { loop_.Post(std::move(closure)); }

  // Changes the interval of OnTick.
  void SetTick(absl::Duration tick);

  // Shares `served` until Remove.
  void Add(std::shared_ptr<Served> served);
  void Remove(const Served* served) { served_.erase(served); }
  io::EventLoop& loop() { return loop_; }

 private:
  void Tick();
  // Returns a copy, because objects remove themselves and others while they are called.
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
