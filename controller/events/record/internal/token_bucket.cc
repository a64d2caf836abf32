#include "controller/events/record/internal/token_bucket.h"

#include <algorithm>

#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"

namespace kube::record::internal {

bool TokenBucket::TryAccept(int burst, double qps, base::MonotonicTime now) {
  double tokens = tokens_;
  if (used_ && now > last_) tokens += absl::ToDoubleSeconds(now - last_) * qps;
  tokens = std::min(tokens, static_cast<double>(burst)) - 1;
  // Whoever would have to wait for less than a nanosecond need not.
  if (tokens < 0 && -tokens / qps * 1e9 >= 1) return false;
  tokens_ = tokens;
  last_ = now;
  used_ = true;
  return true;
}

}  // namespace kube::record::internal
