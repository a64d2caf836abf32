#include "apimachinery/base/internal/adaptive_mutex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace kube::base::internal {

namespace {

// As long as a sleep and a wake-up take, roughly.
constexpr int64_t kAwake = 7000;
// Until it is looked at again: when it was waited for no longer than kRecently ago, and otherwise.
constexpr int64_t kLongWait = 2300;
constexpr int64_t kShortWait = 100;
constexpr uint32_t kRecently = 1000;

int64_t Nanoseconds() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

bool FutexMutex::LockAwake() {
  int64_t now = Nanoseconds();
  const int64_t end = now + kAwake;
  const uint32_t since = static_cast<uint32_t>(now) - last_wait_.load(std::memory_order_relaxed);
  for (int64_t wait = since < kRecently ? kLongWait : kShortWait; now < end; wait *= 2) {
    const int64_t until = now + wait;
    do now = Nanoseconds();
    while (now < until);
    if (state_.load(std::memory_order_relaxed) == kFree && try_lock()) return true;
  }
  return false;
}

void FutexMutex::LockSlowly() {
  if (!LockAwake()) {
    // From now on it is kAwaited whenever it is taken, until one thread less sleeps.
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree) {
      ::syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, kAwaited, nullptr, nullptr, 0);
    }
  }
  last_wait_.store(static_cast<uint32_t>(Nanoseconds()), std::memory_order_relaxed);
}

void FutexMutex::WakeOne() {
  ::syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace kube::base::internal
