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

// Sleeps, loops and polls. apimachinery: package `wait`. All functions block; `run` and `condition`
// are called on the calling thread. Each function returns as soon as its context is done.

// Blocks for `duration`. Returns OK, or the status of `ctx` if that is done earlier or at the same
// time. Zero and negative durations still let another thread run in a simulation. Go: a `select` on
// `time.After` and `ctx.Done()`.
absl::Status SleepFor(const Context& ctx, absl::Duration duration,
                      SourceLocation where = SourceLocation::Current());

// Blocks until `time`; otherwise like SleepFor.
absl::Status SleepUntil(const Context& ctx, MonotonicTime time,
                        SourceLocation where = SourceLocation::Current());

// Blocks until `ctx` is done and returns its status. Go: `<-ctx.Done()`.
absl::Status WaitUntilDone(const Context& ctx, SourceLocation where = SourceLocation::Current());

// The moment from which a loop measures the pause to its next run.
enum class PeriodFrom {
  kEndOfRun,    // apimachinery: `sliding = true`
  kStartOfRun,  // a run longer than the period is followed by the next immediately
};

// Calls `run` repeatedly, with pauses of `delay`, until `ctx` is done. Does not call it if `ctx` is
// done already. apimachinery: `wait.BackoffUntilWithContext`.
void BackoffUntil(const Context& ctx, DelayFunc delay, PeriodFrom from,
                  absl::FunctionRef<void(const Context&)> run);

// Calls `run` like BackoffUntil, with pauses of `period`. If `jitter` is positive, each pause is
// longer by a random part of jitter * period. apimachinery: `wait.JitterUntilWithContext`.
void JitterUntil(const Context& ctx, absl::Duration period, double jitter, PeriodFrom from,
                 absl::FunctionRef<void(const Context&)> run);

// Calls `run` like BackoffUntil, with a pause of `period` after each run. apimachinery:
// `wait.UntilWithContext`.
void Until(const Context& ctx, absl::Duration period, absl::FunctionRef<void(const Context&)> run);

// Returns true if the awaited state is reached and false to be called again. An error ends the
// wait. apimachinery: `wait.ConditionWithContextFunc`.
using Condition = absl::FunctionRef<absl::StatusOr<bool>(const Context&)>;

// When a poll calls its condition for the first time.
enum class FirstPoll {
  kAfterInterval,
  kAtOnce,  // if the context is done, calls once; apimachinery: `immediate = true`
};

// Calls `condition` every `interval`. Returns OK when it returns true, its error when it fails, and
// the status of `ctx` when that is done. The calls keep to a fixed grid: if one takes longer than
// the interval, the next follows immediately, and the other missed ones are skipped. With an
// interval of zero there is no pause. apimachinery: `wait.PollUntilContextCancel`.
absl::Status PollUntil(const Context& ctx, absl::Duration interval, FirstPoll first,
                       Condition condition);

// Polls like PollUntil for at most `timeout`, then returns DEADLINE_EXCEEDED. `condition` receives
// a context with that deadline. apimachinery: `wait.PollUntilContextTimeout`.
absl::Status PollUntilTimeout(const Context& ctx, absl::Duration interval, absl::Duration timeout,
                              FirstPoll first, Condition condition);

// Calls `condition` up to backoff.steps times with growing pauses. Returns OK when it returns true,
// its error when it fails, the status of `ctx` when that is done, and DEADLINE_EXCEEDED "timed out
// waiting for the condition" when the steps are used up. As in Go, the pause in which the duration
// reaches the cap ends the attempts, and `condition` is not called after it. apimachinery:
// `wait.ExponentialBackoffWithContext`, `ErrWaitTimeout`.
absl::Status ExponentialBackoff(const Context& ctx, Backoff backoff, Condition condition);

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_WAIT_H_
