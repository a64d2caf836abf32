#ifndef APIMACHINERY_BASE_INTERNAL_TIMER_QUEUE_H_
#define APIMACHINERY_BASE_INTERNAL_TIMER_QUEUE_H_

#include <cstddef>
#include <cstdint>
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

 private:
  mutable std::mutex mutex_;  // guards all below
  std::map<Key, absl::AnyInvocable<void()>> timers_;
  uint64_t count_ = 0;
  absl::AnyInvocable<void(bool)> added_;
};

}  // namespace kube::base::internal

#endif  // APIMACHINERY_BASE_INTERNAL_TIMER_QUEUE_H_
