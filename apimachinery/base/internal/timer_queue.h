#ifndef APIMACHINERY_BASE_INTERNAL_TIMER_QUEUE_H_
#define APIMACHINERY_BASE_INTERNAL_TIMER_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"
#include "apimachinery/base/monotonic_time.h"

namespace kube::base::internal {

// The timers of one clock. It has no thread: the code that moves the clock calls RunDue. That is a
// thread of the real or the simulated runtime, or the test's own thread with FakeClock.
//
// Thread-safe. Its lock is a leaf: no callback runs while it is held.
class TimerQueue {
 public:
  // Identifies a timer: its deadline, and its place among the timers with the same deadline.
  using Key = std::pair<MonotonicTime, uint64_t>;

  // Calls `added` after each Add, without the lock; with true if the new timer is now the earliest.
  explicit TimerQueue(absl::AnyInvocable<void(bool)> added) : added_(std::move(added)) {}

  // Adds a timer that calls `callback` at `when`.
  Key Add(MonotonicTime when, absl::AnyInvocable<void()> callback);

  // Removes the timer and returns true, or returns false if the callback has been taken to run or
  // the timer does not exist. Does not wait for a running callback.
  bool Remove(const Key& key);

  // Returns the earliest deadline, infinite if there are no timers.
  MonotonicTime Next() const;

  // Runs all timers that are due, in order of deadline, then of creation, including those that
  // callbacks add. The callbacks run on the calling thread.
  void RunDue(absl::FunctionRef<MonotonicTime()> now);

  size_t size() const;

  // The next three are handlers for pthread_atfork, called on one thread: LockForFork before the
  // fork, so that no other thread holds the lock, then UnlockAfterFork in the parent or
  // ForgetAfterFork in the child.
  void LockForFork() { mutex_.lock(); }
  void UnlockAfterFork() { mutex_.unlock(); }
  // Removes all timers and unlocks. The callbacks are kept, not destroyed, because they may own
  // anything.
  void ForgetAfterFork();
  // Returns whether a parent process added the timer, so that it does not run in this process.
  bool IsForgotten(const Key& key) const { return key.second <= forgotten_; }

 private:
  using Timers = std::map<Key, absl::AnyInvocable<void()>>;

  mutable std::mutex mutex_;  // guards all below
  Timers timers_;
  uint64_t count_ = 0;
  std::list<Timers> parents_;
  absl::AnyInvocable<void(bool)> added_;
  // The number of the last timer that a parent added. Written only while a process has one thread.
  uint64_t forgotten_ = 0;
};

}  // namespace kube::base::internal

#endif  // APIMACHINERY_BASE_INTERNAL_TIMER_QUEUE_H_
