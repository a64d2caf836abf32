#include "controller/health/internal/check_runner.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/timer.h"

namespace kube::health::internal {

CheckRunner::CheckRunner(HealthCheck check, absl::Duration timeout)
    : check_(std::move(check)), timeout_(timeout) {}

absl::Status CheckRunner::Start(const Context& ctx) {
  return thread_.Start(ctx, "health-check", [this](const Context& own) { Work(own); });
}

// Destroys each callback right after its call, since a callback that exists counts as waiting.
void CheckRunner::TellAll(std::vector<Callback>& waiting, const absl::Status& result) {
  for (Callback& done : waiting) std::exchange(done, nullptr)(result);
}

void CheckRunner::Ask(Callback done) {
  {
    base::MutexLock lock(mutex_);
    if (begun_ == ended_) {
      ++begun_;
      changed_.NotifyAll();
    }
    if (!is_late_) {
      waiting_.push_back(std::move(done));
      return;
    }
  }
  done(Late());
}

void CheckRunner::Work(const Context& ctx) {
  while (true) {
    int64_t run = 0;
    {
      base::MutexLock lock(mutex_);
      const absl::Status wanted = changed_.Wait(
          ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return begun_ > ended_; });
      if (!wanted.ok()) return;
      run = begun_;
    }
    absl::Status result;
    {
      base::Timer timer;
      timer.Start(timeout_, [this, run] { GiveUp(run); });
      result = check_.check(WithTimeout(ctx, timeout_));
    }
    std::vector<Callback> waiting;
    {
      base::MutexLock lock(mutex_);
      ended_ = run;
      is_late_ = false;
      waiting.swap(waiting_);
    }
    TellAll(waiting, result);
  }
}

void CheckRunner::GiveUp(int64_t run) {
  std::vector<Callback> waiting;
  {
    base::MutexLock lock(mutex_);
    if (ended_ >= run) return;
    is_late_ = true;
    waiting.swap(waiting_);
  }
  TellAll(waiting, Late());
}

absl::Status CheckRunner::Late() const {
  return absl::DeadlineExceededError(
      absl::StrCat("no result after ", absl::FormatDuration(timeout_)));
}

}  // namespace kube::health::internal
