#ifndef NET_IO_EVENT_LOOP_H_
#define NET_IO_EVENT_LOOP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "net/io/file_descriptor.h"

namespace kube::io {

// One thread's sockets, timers and work: epoll, with one way to wake it. It waits in the kernel,
// where no Runtime sees it: sockets have no other clock than the real one.
//
// A thread is the loop's because it calls RunOnce; nothing else binds the two. Post is thread-safe,
// also after Close, so whoever posts shares the loop. Everything else is thread-compatible.
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

   private:
    friend class EventLoop;
    using Queue = std::multimap<base::MonotonicTime, Timer*>;
    void Enqueue();
    void Dequeue();

    EventLoop& loop_;
    const std::function<void()> callback_;
    base::MonotonicTime due_ = base::MonotonicTime::Infinite();
    // Its place in the queue, which may be earlier than due_.
    bool queued_ = false;
    Queue::iterator place_;
  };

  // The order of work that has come up at the same time: first what came over connections, then
  // what that has ended, so that new work finds the room that it left.
  enum class Turn { kConnections, kEnds, kStarts };

  // Something to look after before the loop next waits: how the parts of a connection tell those
  // who own them that there is news, without calling them.
  class Task {
   public:
    Task(EventLoop& loop, Turn turn, std::function<void()> callback)
        : loop_(loop), turn_(turn), callback_(std::move(callback)) {}
    ~Task() { Cancel(); }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

    // Calls the function once, soon, however often this is called until then.
    void Schedule();
    void Cancel();

   private:
    friend class EventLoop;

    EventLoop& loop_;
    const Turn turn_;
    const std::function<void()> callback_;
    bool scheduled_ = false;
    size_t place_ = 0;  // in the loop's queue
  };

  EventLoop() = default;
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Once, before all else. An error: the process has no descriptors left.
  absl::Status Open();
  // Calls what was posted and not called yet, and refuses the rest from now on; nothing is watched
  // any more. Once, on the loop's thread; watches and timers may be taken back afterwards.
  void Close();

  // Calls `closure` on the loop's thread, soon, in the order of the calls. False: the loop is
  // closed, and the closure is dropped.
  bool Post(absl::AnyInvocable<void()> closure) ABSL_LOCKS_EXCLUDED(mutex_);

  // Which events of `fd` matter; zero: none. The kernel is told when the loop next waits, and of
  // zero only when there is an event that nobody wants: most changes are taken back before.
  void Watch(int fd, uint32_t events, Listener* listener);
  // Before `fd` is closed: the kernel keeps what it was told as long as anybody has the socket, a
  // child of this process for example, and cannot be told otherwise by number any more.
  void Forget(int fd);
  // The same, if `listener` is the one who watches: the number may be another's by now.
  void Forget(int fd, const Listener* listener);

  // Calls what was posted, if anything was. Otherwise, unless `wait` is false, waits for events or
  // the next timer, and calls the listeners, and the timers that are due: those that are set
  // meanwhile have to wait for the next time. At last it calls the tasks, until there is none.
  void RunOnce(bool wait = true);

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
  // Tasks of one turn. Null: it has gone.
  struct TaskQueue {
    std::vector<Task*> tasks;
    size_t next = 0;
  };

  // False: there was nothing, and the next that is posted wakes the thread.
  bool RunPosted() ABSL_LOCKS_EXCLUDED(mutex_);
  void RunTasks();
  Task* TakeTask();
  void RunTimers();
  void WaitForEvents(bool wait);
  void TellKernel();
  // False: not now, try again.
  bool TellKernel(int fd, Socket& socket);
  void PruneTimers();
  int TimeoutMilliseconds();

  // So often closures were called since sockets were last looked at.
  int rounds_ = 0;

  FileDescriptor epoll_;
  FileDescriptor wake_up_;  // an eventfd
  base::MonotonicTime now_;
  std::vector<Socket> sockets_;  // by descriptor
  std::vector<int> changed_;
  Timer::Queue timers_;
  bool running_timers_ = false;
  std::array<TaskQueue, 3> tasks_;  // by Turn
  std::vector<absl::AnyInvocable<void()>> running_;

  base::Mutex mutex_;
  std::vector<absl::AnyInvocable<void()>> posted_ ABSL_GUARDED_BY(mutex_);
  // Whether the thread waits, or is about to, without having seen what is posted.
  bool waiting_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace kube::io

#endif  // NET_IO_EVENT_LOOP_H_
