#ifndef NET_HTTPCLIENT_INTERNAL_EVENT_LOOP_H_
#define NET_HTTPCLIENT_INTERNAL_EVENT_LOOP_H_

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/monotonic_time.h"
#include "net/httpclient/internal/wake_up.h"

namespace kube::httpclient::internal {

// Sockets and timers of one thread: epoll. It waits in the kernel, where no Runtime sees it:
// sockets have no other clock than the real one. Thread-compatible.
class EventLoop {
 public:
  // Who is told of a socket's events (EPOLLIN and so on). Outlives its watch.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void OnEvents(int fd, uint32_t events) = 0;
  };

  // Calls a function at a point in time. Setting it again is cheap as long as it is put off.
  class Timer {
   public:
    Timer(EventLoop& loop, std::function<void()> callback)
        : loop_(loop), callback_(std::move(callback)) {}
    ~Timer() { Dequeue(); }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

    void Set(base::MonotonicTime due);
    void Cancel() { due_ = base::MonotonicTime::Infinite(); }
    bool is_set() const { return !due_.is_infinite(); }
    const EventLoop& loop() const { return loop_; }

   private:
    friend class EventLoop;
    using Queue = std::multimap<base::MonotonicTime, Timer*>;
    void Dequeue();

    EventLoop& loop_;
    const std::function<void()> callback_;
    base::MonotonicTime due_ = base::MonotonicTime::Infinite();
    // Its place in the queue, which may be earlier than due_.
    bool queued_ = false;
    Queue::iterator place_;
  };

  EventLoop() = default;
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Once. An error: no descriptors left.
  absl::Status Open(const WakeUp& wake_up);

  // Which events of `fd` matter; zero: none, for now. The kernel is told when it is next waited,
  // and of zero only when there is an event that nobody wants: most changes are taken back before.
  void Watch(int fd, uint32_t events, Listener* listener);
  // Before `fd` is closed: the kernel keeps what it was told as long as anybody has the socket, a
  // child of this process for example, and cannot be told otherwise by number any more.
  void Forget(int fd);
  // The same, if `listener` is the one who watches: the number may be another's by now.
  void Forget(int fd, const Listener* listener);

  // Waits for events or the next timer, not at all if `wait` is false, and calls the listeners,
  // then the timers that are due.
  void RunOnce(bool wait);
  void RunTimers();

  // The time when events were last waited for.
  base::MonotonicTime now() const { return now_; }

 private:
  struct Socket {
    Listener* listener = nullptr;
    uint32_t wanted = 0;
    uint32_t watched = 0;
    bool known = false;  // to the kernel
    bool changed = false;
    uint32_t generation = 0;
  };

  void TellKernel();
  // False: not now, try again.
  bool TellKernel(int fd, Socket& socket);
  void PruneTimers();
  int TimeoutMilliseconds();

  int epoll_ = -1;
  base::MonotonicTime now_;
  std::vector<Socket> sockets_;  // by descriptor
  std::vector<int> changed_;
  Timer::Queue timers_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_EVENT_LOOP_H_
