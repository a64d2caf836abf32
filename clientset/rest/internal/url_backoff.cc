#include "clientset/rest/internal/url_backoff.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"

namespace kube::rest::internal {

UrlBackoff::UrlBackoff(absl::string_view base_seconds, absl::string_view max_seconds) {
  int64_t first = 0;
  int64_t most = 0;
  if (!absl::SimpleAtoi(base_seconds, &first) || !absl::SimpleAtoi(max_seconds, &most)) return;
  if (first <= 0 || most <= 0) return;
  base_ = absl::Seconds(first);
  max_ = absl::Seconds(most);
}

absl::Duration UrlBackoff::Delay() {
  const base::MutexLock lock(mutex_);
  // client-go resets an old delay only with the next response, and so delays a request after an
  // hour of silence.
  if (base::Now() - updated_ > 2 * max_) delay_ = absl::ZeroDuration();
  return delay_;
}

void UrlBackoff::Update(int status) {
  if (base_ == absl::ZeroDuration()) return;
  const base::MutexLock lock(mutex_);
  const base::MonotonicTime now = base::Now();
  if (status != 429 && status <= 499) {
    delay_ = absl::ZeroDuration();
  } else if (delay_ == absl::ZeroDuration() || now - updated_ > 2 * max_) {
    delay_ = base_;
  } else {
    delay_ = std::min(delay_ * 2, max_);
  }
  updated_ = now;
}

}  // namespace kube::rest::internal
