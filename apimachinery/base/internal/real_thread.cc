#include "apimachinery/base/internal/real_thread.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/internal/lock_hook.h"

namespace kube::base::internal {
namespace {

class RealThread final : public RunningThread {
 public:
  explicit RealThread(std::thread thread) : thread_(std::move(thread)) {}
  void Join(SourceLocation) override { thread_.join(); }

 private:
  std::thread thread_;
};

}  // namespace

void RealWaiter::Unpark() {
  std::lock_guard<std::mutex> lock(mutex_);
  token_ = true;
  wake_.notify_one();
}

void RealWaiter::Park(MonotonicTime deadline) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (deadline.is_infinite()) {
    wake_.wait(lock, [this] { return token_; });
  } else {
    // An hour at most: a far deadline must not overflow the clock's own arithmetic, and an early
    // return is allowed.
    const MonotonicTime now = SteadyNow();
    const MonotonicTime until = std::min(deadline, now + absl::Hours(1));
    const std::chrono::steady_clock::time_point point(
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(
            absl::ToChronoNanoseconds(until.since_epoch())));
    wake_.wait_until(lock, point, [this] { return token_; });
  }
  token_ = false;
}

RealWaiter& RealWaiter::ThisThread() {
  thread_local RealWaiter waiter;
  return waiter;
}

MonotonicTime SteadyNow() {
  return MonotonicTime(absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch()));
}

absl::StatusOr<std::unique_ptr<RunningThread>> StartRealThread(Runtime& runtime, std::string name,
                                                               absl::AnyInvocable<void()> body) {
  try {
    std::thread thread([&runtime, name, body = std::move(body)]() mutable {
      // The kernel keeps 15 characters.
      pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
      ExchangeCurrentRuntime(&runtime);
      body();
      body = nullptr;  // what it captured goes while the thread still has its runtime
    });
    return std::make_unique<RealThread>(std::move(thread));
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError(
        absl::StrCat("start thread \"", name, "\": ", error.what()));
  }
}

uint64_t RealRandom() {
  thread_local std::mt19937_64 generator = [] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }();
  return generator();
}

}  // namespace kube::base::internal
