#include "apimachinery/base/runtime.h"

#include <pthread.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

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

// The runtime of operating system threads. One timer thread, started by the first timer, runs the
// timers' callbacks; it sleeps until the next deadline and is unparked when an earlier one is
// added.
//
// fork() copies this object into the child, but not the timer thread, and another thread of the
// parent may hold a lock at that moment. Therefore the thread that calls fork() takes both locks
// before, and parent and child release them after it. The child forgets the parent's timers; its
// first timer starts a timer thread of its own.
class RealRuntime final : public Runtime {
 public:
  RealRuntime()
      : timers_([this](bool earlier) {
          if (earlier) WakeTimerThread();
        }) {
    forking_runtime = this;
    internal::PrepareWaitersForForks();
    const int error = pthread_atfork(&BeforeFork, &AfterForkInParent, &AfterForkInChild);
    KUBE_CHECK_EQ(error, 0) << "pthread_atfork";
  }

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
  // Starts the timer thread if it does not run yet, and wakes it. It runs as long as the process
  // does.
  void WakeTimerThread() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (!started_) {
      started_ = true;
      auto thread = StartThread("kube-timers", [this] { RunTimers(); });
      KUBE_CHECK_OK(thread.status());
      threads_.push_back(*std::move(thread));
    }
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

  static void BeforeFork() {
    forking_runtime->mutex_.lock();
    forking_runtime->timers_.LockForFork();
  }
  static void AfterForkInParent() {
    forking_runtime->timers_.UnlockAfterFork();
    forking_runtime->mutex_.unlock();
  }
  static void AfterForkInChild() {
    forking_runtime->timers_.ForgetAfterFork();
    forking_runtime->started_ = false;
    forking_runtime->timer_thread_ = nullptr;
    forking_runtime->mutex_.unlock();
  }

  // The only object of this class, for the fork handlers, which have no argument.
  static constinit inline RealRuntime* forking_runtime = nullptr;

  internal::TimerQueue timers_;
  std::mutex mutex_;  // guards all below; timers_' lock may be taken while it is held
  bool started_ = false;
  Waiter* timer_thread_ = nullptr;  // its thread never ends
  // The timer thread of this process and, after a fork, those of its parents, which cannot be
  // joined.
  std::vector<std::unique_ptr<RunningThread>> threads_;
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
