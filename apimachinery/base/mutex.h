#ifndef APIMACHINERY_BASE_MUTEX_H_
#define APIMACHINERY_BASE_MUTEX_H_

#include <mutex>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/source_location.h"

namespace kube::base {

class CondVar;

// A mutual exclusion lock that clang's thread-safety analysis understands and that a simulation
// schedules. It is a std::mutex in production, and costs what that does and one look at a
// thread-local; under SimRuntime every Lock is a place where another thread may run first. Not
// absl::Mutex: the prebuilt Abseil's makes ThreadSanitizer report races that are not there.
//
// Not recursive. Go: sync.Mutex.
//
//   Mutex mutex_;
//   int count_ ABSL_GUARDED_BY(mutex_) = 0;
class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  // Blocks until the lock is free. Prefer MutexLock.
  void Lock(SourceLocation where = SourceLocation::Current()) ABSL_EXCLUSIVE_LOCK_FUNCTION();
  void Unlock() ABSL_UNLOCK_FUNCTION();

  // Takes the lock if it is free; never blocks.
  [[nodiscard]] bool TryLock() ABSL_EXCLUSIVE_TRYLOCK_FUNCTION(true);

  // Tells the analysis, not the run time, that the calling thread holds the lock.
  void AssertHeld() const ABSL_ASSERT_EXCLUSIVE_LOCK() {}

 private:
  std::mutex mutex_;
};

// Holds a Mutex for as long as the scope lives.
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex& mutex, SourceLocation where = SourceLocation::Current())
      ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex)
      : mutex_(mutex) {
    mutex_.Lock(where);
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// Waits for a condition that a Mutex guards, for a Context, and for a point in time, all at once.
//
// Thread-safe. Destroy it only when nobody waits. The predicates run under the lock, which the
// analysis cannot see: annotate them, as here.
//
//   MutexLock lock(mutex_);
//   return changed_.Wait(ctx, mutex_,
//                        [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return count_ > 0; });
class CondVar {
 public:
  CondVar() = default;
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  // Blocks until `predicate` holds, and then answers OK, or until `ctx` is done, and then answers
  // ctx.status(). A predicate that holds wins over a context that is done.
  template <typename Predicate>
  absl::Status Wait(const Context& ctx, Mutex& mutex, Predicate predicate,
                    SourceLocation where = SourceLocation::Current())
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    while (!predicate()) {
      if (ctx.done()) return ctx.status();
      WaitOnce(ctx, mutex, MonotonicTime::Infinite(), where);
    }
    return absl::OkStatus();
  }

  // Blocks until `predicate` holds, `deadline` has come or `ctx` is done. Returns what the
  // predicate said last.
  template <typename Predicate>
  [[nodiscard]] bool WaitUntil(const Context& ctx, Mutex& mutex, MonotonicTime deadline,
                               Predicate predicate,
                               SourceLocation where = SourceLocation::Current())
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    while (!predicate()) {
      if (ctx.done() || Now() >= deadline) return false;
      WaitOnce(ctx, mutex, deadline, where);
    }
    return true;
  }

  // One wait: until notified, `deadline` or the end of `ctx`, or for no reason at all. For loops
  // that do not fit the two above.
  void WaitOnce(const Context& ctx, Mutex& mutex, MonotonicTime deadline,
                SourceLocation where = SourceLocation::Current())
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);

  // Wakes the thread that has waited longest, or all. Call it with or without the Mutex held.
  void NotifyOne();
  void NotifyAll();

 private:
  struct Node {
    Waiter* waiter;
    bool notified = false;
    Node* previous = nullptr;
    Node* next = nullptr;
  };
  void Remove(Node* node);

  std::mutex mutex_;  // a leaf; guards the list and its nodes
  Node* first_ = nullptr;
  Node* last_ = nullptr;
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_MUTEX_H_
