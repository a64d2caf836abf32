#ifndef APIMACHINERY_BASE_INTERNAL_CALLBACK_SLOT_H_
#define APIMACHINERY_BASE_INTERNAL_CALLBACK_SLOT_H_

#include <mutex>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/source_location.h"

namespace kube::base::internal {

// A callback that runs at most once and that its owner can withdraw. After Withdraw it neither runs
// nor will run, so the objects that it refers to may be destroyed. The owner and the thread that
// runs it share the slot by shared_ptr.
//
// Thread-safe.
class CallbackSlot {
 public:
  explicit CallbackSlot(absl::AnyInvocable<void()> callback) : callback_(std::move(callback)) {}

  // Runs the callback on the calling thread, unless it has run or was withdrawn.
  void Run();

  // Returns true if this call has kept the callback from ever running. Otherwise returns false; if
  // the callback is running on another thread, blocks until it has returned. A callback may
  // withdraw itself: that returns immediately.
  bool Withdraw(SourceLocation where = SourceLocation::Current());

 private:
  // Goes from kPending to kRunning and kDone by Run, or from kPending to kDone by Withdraw.
  enum class Phase { kPending, kRunning, kDone };

  std::mutex mutex_;  // guards all below
  Phase phase_ = Phase::kPending;
  absl::AnyInvocable<void()> callback_;
  Waiter* runner_ = nullptr;
  std::vector<Waiter*> waiters_;
};

}  // namespace kube::base::internal

#endif  // APIMACHINERY_BASE_INTERNAL_CALLBACK_SLOT_H_
