#ifndef CONTROLLER_WORKQUEUE_RATE_LIMITER_H_
#define CONTROLLER_WORKQUEUE_RATE_LIMITER_H_

#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

// How long a key waits that failed. (client-go's default_rate_limiters.go)
//
// Each of these may belong to several queues; then a key's failures in all of them count. They
// remember every key that failed until it is forgotten: RunWorkers forgets at success, and whoever
// takes keys off a queue himself must.
namespace kube::workqueue {

// Keys are given as their texts (key_traits.h). Thread-safe.
class RateLimiter {
 public:
  virtual ~RateLimiter() = default;

  // How long the key waits now; counts it as one more failure. Zero: not at all. Never blocks.
  virtual absl::Duration When(absl::string_view key) = 0;

  // Ends the count of a key, because it went well or because nobody tries it again.
  virtual void Forget(absl::string_view key) = 0;

  // How many failures have been counted.
  virtual int NumRequeues(absl::string_view key) const = 0;
};

// base_delay x 2^failures, at most `max_delay`: each key by itself. Default: client-go's of a
// controller. (NewTypedItemExponentialFailureRateLimiter)
std::shared_ptr<RateLimiter> ExponentialFailureRateLimiter(
    absl::Duration base_delay = absl::Milliseconds(5),
    absl::Duration max_delay = absl::Seconds(1000));

// `fast_delay` for the first `max_fast_attempts` failures of a key, then `slow_delay`.
// (NewTypedItemFastSlowRateLimiter)
std::shared_ptr<RateLimiter> FastSlowRateLimiter(absl::Duration fast_delay,
                                                 absl::Duration slow_delay, int max_fast_attempts);

// All keys together: a bucket of `burst` tokens, into which `qps` fall a second. A key takes one,
// and waits until it has fallen. Both are above zero. (TypedBucketRateLimiter)
std::shared_ptr<RateLimiter> BucketRateLimiter(double qps, int burst);

// The longest wait of any of them, and the largest count. (NewTypedMaxOfRateLimiter)
std::shared_ptr<RateLimiter> MaxOfRateLimiter(std::vector<std::shared_ptr<RateLimiter>> limiters);

// No wait longer than `max_delay`. (NewTypedWithMaxWaitRateLimiter)
std::shared_ptr<RateLimiter> WithMaxWaitRateLimiter(std::shared_ptr<RateLimiter> limiter,
                                                    absl::Duration max_delay);

// What a queue has unless it says otherwise: of a key from 5 ms to 1000 s, of all keys ten a second
// after the first hundred. (DefaultTypedControllerRateLimiter)
std::shared_ptr<RateLimiter> DefaultControllerRateLimiter();

// Of a key from 1 ms to 1000 s. (DefaultTypedItemBasedRateLimiter)
std::shared_ptr<RateLimiter> DefaultItemBasedRateLimiter();

}  // namespace kube::workqueue

#endif  // CONTROLLER_WORKQUEUE_RATE_LIMITER_H_
