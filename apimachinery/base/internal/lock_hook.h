#ifndef APIMACHINERY_BASE_INTERNAL_LOCK_HOOK_H_
#define APIMACHINERY_BASE_INTERNAL_LOCK_HOOK_H_

#include <mutex>

#include "apimachinery/base/runtime.h"

namespace kube::base::internal {

// How a simulated thread takes a Mutex: a contended lock must hand the baton over, not block the
// operating system's thread, and an uncontended one is a place where another thread may run.
class LockHook {
 public:
  virtual ~LockHook() = default;
  virtual void Lock(std::mutex& mutex, const WaitSite& site) = 0;
  virtual bool TryLock(std::mutex& mutex) = 0;
  virtual void Unlock(std::mutex& mutex) = 0;
};

// Null on every thread that is not simulated.
extern constinit thread_local LockHook* current_lock_hook;

// Sets what Runtime::Current() answers on this thread; null means the real one. Returns the last.
Runtime* ExchangeCurrentRuntime(Runtime* runtime);

}  // namespace kube::base::internal

#endif  // APIMACHINERY_BASE_INTERNAL_LOCK_HOOK_H_
