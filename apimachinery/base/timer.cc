#include "apimachinery/base/timer.h"

#include <utility>

namespace kube::base {

Timer& Timer::operator=(Timer&& other) noexcept {
  if (this != &other) {
    Stop();
    slot_ = std::move(other.slot_);
    runtime_ = other.runtime_;
    key_ = other.key_;
  }
  return *this;
}

void Timer::Start(absl::Duration delay, absl::AnyInvocable<void()> callback) {
  Stop();
  runtime_ = &Runtime::Current();
  slot_ = std::make_shared<internal::CallbackSlot>(std::move(callback));
  key_ = runtime_->timers().Add(runtime_->Now() + delay, [slot = slot_] { slot->Run(); });
}

bool Timer::Stop() {
  // Writes no member, and reads `key_` only if the callback will never run: the callback may call
  // Stop too, even before Start has stored the key.
  if (slot_ == nullptr || !slot_->Withdraw()) return false;
  runtime_->timers().Remove(key_);
  return true;
}

}  // namespace kube::base
