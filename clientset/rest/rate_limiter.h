#ifndef CLIENTSET_REST_RATE_LIMITER_H_
#define CLIENTSET_REST_RATE_LIMITER_H_

#include <memory>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"

namespace kube::rest {

// Lets so many through. (flowcontrol.RateLimiter) Thread-safe.
class RateLimiter {
 public:
  virtual ~RateLimiter() = default;

  // Blocks until one more may go (OK) or `ctx` is done. RESOURCE_EXHAUSTED at once if its deadline
  // comes too early.
  virtual absl::Status Wait(const Context& ctx) = 0;

  // Whether one more may go now; takes it.
  virtual bool TryAccept() = 0;

  // A second, on average.
  virtual double qps() const = 0;
};

// A bucket with room for `burst` tokens, full at first, into which `qps` fall a second.
// (flowcontrol.NewTokenBucketRateLimiter) Both are above zero.
std::shared_ptr<RateLimiter> MakeTokenBucketRateLimiter(double qps, int burst);

}  // namespace kube::rest

#endif  // CLIENTSET_REST_RATE_LIMITER_H_
