#include "controller/workqueue/rate_limiter.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/flowcontrol/token_bucket.h"

namespace kube::workqueue {

namespace {

// Counts the failures of each key and derives the delay from the count.
class ByFailures : public RateLimiter {
 public:
  absl::Duration When(absl::string_view key) final {
    base::MutexLock lock(mutex_);
    const auto it = failures_.find(key);
    if (it == failures_.end()) {
      failures_.emplace(key, 1);
      return Delay(0);
    }
    // The count stops at the maximum; in Go it would overflow.
    if (it->second < std::numeric_limits<int>::max()) ++it->second;
    return Delay(it->second - 1);
  }
  void Forget(absl::string_view key) final {
    base::MutexLock lock(mutex_);
    const auto it = failures_.find(key);
    if (it != failures_.end()) failures_.erase(it);
  }
  int NumRequeues(absl::string_view key) const final {
    base::MutexLock lock(mutex_);
    const auto it = failures_.find(key);
    return it == failures_.end() ? 0 : it->second;
  }

 private:
  // Returns the delay after `failures` earlier failures.
  virtual absl::Duration Delay(int failures) const = 0;

  mutable base::Mutex mutex_;
  absl::flat_hash_map<std::string, int> failures_ ABSL_GUARDED_BY(mutex_);
};

class Exponential final : public ByFailures {
 public:
  Exponential(absl::Duration base_delay, absl::Duration max_delay)
      : base_delay_(base_delay), max_delay_(max_delay) {}

 private:
  absl::Duration Delay(int failures) const override {
    const double nanoseconds =
        absl::ToDoubleNanoseconds(base_delay_) * std::pow(2.0, static_cast<double>(failures));
    if (nanoseconds > static_cast<double>(std::numeric_limits<int64_t>::max())) return max_delay_;
    return std::min(absl::Nanoseconds(static_cast<int64_t>(nanoseconds)), max_delay_);
  }
  const absl::Duration base_delay_;
  const absl::Duration max_delay_;
};

class FastSlow final : public ByFailures {
 public:
  FastSlow(absl::Duration fast, absl::Duration slow, int max_fast_attempts)
      : fast_(fast), slow_(slow), max_fast_attempts_(max_fast_attempts) {}

 private:
  absl::Duration Delay(int failures) const override {
    return failures < max_fast_attempts_ ? fast_ : slow_;
  }
  const absl::Duration fast_;
  const absl::Duration slow_;
  const int max_fast_attempts_;
};

// Takes a token for each call and returns the time until that token is available.
class Bucket final : public RateLimiter {
 public:
  Bucket(double qps, int burst) : bucket_(qps, burst) {}

  absl::Duration When(absl::string_view) override {
    base::MutexLock lock(mutex_);
    const base::MonotonicTime now = base::Now();
    const absl::Duration wait = bucket_.WaitAt(now);
    bucket_.Take(now);
    return wait;
  }
  void Forget(absl::string_view) override {}
  int NumRequeues(absl::string_view) const override { return 0; }

 private:
  base::Mutex mutex_;
  flowcontrol::TokenBucket bucket_ ABSL_GUARDED_BY(mutex_);
};

class MaxOf final : public RateLimiter {
 public:
  explicit MaxOf(std::vector<std::shared_ptr<RateLimiter>> limiters)
      : limiters_(std::move(limiters)) {}

  absl::Duration When(absl::string_view key) override {
    absl::Duration longest = absl::ZeroDuration();
    for (const auto& limiter : limiters_) longest = std::max(longest, limiter->When(key));
    return longest;
  }
  void Forget(absl::string_view key) override {
    for (const auto& limiter : limiters_) limiter->Forget(key);
  }
  int NumRequeues(absl::string_view key) const override {
    int most = 0;
    for (const auto& limiter : limiters_) most = std::max(most, limiter->NumRequeues(key));
    return most;
  }

 private:
  const std::vector<std::shared_ptr<RateLimiter>> limiters_;
};

class WithMaxWait final : public RateLimiter {
 public:
  WithMaxWait(std::shared_ptr<RateLimiter> limiter, absl::Duration max_delay)
      : limiter_(std::move(limiter)), max_delay_(max_delay) {}

  absl::Duration When(absl::string_view key) override {
    return std::min(limiter_->When(key), max_delay_);
  }
  void Forget(absl::string_view key) override { limiter_->Forget(key); }
  int NumRequeues(absl::string_view key) const override { return limiter_->NumRequeues(key); }

 private:
  const std::shared_ptr<RateLimiter> limiter_;
  const absl::Duration max_delay_;
};

}  // namespace

std::shared_ptr<RateLimiter> ExponentialFailureRateLimiter(absl::Duration base_delay,
                                                           absl::Duration max_delay) {
  return std::make_shared<Exponential>(base_delay, max_delay);
}

std::shared_ptr<RateLimiter> FastSlowRateLimiter(absl::Duration fast_delay,
                                                 absl::Duration slow_delay, int max_fast_attempts) {
  return std::make_shared<FastSlow>(fast_delay, slow_delay, max_fast_attempts);
}

std::shared_ptr<RateLimiter> BucketRateLimiter(double qps, int burst) {
  KUBE_CHECK(qps > 0) << "qps must be greater than 0";
  KUBE_CHECK_GT(burst, 0) << "burst must be greater than 0";
  return std::make_shared<Bucket>(qps, burst);
}

std::shared_ptr<RateLimiter> MaxOfRateLimiter(std::vector<std::shared_ptr<RateLimiter>> limiters) {
  return std::make_shared<MaxOf>(std::move(limiters));
}

std::shared_ptr<RateLimiter> WithMaxWaitRateLimiter(std::shared_ptr<RateLimiter> limiter,
                                                    absl::Duration max_delay) {
  return std::make_shared<WithMaxWait>(std::move(limiter), max_delay);
}

std::shared_ptr<RateLimiter> DefaultControllerRateLimiter() {
  return MaxOfRateLimiter({ExponentialFailureRateLimiter(), BucketRateLimiter(10, 100)});
}

std::shared_ptr<RateLimiter> DefaultItemBasedRateLimiter() {
  return ExponentialFailureRateLimiter(absl::Milliseconds(1), absl::Seconds(1000));
}

}  // namespace kube::workqueue
