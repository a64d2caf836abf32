#include "apimachinery/base/wait.h"

#include <algorithm>

#include "apimachinery/base/runtime.h"

namespace kube::base {

absl::Status SleepFor(const Context& ctx, absl::Duration duration, SourceLocation where) {
  return SleepUntil(ctx, Now() + duration, where);
}

absl::Status SleepUntil(const Context& ctx, MonotonicTime time, SourceLocation where) {
  Runtime& runtime = Runtime::Current();
  const ContextWaiter waiter(ctx, runtime.ThisThread());
  const MonotonicTime until = std::min(time, ctx.deadline());
  // Parks at least once, even if `time` has passed: a loop of empty sleeps must not starve the
  // other threads of a simulation.
  for (bool parked = false;; parked = true) {
    if (ctx.done()) return ctx.status();
    if (parked && !time.is_infinite() && runtime.Now() >= time) return absl::OkStatus();
    runtime.Park(until, {"sleep", where});
  }
}

absl::Status WaitUntilDone(const Context& ctx, SourceLocation where) {
  return SleepUntil(ctx, MonotonicTime::Infinite(), where);
}

void BackoffUntil(const Context& ctx, DelayFunc delay, PeriodFrom from,
                  absl::FunctionRef<void(const Context&)> run) {
  Runtime& runtime = Runtime::Current();
  while (!ctx.done()) {
    MonotonicTime next;
    if (from == PeriodFrom::kStartOfRun) next = runtime.Now() + delay();
    run(ctx);
    if (from == PeriodFrom::kEndOfRun) next = runtime.Now() + delay();
    if (!SleepUntil(ctx, next).ok()) return;
  }
}

void JitterUntil(const Context& ctx, absl::Duration period, double jitter, PeriodFrom from,
                 absl::FunctionRef<void(const Context&)> run) {
  BackoffUntil(ctx, Backoff{.duration = period, .jitter = jitter}.Delay(), from, run);
}

void Until(const Context& ctx, absl::Duration period, absl::FunctionRef<void(const Context&)> run) {
  JitterUntil(ctx, period, 0, PeriodFrom::kEndOfRun, run);
}

absl::Status PollUntil(const Context& ctx, absl::Duration interval, FirstPoll first,
                       Condition condition) {
  Runtime& runtime = Runtime::Current();
  const absl::Duration period = std::max(interval, absl::ZeroDuration());
  MonotonicTime next = runtime.Now() + period;
  for (bool ask = first == FirstPoll::kAtOnce;; ask = true) {
    if (ask) {
      const absl::StatusOr<bool> done = condition(ctx);
      if (!done.ok() || *done) return done.status();
    }
    if (absl::Status status = SleepUntil(ctx, next); !status.ok()) return status;
    // Like Go's Ticker: keeps one tick for a late reader and drops the others.
    const MonotonicTime now = runtime.Now();
    absl::Duration late = now - next;
    if (period > absl::ZeroDuration()) absl::IDivDuration(late, period, &late);
    next = now - late + period;
  }
}

absl::Status PollUntilTimeout(const Context& ctx, absl::Duration interval, absl::Duration timeout,
                              FirstPoll first, Condition condition) {
  return PollUntil(WithTimeout(ctx, timeout), interval, first, condition);
}

absl::Status ExponentialBackoff(const Context& ctx, Backoff backoff, Condition condition) {
  while (backoff.steps > 0) {
    if (ctx.done()) return ctx.status();
    const absl::StatusOr<bool> done = condition(ctx);
    if (!done.ok() || *done) return done.status();
    if (backoff.steps == 1) break;
    if (absl::Status status = SleepFor(ctx, backoff.Step()); !status.ok()) return status;
  }
  return absl::DeadlineExceededError("timed out waiting for the condition");
}

}  // namespace kube::base
