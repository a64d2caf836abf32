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

// Runs the sockets, timers and tasks of one thread, and closures from other threads, over epoll. It
// waits in the kernel, so it always uses the real clock, whatever the current Runtime is.
//
// The loop belongs to the thread that calls RunOnce; nothing else binds the two. Post is
// thread-safe, also after Close; a thread that posts must keep the loop alive (share it).
// Everything else is thread-compatible.
class EventLoop {
 public:
  // Receives the events of a socket (EPOLLIN and so on), on the loop's thread, within RunOnce. It
  // must outlive its watch.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void OnEvents(int fd, uint32_t events) = 0;
  };

  // Calls a function at a given time, on the loop's thread, within RunOnce. Setting a timer again
  // to a later time is cheap. The timer must not outlive the loop.
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
    // Its key in the queue may be earlier than `due_`.
    bool queued_ = false;
    Queue::iterator place_;
  };

  // The order of tasks within a round: first what arrived on connections, then what has ended
  // because of it, then new work, which finds the room that was left.
  enum class Turn { kConnections, kEnds, kStarts };

  // Work to be done before the loop next waits. The parts of a connection use it to tell their
  // owners about news without calling them. The task must not outlive the loop.
  class Task {
   public:
    Task(EventLoop& loop, Turn turn, std::function<void()> callback)
        : loop_(loop), turn_(turn), callback_(std::move(callback)) {}
    ~Task() { Cancel(); }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

    // Calls the function once, soon, on the loop's thread; further calls until then have no effect.
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

  // Must be called once, before all other methods. Returns an error if the process has no
  // descriptors left.
  absl::Status Open();
  // Runs the closures that were posted, refuses later ones, and stops watching all sockets. Call it
  // once, on the loop's thread. Watches and timers can still be removed afterwards.
  void Close();

  // Calls `closure` on the loop's thread, soon; closures run in the order of the calls. Never
  // blocks. Returns false if the loop is closed; the closure is then dropped.
  bool Post(absl::AnyInvocable<void()> closure) ABSL_LOCKS_EXCLUDED(mutex_);

  // Sets which events of `fd` are reported to `listener`; zero means none. The kernel is told only
  // when the loop next waits, and of zero only when an unwanted event occurs, because most changes
  // are reversed before that.
  void Watch(int fd, uint32_t events, Listener* listener);
  // Ends the watch of `fd`. Must be called before `fd` is closed: the kernel watches a socket as
  // long as any process has it open, such as a child, and can no longer be told by number after the
  // close.
  void Forget(int fd);
  // As above, but only if `listener` is the one that watches `fd`, whose number may have been
  // reused.
  void Forget(int fd, const Listener* listener);

  // Runs one round: the posted closures and their tasks or, without any, waits for events, for the
  // next timer or for a closure (not if `wait` is false). Calls the listeners of sockets with
  // events, then the timers that are due; timers set meanwhile wait for the next round. At the end
  // calls tasks until all are done. A steady flow of closures does not keep sockets waiting: they
  // are looked at in every second round.
  void RunOnce(bool wait = true);

  // Returns the time at which the loop last looked for events.
  base::MonotonicTime now() const { return now_; }

 private:
  struct Socket {
    Listener* listener = nullptr;
    uint32_t wanted = 0;
    uint32_t watched = 0;
    bool known = false;  // the kernel watches it
    bool changed = false;
    uint32_t generation = 0;
  };
  // The tasks of one turn; null stands for a cancelled task.
  struct TaskQueue {
    std::vector<Task*> tasks;
    size_t next = 0;
  };

  // Returns false if nothing was posted; the next Post then wakes the thread.
  bool RunPosted() ABSL_LOCKS_EXCLUDED(mutex_);
  void RunTasks();
  Task* TakeTask();
  void RunTimers();
  void WaitForEvents(bool wait);
  void TellKernel();
  // Returns false if the kernel refused for now; to be tried again.
  bool TellKernel(int fd, Socket& socket);
  void PruneTimers();
  int TimeoutMilliseconds();

  // Rounds with posted closures since sockets were last looked at.
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
  // Whether the thread waits, or is about to wait, and so must be woken by Post.
  bool waiting_ ABSL_GUARDED_BY(mutex_) = false;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace kube::io

#endif  // NET_IO_EVENT_LOOP_H_
