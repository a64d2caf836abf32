#ifndef APIMACHINERY_FLOWCONTROL_TOKEN_BUCKET_H_
#define APIMACHINERY_FLOWCONTROL_TOKEN_BUCKET_H_

#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"

namespace kube::flowcontrol {

// A token bucket: it holds up to `burst` tokens, starts full, and gains `qps` tokens a second. Take
// always succeeds and may make the balance negative; the caller then waits for the time that WaitAt
// gave. The arithmetic is that of Go's rate.Limiter, so that tokens become available at the same
// nanosecond. (Go: `golang.org/x/time/rate.Limiter`)
//
//   const absl::Duration wait = bucket.WaitAt(now);
//   if (now + wait > deadline) return absl::ResourceExhaustedError("too late");
//   bucket.Take(now);
//   return wait;
//
// Never blocks. Thread-compatible: the owner must lock.
class TokenBucket {
 public:
  // `qps` and `burst` must be positive.
  TokenBucket(double qps, int burst) : qps_(qps), burst_(burst), tokens_(burst) {}

  double qps() const { return qps_; }

  // Returns how long after `now` a token becomes available, in whole nanoseconds, rounded down;
  // zero if one is available.
  absl::Duration WaitAt(base::MonotonicTime now) const;
  // Takes a token, even if none is available.
  void Take(base::MonotonicTime now);
  // Returns a token that was taken but not used.
  void PutBack(base::MonotonicTime now);
  // Takes a token if one is available, and returns whether it did.
  bool TryTake(base::MonotonicTime now);

 private:
  double TokensAt(base::MonotonicTime now) const;

  double qps_;
  double burst_;
  // The balance at the time `counted_`.
  double tokens_;
  base::MonotonicTime counted_;
};

}  // namespace kube::flowcontrol

#endif  // APIMACHINERY_FLOWCONTROL_TOKEN_BUCKET_H_
