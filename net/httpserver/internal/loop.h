#ifndef NET_HTTPSERVER_INTERNAL_LOOP_H_
#define NET_HTTPSERVER_INTERNAL_LOOP_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "net/httpserver/internal/file_descriptor.h"

namespace kube::httpserver::internal {

// Something with a socket that a Loop watches. All of it is called on the loop's thread.
class Pollable {
 public:
  virtual ~Pollable() = default;

  // What epoll has seen.
  virtual void OnEvents(uint32_t events) = 0;
  // Now and then, at least once in Loop's interval.
  virtual void OnTick(base::MonotonicTime now) = 0;
  // To end when what is under way has ended, and to take nothing new.
  virtual void Shutdown() = 0;
  // The loop ends: whoever waits for this one is to be told. Nothing follows.
  virtual void OnStop() = 0;
};

// One thread's epoll: calls the Pollables that it owns, and closures from other threads. It waits
// in the kernel, where no Runtime sees it: sockets have no other clock than the real one.
//
// Thread-compatible on its own thread; Post and RequestStop are thread-safe.
class Loop {
 public:
  // Ticks come so often.
  explicit Loop(absl::Duration tick) : tick_(tick) {}
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Once, before all else. An error: the process has no file descriptor left.
  absl::Status Open();

  // Serves until RequestStop, and then stops and drops all Pollables and closures; or until, after
  // RequestShutdown, all have removed themselves.
  void Run();
  void RequestStop();
  void RequestShutdown();
  // Set when Run has returned.
  const base::Event& ended() const { return ended_event_; }

  // Calls `closure` on the loop's thread, soon, in the order of the calls. After the end it is
  // dropped. A closure that is dropped must not have been what somebody waits for.
  void Post(absl::AnyInvocable<void()> closure);

  // From now on. On the loop's thread.
  void SetTick(absl::Duration tick) {
    tick_ = tick;
    next_tick_ = {};
  }

  // Watches `fd` for `events` (EPOLLIN and so on) until Remove; the loop shares `pollable`. The
  // result names it. An error: the kernel has no memory for it.
  absl::StatusOr<uint64_t> Add(int fd, uint32_t events, std::shared_ptr<Pollable> pollable);
  void Watch(uint64_t id, int fd, uint32_t events);
  // Before the descriptor is closed. A call of the Pollable that is under way goes on.
  void Remove(uint64_t id, int fd);

 private:
  void RunPosted();
  void Tick();
  // A copy: they remove themselves, and others, while they are called.
  std::vector<std::shared_ptr<Pollable>> Pollables() const;

  absl::Duration tick_;
  FileDescriptor epoll_;
  FileDescriptor wake_;  // an eventfd
  std::atomic<bool> stop_ = false;
  base::Event ended_event_;

  // Of the loop's thread.
  std::unordered_map<uint64_t, std::shared_ptr<Pollable>> pollables_;
  uint64_t next_id_ = 1;  // 0 is wake_
  base::MonotonicTime next_tick_;
  bool shutting_down_ = false;

  base::Mutex mutex_;
  std::vector<absl::AnyInvocable<void()>> posted_ ABSL_GUARDED_BY(mutex_);
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace kube::httpserver::internal

#endif  // NET_HTTPSERVER_INTERNAL_LOOP_H_
