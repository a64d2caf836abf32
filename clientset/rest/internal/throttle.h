#ifndef CLIENTSET_REST_INTERNAL_THROTTLE_H_
#define CLIENTSET_REST_INTERNAL_THROTTLE_H_

#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "clientset/rest/rate_limiter.h"

namespace kube::rest::internal {

// The rate limiter of a client; logs long waits. Thread-safe.
class Throttle {
 public:
  // If `limiter` is null, requests never wait.
  explicit Throttle(std::shared_ptr<RateLimiter> limiter) : limiter_(std::move(limiter)) {}

  bool limits() const { return limiter_ != nullptr; }

  // Blocks until the request may be sent. Returns the limiter's error. `reason` is the reason of a
  // retry, or empty. `url` must be redacted already, because it is logged.
  absl::Status Wait(const Context& ctx, absl::string_view verb, absl::string_view url,
                    absl::string_view reason);

 private:
  // Returns the level at which a very long wait is to be logged now, or a negative number if it is
  // not.
  int LevelForLongWait() ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<RateLimiter> limiter_;
  base::Mutex mutex_;
  base::MonotonicTime logged_at_[2] ABSL_GUARDED_BY(mutex_) = {
      base::MonotonicTime(-absl::InfiniteDuration()),
      base::MonotonicTime(-absl::InfiniteDuration())};
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_THROTTLE_H_
