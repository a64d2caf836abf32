#include "clientset/rest/rate_limiter.h"

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
#include "apimachinery/flowcontrol/token_bucket.h"

namespace kube::rest {

namespace {

// A caller takes its token at once, even if the bucket is empty, and then sleeps until the time at
// which the token is due. The bucket's deficit thus plays the part of a queue: callers proceed in
// the order in which they came. A caller whose context ends while it sleeps returns its token, if
// it was the last in that order.
class TokenBucket final : public RateLimiter {
 public:
  TokenBucket(double qps, int burst) : qps_(qps), bucket_(qps, burst) {}

  absl::Status Wait(const Context& ctx) override {
    if (ctx.done()) return ctx.status();
    base::MonotonicTime turn;
    {
      const base::MutexLock lock(mutex_);
      const base::MonotonicTime now = base::Now();
      turn = now + bucket_.WaitAt(now);
      if (turn > ctx.deadline()) {
        return absl::ResourceExhaustedError("rate: Wait(n=1) would exceed context deadline");
      }
      bucket_.Take(now);
      if (turn == now) return absl::OkStatus();
      last_turn_ = turn;
    }
    const absl::Status status = base::SleepUntil(ctx, turn);
    if (!status.ok()) GiveBack(turn);
    return status;
  }

  bool TryAccept() override {
    const base::MutexLock lock(mutex_);
    return bucket_.TryTake(base::Now());
  }

  double qps() const override { return qps_; }

 private:
  // Only the last caller can return its token: the callers behind another one already know their
  // time.
  void GiveBack(base::MonotonicTime turn) {
    const base::MutexLock lock(mutex_);
    if (turn != last_turn_) return;
    bucket_.PutBack(base::Now());
    last_turn_ = turn - absl::Seconds(1 / qps_);
  }

  const double qps_;
  base::Mutex mutex_;
  flowcontrol::TokenBucket bucket_ ABSL_GUARDED_BY(mutex_);
  base::MonotonicTime last_turn_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

std::shared_ptr<RateLimiter> MakeTokenBucketRateLimiter(double qps, int burst) {
  KUBE_CHECK(qps > 0) << "qps must be greater than 0";
  KUBE_CHECK(burst > 0) << "burst must be greater than 0";
  return std::make_shared<TokenBucket>(qps, burst);
}

}  // namespace kube::rest
