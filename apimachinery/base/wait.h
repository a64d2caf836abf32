#ifndef APIMACHINERY_BASE_WAIT_H_
#define APIMACHINERY_BASE_WAIT_H_

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/backoff.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/source_location.h"

namespace kube::base {

// Waiting, and doing something again and again: Go's k8s.io/apimachinery/pkg/util/wait. Functions
// and conditions run on the calling thread. Everything ends as soon as the context is done.

// Blocks for `duration`: OK, or the context's status if that is done first or at the same time.
// Zero and less are a place where a simulation may let another thread run. Go: a select on
// time.After and ctx.Done.
absl::Status SleepFor(const Context& ctx, absl::Duration duration,
                      SourceLocation where = SourceLocation::Current());

// The same until a point in time.
absl::Status SleepUntil(const Context& ctx, MonotonicTime time,
                        SourceLocation where = SourceLocation::Current());

// Blocks until the context is done and answers its status. Go: <-ctx.Done().
absl::Status WaitUntilDone(const Context& ctx, SourceLocation where = SourceLocation::Current());

// From when on the pause between two runs of a loop counts.
enum class PeriodFrom {
  kEndOfRun,    // Go's sliding = true
  kStartOfRun,  // a run that takes longer than the period is followed by the next at once
};

// Calls `run` again and again with pauses of `delay`, until the context is done; not at all if it
// is done already. Go: wait.BackoffUntilWithContext.
void BackoffUntil(const Context& ctx, DelayFunc delay, PeriodFrom from,
                  absl::FunctionRef<void(const Context&)> run);

// The same with pauses of `period`, each longer by a random part of jitter * period if `jitter` is
// positive. Go: wait.JitterUntilWithContext.
void JitterUntil(const Context& ctx, absl::Duration period, double jitter, PeriodFrom from,
                 absl::FunctionRef<void(const Context&)> run);

// The same with pauses of `period` after each run. Go: wait.UntilWithContext.
void Until(const Context& ctx, absl::Duration period, absl::FunctionRef<void(const Context&)> run);

// True: what was waited for has come. False: ask again. An error ends the wait. Go:
// wait.ConditionWithContextFunc.
using Condition = absl::FunctionRef<absl::StatusOr<bool>(const Context&)>;

// When a poll asks for the first time.
enum class FirstPoll {
  kAfterInterval,
  kAtOnce,  // even if the context is done: exactly one call then. Go's immediate = true
};

// Calls `condition` every `interval` until it is true (OK), fails (its error) or the context is
// done (its status). Calls stand on a fixed grid: after one that took longer than the interval the
// next follows at once, then those that were missed are left out. An interval of zero does not
// pause. Go: wait.PollUntilContextCancel.
absl::Status PollUntil(const Context& ctx, absl::Duration interval, FirstPoll first,
                       Condition condition);

// The same for at most `timeout`, after which it answers DeadlineExceeded; `condition` gets a
// context with that deadline. Go: wait.PollUntilContextTimeout.
absl::Status PollUntilTimeout(const Context& ctx, absl::Duration interval, absl::Duration timeout,
                              FirstPoll first, Condition condition);

// Calls `condition` up to backoff.steps times with growing pauses: OK when it is true, its error,
// the context's status, or DeadlineExceeded "timed out waiting for the condition" when the tries
// are used up. As in Go the tries also end with the pause in which the duration meets the cap, and
// after that pause nobody asks again. Go: wait.ExponentialBackoffWithContext, ErrWaitTimeout.
absl::Status ExponentialBackoff(const Context& ctx, Backoff backoff, Condition condition);

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_WAIT_H_
