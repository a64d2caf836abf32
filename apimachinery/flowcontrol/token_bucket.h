#ifndef APIMACHINERY_FLOWCONTROL_TOKEN_BUCKET_H_
#define APIMACHINERY_FLOWCONTROL_TOKEN_BUCKET_H_

#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"

namespace kube::flowcontrol {

// A bucket with room for `burst` tokens, full at first, into which `qps` fall a second. It counts
// in debts: who does not mind to wait takes a token at once, below zero if need be, and then lets
// WaitAt pass. With the arithmetic of Go, so that it says yes at the same nanosecond.
// (golang.org/x/time/rate.Limiter)
//
//   const absl::Duration wait = bucket.WaitAt(now);
//   if (now + wait > deadline) return absl::ResourceExhaustedError("too late");
//   bucket.Take(now);
//
// A value that blocks nobody. Thread-compatible: its owner has the lock.
class TokenBucket {
 public:
  // Both are above zero.
  TokenBucket(double qps, int burst) : qps_(qps), burst_(burst), tokens_(burst) {}

  double qps() const { return qps_; }

  // How long it takes from `now` until there is a token, in whole nanoseconds, cut off; zero if
  // there is one.
  absl::Duration WaitAt(base::MonotonicTime now) const;
  // Takes a token, whether there is one or not.
  void Take(base::MonotonicTime now);
  // Puts back one that was taken and not used.
  void PutBack(base::MonotonicTime now);
  // Whether there is a token; takes it.
  bool TryTake(base::MonotonicTime now);

 private:
  double TokensAt(base::MonotonicTime now) const;

  double qps_;
  double burst_;
  // As of `counted_`.
  double tokens_;
  base::MonotonicTime counted_;
};

}  // namespace kube::flowcontrol

#endif  // APIMACHINERY_FLOWCONTROL_TOKEN_BUCKET_H_
