#include "apimachinery/base/internal/real_thread.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/internal/lock_hook.h"
#include "apimachinery/base/no_destructor.h"

namespace kube::base::internal {
namespace {

class RealThread final : public RunningThread {
 public:
  explicit RealThread(std::thread thread) : thread_(std::move(thread)) {}
  void Join(SourceLocation) override { thread_.join(); }

 private:
  std::thread thread_;
};

// Reuses the waiters of threads that have ended; creates one if the pool is empty.
class WaiterPool {
 public:
  RealWaiter* Take() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) {
      all_.push_back(std::make_unique<RealWaiter>());
      return all_.back().get();
    }
    RealWaiter* waiter = free_.back();
    free_.pop_back();
    return waiter;
  }
  void Return(RealWaiter* waiter) {
    std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(waiter);
  }

  void LockForFork() { mutex_.lock(); }
  void UnlockAfterFork() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<RealWaiter>> all_;
  std::vector<RealWaiter*> free_;
};

WaiterPool& FreeWaiters() {
  static base::NoDestructor<WaiterPool> pool;
  return *pool;
}

static_assert(sizeof(std::atomic<uint32_t>) == sizeof(uint32_t));

// Blocks until woken or until `deadline`; returns immediately if the word is not `expected`. May
// return early.
void FutexWait(std::atomic<uint32_t>& word, uint32_t expected, MonotonicTime deadline) {
  timespec until = {};
  if (!deadline.is_infinite()) {
    // At most an hour, because a far deadline would overflow; returning early is allowed.
    until = absl::ToTimespec(std::min(deadline, SteadyNow() + absl::Hours(1)).since_epoch());
  }
  // With FUTEX_WAIT_BITSET the timeout is a point on CLOCK_MONOTONIC, the clock of SteadyNow.
  ::syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected,
            deadline.is_infinite() ? nullptr : &until, nullptr, FUTEX_BITSET_MATCH_ANY);
}

void FutexWake(std::atomic<uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

constinit thread_local RealWaiter* this_waiter = nullptr;

// Returns the thread's waiter to the pool. If a later destructor of the thread waits, it takes
// another one.
struct WaiterOwner {
  ~WaiterOwner() { FreeWaiters().Return(std::exchange(this_waiter, nullptr)); }
};

}  // namespace

void RealWaiter::Unpark() {
  if (state_.exchange(kToken, std::memory_order_acq_rel) == kParked) FutexWake(state_);
}

void RealWaiter::Park(MonotonicTime deadline) {
  uint32_t state = kEmpty;
  if (state_.compare_exchange_strong(state, kParked, std::memory_order_acq_rel)) {
    FutexWait(state_, kParked, deadline);
  }
  // Acquires: what a thread wrote before its Unpark is visible from here on.
  state_.exchange(kEmpty, std::memory_order_acq_rel);
}

RealWaiter& RealWaiter::ThisThread() {
  if (this_waiter == nullptr) {
    this_waiter = FreeWaiters().Take();
    thread_local const WaiterOwner owner;
  }
  return *this_waiter;
}

void PrepareWaitersForForks() {
  FreeWaiters();
  const int error =
      pthread_atfork([] { FreeWaiters().LockForFork(); }, [] { FreeWaiters().UnlockAfterFork(); },
                     [] { FreeWaiters().UnlockAfterFork(); });
  KUBE_CHECK_EQ(error, 0) << "pthread_atfork";
}

MonotonicTime SteadyNow() {
  return MonotonicTime(absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch()));
}

absl::StatusOr<std::unique_ptr<RunningThread>> StartRealThread(Runtime& runtime, std::string name,
                                                               absl::AnyInvocable<void()> body) {
  try {
    std::thread thread([&runtime, name, body = std::move(body)]() mutable {
      // The kernel keeps 15 characters of a name.
      pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
      ExchangeCurrentRuntime(&runtime);
      body();
      body = nullptr;  // destroys the captures while the thread still has its runtime
    });
    return std::make_unique<RealThread>(std::move(thread));
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError(
        absl::StrCat("start thread \"", name, "\": ", error.what()));
  }
}

// Asks the kernel each time. fork() would copy the state of a generator, or a buffer of random
// bytes, so that parent and children would make equal leader identities and UUIDs.
uint64_t RealRandom() {
  uint64_t random = 0;
  if (::getrandom(&random, sizeof(random), 0) == sizeof(random)) return random;
  // A sandbox may forbid the system call; the standard library knows other sources.
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

}  // namespace kube::base::internal
