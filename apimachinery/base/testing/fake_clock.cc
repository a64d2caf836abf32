#include "apimachinery/base/testing/fake_clock.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/internal/real_thread.h"

namespace kube::base {

FakeClock::FakeClock(absl::Time wall, uint64_t seed)
    : wall_offset_(wall - absl::UnixEpoch()), random_(seed), timers_([this](bool) {
        std::lock_guard<std::mutex> lock(mutex_);
        changed_.notify_all();
      }) {}

FakeClock::~FakeClock() {
  std::lock_guard<std::mutex> lock(mutex_);
  KUBE_CHECK(sleepers_.empty()) << "destroy FakeClock: a thread still sleeps on it";
}

void FakeClock::Step(absl::Duration step) {
  KUBE_CHECK(step >= absl::ZeroDuration() && step < absl::InfiniteDuration())
      << "step FakeClock by " << absl::FormatDuration(step);
  const MonotonicTime target = Now() + step;
  // A timer started by another timer's callback runs in the same step if it becomes due within it.
  for (MonotonicTime next = timers_.Next(); next <= target; next = timers_.Next()) {
    MoveTo(std::max(next, Now()));
    timers_.RunDue([this] { return Now(); });
  }
  MoveTo(target);
}

void FakeClock::MoveTo(MonotonicTime now) {
  std::lock_guard<std::mutex> lock(mutex_);
  now_ = std::max(now_, now);  // a callback or another thread may have moved it further
  while (!sleepers_.empty() && sleepers_.begin()->first <= now_) {
    sleepers_.begin()->second->Unpark();
    sleepers_.erase(sleepers_.begin());
  }
}

void FakeClock::SetWallTime(absl::Time wall) {
  std::lock_guard<std::mutex> lock(mutex_);
  wall_offset_ = wall - absl::UnixEpoch() - now_.since_epoch();
}

absl::Status FakeClock::BlockUntil(size_t n, absl::Duration patience) {
  std::unique_lock<std::mutex> lock(mutex_);
  const bool reached = changed_.wait_for(lock, absl::ToChronoNanoseconds(patience), [this, n] {
    return sleepers_.size() + timers_.size() >= n;
  });
  if (reached) return absl::OkStatus();
  return absl::DeadlineExceededError(absl::StrCat(
      "wait for ", n, " sleepers on FakeClock: there are ", sleepers_.size() + timers_.size()));
}

size_t FakeClock::Pending() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return sleepers_.size() + timers_.size();
}

MonotonicTime FakeClock::Now() {
  std::lock_guard<std::mutex> lock(mutex_);
  return now_;
}

absl::Time FakeClock::WallNow() {
  std::lock_guard<std::mutex> lock(mutex_);
  return absl::UnixEpoch() + wall_offset_ + now_.since_epoch();
}

uint64_t FakeClock::Random() {
  std::lock_guard<std::mutex> lock(mutex_);
  return random_();
}

absl::StatusOr<std::unique_ptr<RunningThread>> FakeClock::StartThread(
    std::string name, absl::AnyInvocable<void()> body) {
  return internal::StartRealThread(*this, std::move(name), std::move(body));
}

Waiter& FakeClock::ThisThread() { return internal::RealWaiter::ThisThread(); }

void FakeClock::Park(MonotonicTime deadline, const WaitSite&) {
  internal::RealWaiter& self = internal::RealWaiter::ThisThread();
  if (!deadline.is_infinite()) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (deadline <= now_) return;
    sleepers_.emplace(deadline, &self);
    changed_.notify_all();
  }
  self.Park(MonotonicTime::Infinite());
  if (!deadline.is_infinite()) {
    std::lock_guard<std::mutex> lock(mutex_);
    // A step may have erased it, and other threads may have the same deadline: look for our own.
    const auto [begin, end] = sleepers_.equal_range(deadline);
    const auto own = std::find_if(begin, end, [&](const auto& s) { return s.second == &self; });
    if (own != end) sleepers_.erase(own);
  }
}

}  // namespace kube::base
