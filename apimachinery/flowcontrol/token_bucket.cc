#include "apimachinery/flowcontrol/token_bucket.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"

namespace kube::flowcontrol {

double TokenBucket::TokensAt(base::MonotonicTime now) const {
  if (now <= counted_) return tokens_;
  return std::min(tokens_ + absl::ToDoubleSeconds(now - counted_) * qps_, burst_);
}

absl::Duration TokenBucket::WaitAt(base::MonotonicTime now) const {
  const double missing = 1 - TokensAt(now);
  if (missing <= 0) return absl::ZeroDuration();
  const double nanoseconds = missing / qps_ * 1e9;
  if (nanoseconds >= static_cast<double>(std::numeric_limits<int64_t>::max())) {
    return absl::InfiniteDuration();
  }
  return absl::Nanoseconds(static_cast<int64_t>(nanoseconds));
}

void TokenBucket::Take(base::MonotonicTime now) {
  tokens_ = TokensAt(now) - 1;
  counted_ = now;
}

void TokenBucket::PutBack(base::MonotonicTime now) {
  tokens_ = std::min(TokensAt(now) + 1, burst_);
  counted_ = now;
}

bool TokenBucket::TryTake(base::MonotonicTime now) {
  if (WaitAt(now) > absl::ZeroDuration()) return false;
  Take(now);
  return true;
}

}  // namespace kube::flowcontrol
