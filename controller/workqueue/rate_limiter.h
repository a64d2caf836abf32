#ifndef CONTROLLER_WORKQUEUE_RATE_LIMITER_H_
#define CONTROLLER_WORKQUEUE_RATE_LIMITER_H_

#include <memory>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

// Delays for keys that failed. (client-go: default_rate_limiters.go)
//
// A rate limiter may be shared by several queues; the failures of a key are then counted together.
// It remembers each failed key until Forget is called. RunWorkers does that after success; other
// code that takes keys off a queue must do it itself.
namespace kube::workqueue {

// Computes the delay of failed keys. Keys are passed as text (key_traits.h). Thread-safe.
class RateLimiter {
 public:
  virtual ~RateLimiter() = default;

  // Counts a failure of the key and returns how long it must wait; zero means not at all. Never
  // blocks.
  virtual absl::Duration When(absl::string_view key) = 0;

  // Resets the count of the key, after success or when it is given up.
  virtual void Forget(absl::string_view key) = 0;

  // Returns the number of failures counted for the key.
  virtual int NumRequeues(absl::string_view key) const = 0;
};

// Delays each key by base_delay x 2^failures, at most `max_delay`. The defaults are those of
// client-go's controllers. (client-go: `NewTypedItemExponentialFailureRateLimiter`)
std::shared_ptr<RateLimiter> ExponentialFailureRateLimiter(
    absl::Duration base_delay = absl::Milliseconds(5),
    absl::Duration max_delay = absl::Seconds(1000));

// Delays a key by `fast_delay` for its first `max_fast_attempts` failures, and by `slow_delay`
// afterwards. (client-go: `NewTypedItemFastSlowRateLimiter`)
std::shared_ptr<RateLimiter> FastSlowRateLimiter(absl::Duration fast_delay,
                                                 absl::Duration slow_delay, int max_fast_attempts);

// Limits all keys together with a token bucket of size `burst` that is refilled with `qps` tokens
// per second. Each key takes a token and waits until it is available. Both values must be positive.
// (client-go: `TypedBucketRateLimiter`)
std::shared_ptr<RateLimiter> BucketRateLimiter(double qps, int burst);

// Returns the longest delay and the highest count of `limiters`.
// (client-go: `NewTypedMaxOfRateLimiter`)
std::shared_ptr<RateLimiter> MaxOfRateLimiter(std::vector<std::shared_ptr<RateLimiter>> limiters);

// Limits the delays of `limiter` to `max_delay`. (client-go: `NewTypedWithMaxWaitRateLimiter`)
std::shared_ptr<RateLimiter> WithMaxWaitRateLimiter(std::shared_ptr<RateLimiter> limiter,
                                                    absl::Duration max_delay);

// Returns the default of a queue: 5 ms to 1000 s per key, and ten keys per second after the first
// hundred for all keys together. (client-go: `DefaultTypedControllerRateLimiter`)
std::shared_ptr<RateLimiter> DefaultControllerRateLimiter();

// Delays each key by 1 ms to 1000 s. (client-go: `DefaultTypedItemBasedRateLimiter`)
std::shared_ptr<RateLimiter> DefaultItemBasedRateLimiter();

}  // namespace kube::workqueue

#endif  // CONTROLLER_WORKQUEUE_RATE_LIMITER_H_
