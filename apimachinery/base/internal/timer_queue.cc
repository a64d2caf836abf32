#include "apimachinery/base/internal/timer_queue.h"

#include <utility>

namespace kube::base::internal {

TimerQueue::Key TimerQueue::Add(MonotonicTime when, absl::AnyInvocable<void()> callback) {
  Key key;
  bool first;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    key = {when, ++count_};
    const auto added = timers_.emplace(key, std::move(callback)).first;
    first = added == timers_.begin();
  }
  added_(first);
  return key;
}

bool TimerQueue::Remove(const Key& key) {
  // Destroyed after the lock is released: it may own anything.
  decltype(timers_)::node_type removed;
  std::lock_guard<std::mutex> lock(mutex_);
  removed = timers_.extract(key);
  return !removed.empty();
}

MonotonicTime TimerQueue::Next() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return timers_.empty() ? MonotonicTime::Infinite() : timers_.begin()->first.first;
}

void TimerQueue::RunDue(absl::FunctionRef<MonotonicTime()> now) {
  for (;;) {
    const MonotonicTime time = now();
    decltype(timers_)::node_type due;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (timers_.empty() || timers_.begin()->first.first > time) return;
      due = timers_.extract(timers_.begin());
    }
    due.mapped()();
  }
}

size_t TimerQueue::size() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return timers_.size();
}

void TimerQueue::ForgetAfterFork() {
  parents_.push_back(std::exchange(timers_, {}));
  forgotten_ = count_;
  mutex_.unlock();
}

}  // namespace kube::base::internal
