#ifndef CLIENTSET_REST_RATE_LIMITER_H_
#define CLIENTSET_REST_RATE_LIMITER_H_

#include <memory>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"

namespace kube::rest {

// Limits the rate of requests. (client-go: `flowcontrol.RateLimiter`) Thread-safe.
class RateLimiter {
 public:
  virtual ~RateLimiter() = default;

  // Blocks until one more request may be sent. Returns ctx.status() if `ctx` is done first, and
  // RESOURCE_EXHAUSTED at once if its deadline would come before that.
  virtual absl::Status Wait(const Context& ctx) = 0;

  // Returns whether one more request may be sent now, and counts it if so. Does not block.
  virtual bool TryAccept() = 0;

  // Returns the average number of requests per second.
  virtual double qps() const = 0;
};

// Returns a token bucket that holds up to `burst` tokens, is full at first, and is refilled with
// `qps` tokens per second. Both must be positive. (client-go:
// `flowcontrol.NewTokenBucketRateLimiter`)
std::shared_ptr<RateLimiter> MakeTokenBucketRateLimiter(double qps, int burst);

}  // namespace kube::rest

#endif  // CLIENTSET_REST_RATE_LIMITER_H_
