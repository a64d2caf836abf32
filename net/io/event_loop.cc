#include "net/io/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "net/io/file_descriptor.h"

namespace kube::io {

// Sockets: Watch only records what is wanted (`sockets_`, by descriptor) and lists the descriptor
// in `changed_`; TellKernel applies the changes just before epoll_wait, retrying later what the
// kernel refuses. A descriptor number may be reused between an event and its delivery; each Forget
// increments the generation of the number, which is part of epoll's user data, so that events for
// an earlier socket are ignored.
//
// Timers are in a multimap by time. Setting one to a later time, or cancelling it, leaves it in its
// place; PruneTimers moves or removes it when it comes to the front.
//
// Wake-up: `waiting_` is set, under the lock, when the thread finds nothing posted, and cleared by
// the first Post, which alone writes to the eventfd. A Post before that is found by the next
// RunPosted.
//
// Tasks are queued by turn. TakeTask always takes from the first turn that has one, so that tasks
// scheduled meanwhile run in the right order; cancelling one replaces it by null.

namespace {

constexpr uint64_t kWakeUp = ~uint64_t{0};
constexpr absl::Duration kTryAgain = absl::Milliseconds(50);
// Rounds of closures before sockets are looked at. Usually nothing is posted during the first, and
// the loop can then wait for closures and sockets together; closures that never end must not keep
// sockets waiting.
constexpr int kRounds = 2;

}  // namespace

void EventLoop::Timer::Set(base::MonotonicTime due) {
  // A timer that sets itself again is due in the next round, since tasks may first have to run.
  due_ = loop_.running_timers_ ? std::max(due, loop_.now_ + absl::Nanoseconds(1)) : due;
  if (!queued_ || place_->first > due_) Enqueue();
}

void EventLoop::Timer::Enqueue() {
  Dequeue();
  place_ = loop_.timers_.emplace(due_, this);
  queued_ = true;
}

void EventLoop::Timer::Dequeue() {
  if (queued_) loop_.timers_.erase(place_);
  queued_ = false;
}

void EventLoop::Task::Cancel() {
  if (!std::exchange(scheduled_, false)) return;
  loop_.tasks_[static_cast<size_t>(turn_)].tasks[place_] = nullptr;
}

void EventLoop::Task::Schedule() {
  if (std::exchange(scheduled_, true)) return;
  std::vector<Task*>& tasks = loop_.tasks_[static_cast<size_t>(turn_)].tasks;
  place_ = tasks.size();
  tasks.push_back(this);
}

absl::Status EventLoop::Open() {
  now_ = base::Runtime::Real().Now();
  epoll_ = FileDescriptor(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_.is_open()) return absl::ErrnoToStatus(errno, "create epoll");
  wake_up_ = FileDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_up_.is_open()) return absl::ErrnoToStatus(errno, "create eventfd");
  // Edge-triggered, so that the counter need never be read.
  epoll_event event = {.events = EPOLLIN | EPOLLET, .data = {.u64 = kWakeUp}};
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_up_.get(), &event) != 0) {
    return absl::ErrnoToStatus(errno, "watch eventfd");
  }
  return absl::OkStatus();
}

void EventLoop::Close() {
  {
    base::MutexLock lock(mutex_);
    closed_ = true;
  }
  RunPosted();
  epoll_.Close();  // a thread that posts may keep the loop alive for long
}

bool EventLoop::Post(absl::AnyInvocable<void()> closure) {
  {
    base::MutexLock lock(mutex_);
    if (closed_) return false;
    posted_.push_back(std::move(closure));
    if (!std::exchange(waiting_, false)) return true;  // the thread looks again before it waits
  }
  const uint64_t one = 1;
  // Fails only if the counter is full, which takes 2^64 calls.
  [[maybe_unused]] const ssize_t written = ::write(wake_up_.get(), &one, sizeof(one));
  return true;
}

bool EventLoop::RunPosted() {
  {
    base::MutexLock lock(mutex_);
    running_.swap(posted_);
    waiting_ = running_.empty();
  }
  if (running_.empty()) return false;
  for (absl::AnyInvocable<void()>& closure : running_) closure();
  running_.clear();
  RunTasks();
  return true;
}

EventLoop::Task* EventLoop::TakeTask() {
  for (TaskQueue& queue : tasks_) {
    while (queue.next < queue.tasks.size()) {
      Task* const task = queue.tasks[queue.next++];
      if (task == nullptr) continue;
      task->scheduled_ = false;
      return task;
    }
    queue.tasks.clear();
    queue.next = 0;
  }
  return nullptr;
}

void EventLoop::RunTasks() {
  while (Task* const task = TakeTask()) task->callback_();
}

void EventLoop::Watch(int fd, uint32_t events, Listener* listener) {
  if (static_cast<size_t>(fd) >= sockets_.size()) sockets_.resize(fd + 1);
  Socket& socket = sockets_[fd];
  socket.listener = listener;
  socket.wanted = events;
  if (socket.changed || (socket.known && socket.watched == events)) return;
  socket.changed = true;
  changed_.push_back(fd);
}

void EventLoop::Forget(int fd) {
  if (static_cast<size_t>(fd) >= sockets_.size()) return;
  Socket& socket = sockets_[fd];
  if (socket.known) ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
  // Events that were already reported are not for the next socket with this number.
  socket = {.changed = socket.changed, .generation = socket.generation + 1};
}

void EventLoop::Forget(int fd, const Listener* listener) {
  if (static_cast<size_t>(fd) < sockets_.size() && sockets_[fd].listener == listener) Forget(fd);
}

bool EventLoop::TellKernel(int fd, Socket& socket) {
  const uint64_t id = uint64_t{socket.generation} << 32 | static_cast<uint32_t>(fd);
  epoll_event event = {.events = socket.wanted, .data = {.u64 = id}};
  int result = ::epoll_ctl(epoll_.get(), socket.known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
  // The number was closed and reused: the kernel dropped the old socket by itself (ENOENT), or
  // already knows the new one (EEXIST).
  if (result != 0 && errno == ENOENT) result = ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
  if (result != 0 && errno == EEXIST) result = ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
  if (result != 0) {
    socket.known = false;
    // EBADF and EPERM are permanent: the descriptor is closed or cannot be polled. Other errors are
    // temporary: no memory, or the user's limit of watches.
    return errno == EBADF || errno == EPERM;
  }
  socket.known = true;
  socket.watched = socket.wanted;
  return true;
}

void EventLoop::TellKernel() {
  size_t again = 0;
  for (const int fd : changed_) {
    Socket& socket = sockets_[fd];
    socket.changed = false;
    if (socket.listener == nullptr || socket.wanted == 0) continue;
    if (socket.known && socket.watched == socket.wanted) continue;
    if (TellKernel(fd, socket)) continue;
    socket.changed = true;
    changed_[again++] = fd;
  }
  changed_.resize(again);
}

// Removes cancelled timers from the front of the queue, and moves postponed ones to their place.
void EventLoop::PruneTimers() {
  while (!timers_.empty()) {
    Timer& timer = *timers_.begin()->second;
    if (timer.due_ == timers_.begin()->first) return;
    timer.Dequeue();
    if (timer.is_set()) timer.Enqueue();
  }
}

int EventLoop::TimeoutMilliseconds() {
  PruneTimers();
  // Sockets that the kernel has refused are retried soon.
  const absl::Duration most = changed_.empty() ? absl::Hours(1) : kTryAgain;
  if (timers_.empty() && changed_.empty()) return -1;
  const absl::Duration left =
      timers_.empty() ? most : timers_.begin()->first - base::Runtime::Real().Now();
  if (left <= absl::ZeroDuration()) return 0;
  return static_cast<int>(
      absl::ToInt64Milliseconds(std::min(absl::Ceil(left, absl::Milliseconds(1)), most)));
}

void EventLoop::RunOnce(bool wait) {
  const bool idle = !RunPosted();
  if (!idle && ++rounds_ < kRounds) return;
  rounds_ = 0;
  WaitForEvents(idle && wait);
  RunTimers();
  RunTasks();
}

void EventLoop::WaitForEvents(bool wait) {
  TellKernel();
  std::array<epoll_event, 128> events;
  int timeout = wait ? TimeoutMilliseconds() : 0;
  int count = -1;
  // After a signal (such as SIGCONT) sockets are checked before timers, without waiting.
  while ((count = ::epoll_wait(epoll_.get(), events.data(), events.size(), timeout)) < 0 &&
         errno == EINTR) {
    timeout = 0;
  }
  now_ = base::Runtime::Real().Now();
  for (int i = 0; i < count; ++i) {
    const uint64_t id = events[i].data.u64;  // a copy: the struct is packed
    if (id == kWakeUp) continue;
    const int fd = static_cast<int>(id & 0xffffffff);
    Socket& socket = sockets_[fd];
    if (socket.listener == nullptr || socket.generation != id >> 32) continue;
    if (socket.wanted == 0) {
      ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
      socket.known = false;
      continue;
    }
    socket.listener->OnEvents(fd, events[i].events);
  }
}

void EventLoop::RunTimers() {
  running_timers_ = true;
  for (PruneTimers(); !timers_.empty() && timers_.begin()->first <= now_; PruneTimers()) {
    Timer& timer = *timers_.begin()->second;
    timer.Dequeue();
    timer.Cancel();
    timer.callback_();
  }
  running_timers_ = false;
}

}  // namespace kube::io
