#include "apimachinery/base/testing/drifting_runtime.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/source_location.h"

namespace kube::base {

using base::MonotonicTime;

DriftingRuntime::DriftingRuntime(base::Runtime& below, DriftingOptions options)
    : below_(below),
      options_(options),
      start_(below.Now()),
      wall_start_(below.WallNow() + options.wall_skew),
      timers_([this](bool earlier) {
        if (earlier) OnTimerAdded();
      }) {}

DriftingRuntime::~DriftingRuntime() {
  if (timer_thread_ == nullptr) return;
  stopping_ = true;
  paused_until_ = MonotonicTime();
  if (timer_waiter_ != nullptr) timer_waiter_->Unpark();
  timer_thread_->Join(base::SourceLocation::Current());
}

MonotonicTime DriftingRuntime::Now() {
  return MonotonicTime((below_.Now() - start_) * options_.rate);
}

absl::Time DriftingRuntime::WallNow() { return wall_start_ + Now().since_epoch(); }

// Converts to the clock below, rounded up: a thread that is woken too early would have to wait
// again.
MonotonicTime DriftingRuntime::ToBelow(MonotonicTime own) const {
  if (own.is_infinite()) return own;
  return start_ + own.since_epoch() / options_.rate + absl::Nanoseconds(1);
}

absl::StatusOr<std::unique_ptr<base::RunningThread>> DriftingRuntime::StartThread(
    std::string name, absl::AnyInvocable<void()> body) {
  return below_.StartThread(std::move(name), [this, body = std::move(body)]() mutable {
    base::RuntimeScope scope(*this);
    body();
    body = nullptr;
  });
}

void DriftingRuntime::Park(MonotonicTime deadline, const base::WaitSite& site) {
  below_.Park(ToBelow(deadline), site);
  while (below_.Now() < paused_until_) {
    below_.Park(paused_until_, {"the end of a pause", base::SourceLocation::Current()});
  }
}

void DriftingRuntime::OnTimerAdded() {
  if (timer_thread_ == nullptr) {
    auto thread = StartThread("drifting-timers", [this] { RunTimers(); });
    KUBE_CHECK_OK(thread.status());
    timer_thread_ = *std::move(thread);
  } else if (timer_waiter_ != nullptr) {
    timer_waiter_->Unpark();
  }
}

void DriftingRuntime::RunTimers() {
  timer_waiter_ = &ThisThread();
  while (!stopping_) {
    timers_.RunDue([this] { return Now(); });
    Park(timers_.Next(), {"timers", base::SourceLocation::Current()});
  }
}

}  // namespace kube::base
