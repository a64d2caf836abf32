#ifndef APIMACHINERY_BASE_BACKOFF_H_
#define APIMACHINERY_BASE_BACKOFF_H_

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"

namespace kube::base {

// The next time to wait. Go: wait.DelayFunc.
using DelayFunc = absl::AnyInvocable<absl::Duration()>;

// How long to wait between tries: longer each time, up to a cap. Go: wait.Backoff, to the letter.
//
// A value that Step uses up: copy it to begin anew. Thread-compatible.
//
//   Backoff backoff{.duration = absl::Milliseconds(10), .factor = 2, .jitter = 0.1, .steps = 5};
//   while (!Try()) KUBE_RETURN_IF_ERROR(SleepFor(ctx, backoff.Step()));
struct Backoff {
  // The next wait, before jitter.
  absl::Duration duration = absl::ZeroDuration();

  // Each step multiplies `duration` by this, until `steps` or `cap` stop it. Zero: it stays as it
  // is. Not negative.
  double factor = 0;

  // Each wait is longer by a random part of jitter * duration. The next duration is not affected.
  // Zero and less: none.
  double jitter = 0;

  // How many more steps may change `duration`. Also how many tries ExponentialBackoff makes. With
  // zero, the default, `duration` is what it is: take a large number together with `cap`.
  int steps = 0;

  // What `duration` grows to at most; a step that would go beyond it sets `steps` to zero. The
  // first wait and the jitter are not limited. Zero and less: no cap.
  absl::Duration cap = absl::ZeroDuration();

  // The time to wait now; moves duration and steps on. Where Go's product overflows, this one is
  // absl::InfiniteDuration().
  absl::Duration Step();

  // The steps of a copy of this. Go: Backoff.DelayFunc.
  DelayFunc Delay() const;
};

// A Backoff that begins anew when nobody has asked for `reset_interval`: for something that fails
// now and then over a long life, such as a watch.
//
// The interval runs from the last Step, that is, from the last failure, as with client-go's old
// NewExponentialBackoffManager. Its present Backoff.DelayWithReset counts from the last reset
// instead, and so falls back to the shortest wait every two minutes in the middle of an outage.
// The wait itself is part of the interval: let that be longer than cap * (1 + jitter), or the
// longest wait resets the back-off.
//
// Thread-safe; whoever shares one advances it for all.
class BackoffManager {
 public:
  // With a `reset_interval` of zero or less nothing grows: each wait is `backoff.duration`.
  BackoffManager(Backoff backoff, absl::Duration reset_interval);

  // The time to wait after a failure now.
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
