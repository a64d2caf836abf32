#include "apimachinery/base/runtime.h"

#include <chrono>
#include <mutex>
#include <utility>

#include "absl/time/clock.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/internal/lock_hook.h"
#include "apimachinery/base/internal/real_thread.h"

namespace kube::base {
namespace internal {

constinit thread_local LockHook* current_lock_hook = nullptr;

namespace {
constinit thread_local Runtime* current_runtime = nullptr;
}  // namespace

Runtime* ExchangeCurrentRuntime(Runtime* runtime) {
  return std::exchange(current_runtime, runtime);
}

}  // namespace internal

namespace {

class RealRuntime final : public Runtime {
 public:
  RealRuntime()
      : timers_([this](bool earlier) {
          if (earlier) WakeTimerThread();
        }) {}

  MonotonicTime Now() override { return internal::SteadyNow(); }
  absl::Time WallNow() override { return absl::Now(); }
  uint64_t Random() override { return internal::RealRandom(); }
  absl::StatusOr<std::unique_ptr<RunningThread>> StartThread(
      std::string name, absl::AnyInvocable<void()> body) override {
    return internal::StartRealThread(*this, std::move(name), std::move(body));
  }
  Waiter& ThisThread() override { return internal::RealWaiter::ThisThread(); }
  void Park(MonotonicTime deadline, const WaitSite&) override {
    internal::RealWaiter::ThisThread().Park(deadline);
  }
  internal::TimerQueue& timers() override { return timers_; }

 private:
  // The timer thread is started by the first timer and lives as long as the process does.
  void WakeTimerThread() {
    std::call_once(started_, [this] {
      auto thread = StartThread("kube-timers", [this] { RunTimers(); });
      KUBE_CHECK_OK(thread.status());
      thread_ = *std::move(thread);
    });
    std::lock_guard<std::mutex> lock(mutex_);
    if (timer_thread_ != nullptr) timer_thread_->Unpark();
  }

  void RunTimers() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      timer_thread_ = &ThisThread();
    }
    for (;;) {
      timers_.RunDue([this] { return Now(); });
      Park(timers_.Next(), {"timers", SourceLocation::Current()});
    }
  }

  internal::TimerQueue timers_;
  std::once_flag started_;
  std::unique_ptr<RunningThread> thread_;
  std::mutex mutex_;
  Waiter* timer_thread_ = nullptr;  // guarded by mutex_; of a thread that never ends
};

}  // namespace

Runtime& Runtime::Current() {
  return internal::current_runtime != nullptr ? *internal::current_runtime : Real();
}

Runtime& Runtime::Real() {
  static RealRuntime* const runtime = new RealRuntime;  // never destroyed: threads may outlive main
  return *runtime;
}

RuntimeScope::RuntimeScope(Runtime& runtime)
    : previous_(internal::ExchangeCurrentRuntime(&runtime)) {}

RuntimeScope::~RuntimeScope() { internal::ExchangeCurrentRuntime(previous_); }

}  // namespace kube::base
