#ifndef APIMACHINERY_BASE_BACKOFF_H_
#define APIMACHINERY_BASE_BACKOFF_H_

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"

namespace kube::base {

// Returns the next time to wait. apimachinery: `wait.DelayFunc`.
using DelayFunc = absl::AnyInvocable<absl::Duration()>;

// Computes the pauses between attempts, which grow up to a cap. apimachinery: `wait.Backoff`, with
// the same results.
//
// A value that Step changes: copy it to start again. Thread-compatible.
//
//   Backoff backoff{.duration = absl::Milliseconds(10), .factor = 2, .jitter = 0.1, .steps = 5};
//   while (!ping()) KUBE_RETURN_IF_ERROR(SleepFor(ctx, backoff.Step()));
struct Backoff {
  // The next pause, before jitter.
  absl::Duration duration = absl::ZeroDuration();

  // Each step multiplies `duration` by this, until `steps` or `cap` ends the growth. Default 0:
  // `duration` does not change. Must not be negative.
  double factor = 0;

  // Each pause is longer by a random part of jitter * duration; the next duration is not affected.
  // Default 0: no jitter, as for negative values.
  double jitter = 0;

  // The number of steps that may still change `duration`, and the number of attempts of
  // ExponentialBackoff. Default 0: `duration` does not change. For growth up to `cap`, set a large
  // number.
  int steps = 0;

  // The upper limit of `duration`. A step that would exceed it sets `steps` to zero. The first
  // pause and the jitter are not limited. Default 0: no cap, as for negative values.
  absl::Duration cap = absl::ZeroDuration();

  // Returns the time to wait now, and advances `duration` and `steps`. Returns
  // absl::InfiniteDuration() where Go's product overflows.
  absl::Duration Step();

  // Returns a function that steps a copy of this Backoff. apimachinery: `Backoff.DelayFunc`.
  DelayFunc Delay() const;
};

// A Backoff that starts again after `reset_interval` without a Step. For something that fails now
// and then over a long life, such as a watch.
//
// The interval is measured from the last Step, that is, from the last failure, as in apimachinery's
// deprecated NewExponentialBackoffManager. The current Backoff.DelayWithReset measures from the
// last reset instead, and therefore returns to the shortest pause every two minutes in the middle
// of an outage. The pause itself counts as part of the interval: choose an interval longer than cap
// * (1 + jitter), or the longest pause resets the back-off.
//
// Thread-safe. Users that share one object advance it together.
class BackoffManager {
 public:
  // With a `reset_interval` of zero or less the pauses do not grow: each is `backoff.duration`.
  BackoffManager(Backoff backoff, absl::Duration reset_interval);

  // Returns the time to wait after a failure that happened now.
  absl::Duration Step() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const Backoff initial_;
  const absl::Duration reset_interval_;
  Mutex mutex_;
  Backoff backoff_ ABSL_GUARDED_BY(mutex_);
  MonotonicTime last_step_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_BACKOFF_H_
