#include "controller/health/internal/check_runner.h"

#include <cstdint>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"

namespace kube::health::internal {

CheckRunner::CheckRunner(HealthCheck check, absl::Duration timeout)
    : check_(std::move(check)), timeout_(timeout) {}

absl::Status CheckRunner::Start(const Context& ctx) {
  return thread_.Start(ctx, "health-check", [this](const Context& own) { Work(own); });
}

int64_t CheckRunner::Begin() {
  base::MutexLock lock(mutex_);
  if (begun_ == ended_) {
    ++begun_;
    began_at_ = base::Runtime::Current().Now();
    changed_.NotifyAll();
  }
  return begun_;
}

absl::Status CheckRunner::Await(const Context& ctx, int64_t run) {
  base::MutexLock lock(mutex_);
  const bool over = changed_.WaitUntil(
      ctx, mutex_, began_at_ + timeout_,
      [this, run]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return ended_ >= run; });
  if (over) return result_;
  if (ctx.done()) return ctx.status();
  return absl::DeadlineExceededError(absl::StrCat("no result in ", absl::FormatDuration(timeout_)));
}

void CheckRunner::Work(const Context& ctx) {
  while (true) {
    {
      base::MutexLock lock(mutex_);
      const absl::Status wanted = changed_.Wait(
          ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return begun_ > ended_; });
      if (!wanted.ok()) return;
    }
    absl::Status result = check_.check(WithTimeout(ctx, timeout_));
    base::MutexLock lock(mutex_);
    result_ = std::move(result);
    ended_ = begun_;
    changed_.NotifyAll();
  }
}

}  // namespace kube::health::internal
