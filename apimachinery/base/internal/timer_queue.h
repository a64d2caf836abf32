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

// The timers of one clock. It has no thread: whoever moves the clock calls RunDue (a thread of the
// real and of the simulated runtime, the test's own thread with FakeClock).
//
// Thread-safe. Its lock is a leaf that no callback runs under.
class TimerQueue {
 public:
  // Names one timer: when it is due, and its place among those due at the same time.
  using Key = std::pair<MonotonicTime, uint64_t>;

  // `added` is called, without a lock, after each Add; true: the first deadline is now an earlier
  // one.
  explicit TimerQueue(absl::AnyInvocable<void(bool)> added) : added_(std::move(added)) {}

  Key Add(MonotonicTime when, absl::AnyInvocable<void()> callback);

  // False: the callback has been taken to run, or was never there. Does not wait for it.
  bool Remove(const Key& key);

  // The first deadline; infinite when there is none.
  MonotonicTime Next() const;

  // Runs what is due, in order of time, then of creation; what callbacks add counts too.
  // Callbacks run on the calling thread.
  void RunDue(absl::FunctionRef<MonotonicTime()> now);

  size_t size() const;

  // For pthread_atfork. LockForFork comes before the fork, so that no other thread holds the lock
  // meanwhile; then, on the same thread, the parent unlocks, and the child forgets all timers.
  void LockForFork() { mutex_.lock(); }
  void UnlockAfterFork() { mutex_.unlock(); }
  // Their callbacks are kept, not destroyed: they may own anything.
  void ForgetAfterFork();
  // Whether a parent process has added the timer, which does not run in this one.
  bool IsForgotten(const Key& key) const { return key.second <= forgotten_; }

 private:
  using Timers = std::map<Key, absl::AnyInvocable<void()>>;

  mutable std::mutex mutex_;  // guards all below
  Timers timers_;
  uint64_t count_ = 0;
  std::list<Timers> parents_;
  absl::AnyInvocable<void(bool)> added_;
  // The last one that a parent has added. Written only while a process has one thread.
  uint64_t forgotten_ = 0;
};

}  // namespace kube::base::internal

#endif  // APIMACHINERY_BASE_INTERNAL_TIMER_QUEUE_H_
