#ifndef APIMACHINERY_BASE_INTERNAL_CALLBACK_SLOT_H_
#define APIMACHINERY_BASE_INTERNAL_CALLBACK_SLOT_H_

#include <mutex>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/source_location.h"

namespace kube::base::internal {

// One callback that runs at most once, and that its owner can withdraw: after Withdraw it does not
// run and is not running, so what it refers to may go. Held by shared_ptr from both sides.
//
// Thread-safe.
class CallbackSlot {
 public:
  explicit CallbackSlot(absl::AnyInvocable<void()> callback) : callback_(std::move(callback)) {}

  // Runs the callback on this thread, unless it ran or was withdrawn.
  void Run();

  // True when this call kept the callback from ever running. Waits for a run on another thread to
  // end; called by the callback itself it returns at once.
  bool Withdraw(SourceLocation where = SourceLocation::Current());

 private:
  enum class Phase { kPending, kRunning, kDone };

  std::mutex mutex_;  // guards all below
  Phase phase_ = Phase::kPending;
  absl::AnyInvocable<void()> callback_;
  Waiter* runner_ = nullptr;
  std::vector<Waiter*> waiters_;
};

}  // namespace kube::base::internal

#endif  // APIMACHINERY_BASE_INTERNAL_CALLBACK_SLOT_H_
