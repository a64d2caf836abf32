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

// A client's rate limiter, which says so where it makes somebody wait. Thread-safe.
class Throttle {
 public:
  // Null: nobody waits.
  explicit Throttle(std::shared_ptr<RateLimiter> limiter) : limiter_(std::move(limiter)) {}

  bool limits() const { return limiter_ != nullptr; }

  // Blocks until the request may go. `reason` is that of a retry; empty: none. `url` is fit to be
  // shown.
  absl::Status Wait(const Context& ctx, absl::string_view verb, absl::string_view url,
                    absl::string_view reason);

 private:
  // The level at which a very long wait is to be logged; negative: not now.
  int LevelForLongWait() ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<RateLimiter> limiter_;
  base::Mutex mutex_;
  base::MonotonicTime logged_at_[2] ABSL_GUARDED_BY(mutex_) = {
      base::MonotonicTime(-absl::InfiniteDuration()),
      base::MonotonicTime(-absl::InfiniteDuration())};
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_THROTTLE_H_
