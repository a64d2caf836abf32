#include "apimachinery/base/internal/callback_slot.h"

#include <algorithm>

namespace kube::base::internal {

void CallbackSlot::Run() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (phase_ != Phase::kPending) return;
    phase_ = Phase::kRunning;
    runner_ = &Runtime::Current().ThisThread();
  }
  callback_();
  callback_ = nullptr;  // destroys the captures before a waiting Withdraw returns
  std::lock_guard<std::mutex> lock(mutex_);
  phase_ = Phase::kDone;
  runner_ = nullptr;
  for (Waiter* waiter : waiters_) waiter->Unpark();
  waiters_.clear();
}

bool CallbackSlot::Withdraw(SourceLocation where) {
  Runtime& runtime = Runtime::Current();
  Waiter& self = runtime.ThisThread();
  absl::AnyInvocable<void()> withdrawn;  // destroyed after the lock is released
  std::unique_lock<std::mutex> lock(mutex_);
  if (phase_ == Phase::kPending) {
    phase_ = Phase::kDone;
    withdrawn = std::move(callback_);
    lock.unlock();
    return true;
  }
  if (phase_ == Phase::kRunning && runner_ != &self) {
    waiters_.push_back(&self);
    while (phase_ == Phase::kRunning) {
      lock.unlock();
      runtime.Park(MonotonicTime::Infinite(), {"the end of a callback", where});
      lock.lock();
    }
  }
  return false;
}

}  // namespace kube::base::internal
