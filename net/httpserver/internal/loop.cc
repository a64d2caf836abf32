#include "net/httpserver/internal/loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "net/httpserver/internal/file_descriptor.h"

namespace kube::httpserver::internal {

absl::Status Loop::Open() {
  epoll_ = FileDescriptor(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_.is_open()) return absl::ErrnoToStatus(errno, "create epoll");
  wake_ = FileDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!wake_.is_open()) return absl::ErrnoToStatus(errno, "create eventfd");
  epoll_event event = {.events = EPOLLIN, .data = {.u64 = 0}};
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event) != 0) {
    return absl::ErrnoToStatus(errno, "watch eventfd");
  }
  return absl::OkStatus();
}

void Loop::Run() {
  next_tick_ = base::Runtime::Real().Now() + tick_;
  std::array<epoll_event, 256> events;
  while (!stop_ && !(shutting_down_ && pollables_.empty())) {
    const absl::Duration wait = next_tick_ - base::Runtime::Real().Now();
    const int64_t milliseconds = std::max<int64_t>(0, absl::ToInt64Milliseconds(wait) + 1);
    const int count =
        ::epoll_wait(epoll_.get(), events.data(), events.size(), static_cast<int>(milliseconds));
    for (int i = 0; i < count; ++i) {
      const uint64_t id = events[i].data.u64;  // a copy: the struct is packed
      const auto found = pollables_.find(id);
      if (found == pollables_.end()) continue;  // wake_, or removed by an event before this one
      const std::shared_ptr<Pollable> pollable = found->second;
      pollable->OnEvents(events[i].events);
    }
    RunPosted();
    if (base::Runtime::Real().Now() >= next_tick_) Tick();
  }
  RunPosted();
  {
    base::MutexLock lock(mutex_);
    ended_ = true;
  }
  const auto pollables = std::move(pollables_);
  pollables_.clear();
  for (const auto& [id, pollable] : pollables) pollable->OnStop();
  ended_event_.Set();
}

void Loop::RequestStop() {
  stop_ = true;
  Post([] {});
}

void Loop::RequestShutdown() {
  Post([this] {
    shutting_down_ = true;
    for (const std::shared_ptr<Pollable>& pollable : Pollables()) pollable->Shutdown();
  });
}

void Loop::Post(absl::AnyInvocable<void()> closure) {
  {
    base::MutexLock lock(mutex_);
    if (ended_) return;
    posted_.push_back(std::move(closure));
    if (posted_.size() != 1) return;  // somebody has woken the thread, which has not looked yet
  }
  const uint64_t one = 1;
  // Fails only when the counter is full, and then the thread is awake anyway.
  [[maybe_unused]] const ssize_t written = ::write(wake_.get(), &one, sizeof(one));
}

absl::StatusOr<uint64_t> Loop::Add(int fd, uint32_t events, std::shared_ptr<Pollable> pollable) {
  const uint64_t id = next_id_++;
  epoll_event event = {.events = events, .data = {.u64 = id}};
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0) {
    return absl::ErrnoToStatus(errno, "watch socket");
  }
  if (shutting_down_) Post([pollable] { pollable->Shutdown(); });
  pollables_.emplace(id, std::move(pollable));
  return id;
}

void Loop::Watch(uint64_t id, int fd, uint32_t events) {
  epoll_event event = {.events = events, .data = {.u64 = id}};
  KUBE_CHECK(::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event) == 0);
}

void Loop::Remove(uint64_t id, int fd) {
  if (pollables_.erase(id) == 0) return;  // the loop ends
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr);
}

void Loop::RunPosted() {
  uint64_t count = 0;
  [[maybe_unused]] const ssize_t drained = ::read(wake_.get(), &count, sizeof(count));
  std::vector<absl::AnyInvocable<void()>> closures;
  {
    base::MutexLock lock(mutex_);
    closures.swap(posted_);
  }
  for (absl::AnyInvocable<void()>& closure : closures) closure();
}

void Loop::Tick() {
  const base::MonotonicTime now = base::Runtime::Real().Now();
  next_tick_ = now + tick_;
  for (const std::shared_ptr<Pollable>& pollable : Pollables()) pollable->OnTick(now);
}

std::vector<std::shared_ptr<Pollable>> Loop::Pollables() const {
  std::vector<std::shared_ptr<Pollable>> pollables;
  pollables.reserve(pollables_.size());
  for (const auto& [id, pollable] : pollables_) pollables.push_back(pollable);
  return pollables;
}

}  // namespace kube::httpserver::internal
