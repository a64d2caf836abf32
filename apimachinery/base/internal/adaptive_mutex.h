#ifndef APIMACHINERY_BASE_INTERNAL_ADAPTIVE_MUTEX_H_
#define APIMACHINERY_BASE_INTERNAL_ADAPTIVE_MUTEX_H_

#include <atomic>
#include <cstdint>
#include <mutex>  // IWYU pragma: keep

#include "absl/base/config.h"

namespace kube::base::internal {

// A lock for what is done in less time than a thread takes to sleep and to wake up: who finds it
// taken looks again for some microseconds, and only then sleeps.
//
// To take a lock that another core had last costs several times what is done under it. So, if it
// was waited for a moment ago too, nobody takes it the instant it is free: while one thread waits
// the other one can take it many times, and they hand it over once for all of these.
//
// Not fair, as a std::mutex is not.
class FutexMutex {
 public:
  constexpr FutexMutex() = default;
  FutexMutex(const FutexMutex&) = delete;
  FutexMutex& operator=(const FutexMutex&) = delete;

  // Named as std::lock_guard and std::unique_lock want them.
  void lock() {
    if (!try_lock()) LockSlowly();
  }
  bool try_lock() {
    uint32_t state = kFree;
    return state_.compare_exchange_strong(state, kTaken, std::memory_order_acquire,
                                          std::memory_order_relaxed);
  }
  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited) WakeOne();
  }

 private:
  enum State : uint32_t {
    kFree,
    kTaken,
    kAwaited,  // taken, and perhaps threads sleep until it is not
  };

  void LockSlowly();
  bool LockAwake();
  void WakeOne();

  std::atomic<uint32_t> state_ = kFree;
  std::atomic<uint32_t> last_wait_ = 0;  // when a thread had it after a wait, in nanoseconds
};

#ifdef ABSL_HAVE_THREAD_SANITIZER
using AdaptiveMutex = std::mutex;  // ThreadSanitizer looks at the order in which these are taken
#else
using AdaptiveMutex = FutexMutex;
#endif

}  // namespace kube::base::internal

#endif  // APIMACHINERY_BASE_INTERNAL_ADAPTIVE_MUTEX_H_
