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

// Parks an operating system thread. A token, as in Java's LockSupport: an Unpark
// that comes before the Park is not lost. Its memory is never freed but goes to another thread, so
// that an Unpark may come late: it then wakes somebody early, which Park allows.
//
// A futex: a condition variable costs two more locks, and one more call of the kernel, for each
// wake-up (glibc leaves its mutex marked as contended).
class RealWaiter final : public Waiter {
 public:
  void Unpark() override;

  // `deadline` is on the steady clock.
  void Park(MonotonicTime deadline);

  // The calling thread's own.
  static RealWaiter& ThisThread();

 private:
  static constexpr uint32_t kEmpty = 0;
  static constexpr uint32_t kToken = 1;
  static constexpr uint32_t kParked = 2;

  std::atomic<uint32_t> state_{kEmpty};
};

// Makes forks wait until no other thread holds the lock of the waiters: once, by Runtime::Real().
void PrepareWaitersForForks();

MonotonicTime SteadyNow();

// An operating system thread that carries `runtime`.
absl::StatusOr<std::unique_ptr<RunningThread>> StartRealThread(Runtime& runtime, std::string name,
                                                               absl::AnyInvocable<void()> body);

// 64 bits from the kernel. A forked process gets others than its parent.
uint64_t RealRandom();

}  // namespace kube::base::internal

#endif  // APIMACHINERY_BASE_INTERNAL_REAL_THREAD_H_
