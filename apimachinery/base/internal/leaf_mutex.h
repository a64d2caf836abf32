#ifndef APIMACHINERY_BASE_INTERNAL_LEAF_MUTEX_H_
#define APIMACHINERY_BASE_INTERNAL_LEAF_MUTEX_H_

#include <mutex>

#include "absl/base/thread_annotations.h"

namespace kube::base::internal {

// A lock for logging and metrics. It is held for a few instructions or one write to a file, never
// while waiting, calling foreign code or taking another lock. Therefore SimRuntime need not know
// it; and must not, because a log line is no scheduling point. All other code uses Mutex.
class ABSL_LOCKABLE LeafMutex {
 public:
  constexpr LeafMutex() = default;
  LeafMutex(const LeafMutex&) = delete;
  LeafMutex& operator=(const LeafMutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

// Holds a LeafMutex as long as it exists.
class ABSL_SCOPED_LOCKABLE LeafLock {
 public:
  explicit LeafLock(LeafMutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) {
    mutex_.Lock();
  }
  ~LeafLock() ABSL_UNLOCK_FUNCTION() { mutex_.Unlock(); }
  LeafLock(const LeafLock&) = delete;
  LeafLock& operator=(const LeafLock&) = delete;

 private:
  LeafMutex& mutex_;
};

}  // namespace kube::base::internal

#endif  // APIMACHINERY_BASE_INTERNAL_LEAF_MUTEX_H_
