#ifndef APIMACHINERY_BASE_INTERNAL_REAL_THREAD_H_
#define APIMACHINERY_BASE_INTERNAL_REAL_THREAD_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/runtime.h"

namespace kube::base::internal {

// Parks an operating system thread, with a token as in Java's LockSupport: an Unpark before the
// Park is not lost, but makes the Park return immediately. A waiter is never destroyed; when its
// thread ends, another thread reuses it. A late Unpark may therefore wake an unrelated thread
// early, which Park allows.
//
// It uses a futex, because a condition variable costs two more locks and one more system call for
// each wake-up (glibc leaves its mutex marked as contended).
class RealWaiter final : public Waiter {
 public:
  void Unpark() override;

  // Blocks until Unpark or `deadline`, a point on the steady clock. May return early.
  void Park(MonotonicTime deadline);

  // Returns the waiter of the calling thread.
  static RealWaiter& ThisThread();

 private:
  static constexpr uint32_t kEmpty = 0;
  static constexpr uint32_t kToken = 1;
  static constexpr uint32_t kParked = 2;

  // Park blocks only if it can change kEmpty to kParked, and sets kEmpty when it returns. Unpark
  // sets kToken, and wakes the thread if the state was kParked.
  std::atomic<uint32_t> state_{kEmpty};
};

// Registers fork handlers that hold the lock of the pool of waiters during a fork, so that the
// child can use the pool. Runtime::Real() calls it once.
void PrepareWaitersForForks();

MonotonicTime SteadyNow();

// Starts an operating system thread whose current runtime is `runtime`. Returns RESOURCE_EXHAUSTED
// if the system cannot create one.
absl::StatusOr<std::unique_ptr<RunningThread>> StartRealThread(Runtime& runtime, std::string name,
                                                               absl::AnyInvocable<void()> body);

// Returns 64 random bits from the kernel. A forked process does not repeat its parent's numbers.
uint64_t RealRandom();

}  // namespace kube::base::internal

#endif  // APIMACHINERY_BASE_INTERNAL_REAL_THREAD_H_
