#ifndef CONTROLLER_EVENTS_RECORD_INTERNAL_TOKEN_BUCKET_H_
#define CONTROLLER_EVENTS_RECORD_INTERNAL_TOKEN_BUCKET_H_

#include "apimachinery/base/monotonic_time.h"

namespace kube::record::internal {

// A bucket with room for `burst` tokens, full at first, into which `qps` fall a second. With the
// arithmetic of golang.org/x/time/rate, so that it says yes at the same nanosecond.
//
// A value of three words: there is one for each object. Thread-compatible.
class TokenBucket {
 public:
  explicit TokenBucket(int burst) : tokens_(burst) {}

  // Whether there is a token; takes it. The same `burst` and `qps`, above zero, each time.
  bool TryAccept(int burst, double qps, base::MonotonicTime now);

 private:
  double tokens_;
  base::MonotonicTime last_;
  bool used_ = false;
};

}  // namespace kube::record::internal

#endif  // CONTROLLER_EVENTS_RECORD_INTERNAL_TOKEN_BUCKET_H_
