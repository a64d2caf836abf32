#include "clientset/rest/rate_limiter.h"

#include <algorithm>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/wait.h"

namespace kube::rest {

namespace {

// Counts in debts: a caller takes its token at once, below zero if need be, and then waits until
// that token would have fallen. So callers go in the order in which they came, without a queue.
class TokenBucket final : public RateLimiter {
 public:
  TokenBucket(double qps, int burst)
      : qps_(qps), burst_(burst), tokens_(burst), filled_(base::Runtime::Current().Now()) {}

  absl::Status Wait(const Context& ctx) override {
    if (ctx.done()) return ctx.status();
    base::MonotonicTime turn;
    {
      const base::MutexLock lock(mutex_);
      const base::MonotonicTime now = Fill();
      const double debt = std::max(0.0, 1 - tokens_);
      turn = now + absl::Seconds(debt / qps_);
      if (turn > ctx.deadline()) {
        return absl::ResourceExhaustedError("would exceed context deadline");
      }
      tokens_ -= 1;
      if (debt == 0) return absl::OkStatus();
      last_turn_ = turn;
    }
    const absl::Status status = base::SleepUntil(ctx, turn);
    if (!status.ok()) GiveBack(turn);
    return status;
  }

  bool TryAccept() override {
    const base::MutexLock lock(mutex_);
    Fill();
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
  }

  double qps() const override { return qps_; }

 private:
  base::MonotonicTime Fill() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const base::MonotonicTime now = base::Runtime::Current().Now();
    tokens_ = std::min(static_cast<double>(burst_),
                       tokens_ + absl::ToDoubleSeconds(now - filled_) * qps_);
    filled_ = now;
    return now;
  }

  // Only the last in the line: those behind another one have been told when to go already.
  void GiveBack(base::MonotonicTime turn) {
    const base::MutexLock lock(mutex_);
    if (turn != last_turn_) return;
    Fill();
    tokens_ += 1;
    last_turn_ = turn - absl::Seconds(1 / qps_);
  }

  const double qps_;
  const int burst_;
  base::Mutex mutex_;
  double tokens_ ABSL_GUARDED_BY(mutex_);
  base::MonotonicTime filled_ ABSL_GUARDED_BY(mutex_);
  base::MonotonicTime last_turn_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

std::shared_ptr<RateLimiter> MakeTokenBucketRateLimiter(double qps, int burst) {
  KUBE_CHECK(qps > 0);
  KUBE_CHECK(burst > 0);
  return std::make_shared<TokenBucket>(qps, burst);
}

}  // namespace kube::rest
