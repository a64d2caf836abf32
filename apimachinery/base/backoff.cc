#include "apimachinery/base/backoff.h"

#include <cmath>

#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"

namespace kube::base {

absl::Duration Backoff::Step() {
  const absl::Duration now = jitter > 0 ? Jitter(duration, jitter) : duration;
  if (steps < 1) {
    steps = 0;
    return now;
  }
  --steps;
  if (factor != 0) {
    duration = absl::Nanoseconds(std::trunc(absl::ToDoubleNanoseconds(duration) * factor));
    if (cap > absl::ZeroDuration() && duration > cap) {
      duration = cap;
      steps = 0;
    }
  }
  return now;
}

DelayFunc Backoff::Delay() const {
  return [backoff = *this]() mutable { return backoff.Step(); };
}

BackoffManager::BackoffManager(Backoff backoff, absl::Duration reset_interval)
    : initial_(backoff), reset_interval_(reset_interval), backoff_(backoff) {}

absl::Duration BackoffManager::Step() {
  const MonotonicTime now = Now();
  MutexLock lock(mutex_);
  if (reset_interval_ <= absl::ZeroDuration() || now - last_step_ > reset_interval_) {
    backoff_ = initial_;
  }
  last_step_ = now;
  return backoff_.Step();
}

}  // namespace kube::base
