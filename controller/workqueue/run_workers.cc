#include "controller/workqueue/run_workers.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/thread.h"
#include "controller/workqueue/internal/monitored_run.h"
#include "controller/workqueue/workers_monitor.h"

namespace kube::workqueue {

namespace {

constexpr absl::string_view kTerminal = "kube.dev/workqueue.TerminalError";
constexpr absl::string_view kRetryAfter = "kube.dev/workqueue.RetryAfter";
constexpr absl::string_view kRetryPriority = "kube.dev/workqueue.RetryWithPriority";

}  // namespace

absl::Status TerminalError(absl::Status status) {
  if (!status.ok()) status.SetPayload(kTerminal, absl::Cord());
  return status;
}

bool IsTerminalError(const absl::Status& status) {
  return status.GetPayload(kTerminal).has_value();
}

absl::Status RetryAfter(absl::Status status, absl::Duration delay) {
  if (!status.ok()) status.SetPayload(kRetryAfter, absl::Cord(absl::FormatDuration(delay)));
  return status;
}

std::optional<absl::Duration> RetryDelayOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kRetryAfter);  // absl's optional
  absl::Duration delay;
  if (!payload.has_value() || !absl::ParseDuration(std::string(*payload), &delay)) {
    return std::nullopt;
  }
  return delay;
}

absl::Status RetryWithPriority(absl::Status status, int16_t priority) {
  if (!status.ok()) status.SetPayload(kRetryPriority, absl::Cord(absl::StrCat(priority)));
  return status;
}

std::optional<int16_t> RetryPriorityOf(const absl::Status& status) {
  const auto payload = status.GetPayload(kRetryPriority);  // absl's optional
  int32_t priority = 0;
  if (!payload.has_value() || !absl::SimpleAtoi(std::string(*payload), &priority)) {
    return std::nullopt;
  }
  return static_cast<int16_t>(priority);
}

namespace internal {

Verdict Judge(const Context& work, const absl::StatusOr<Result>& result, absl::string_view key,
              int failures, int16_t priority, const RunWorkersOptions& options) {
  if (result.ok()) {
    const bool again = result->requeue_after > absl::ZeroDuration();
    return {
        .forget = true,
        .add = again,
        .how = {.after = result->requeue_after, .priority = result->priority.value_or(priority)}};
  }
  // When the Context is done, an error says nothing about the key.
  if (work.done()) return {};
  const std::optional<absl::Duration> delay = RetryDelayOf(result.status());
  const bool is_counted = !delay.has_value();
  const bool give_up = IsTerminalError(result.status()) ||
                       (is_counted && options.max_retries >= 0 && failures >= options.max_retries);
  const int counted = failures + (is_counted ? 1 : 0);
  if (options.on_error != nullptr) {
    options.on_error(
        {.key = key, .status = result.status(), .failures = counted, .given_up = give_up});
  } else {
    log::Error(work, result.status(),
               give_up ? "error syncing; dropping out of the queue"
                       : "error syncing; requeuing for later retry",
               {{"worker", options.name}, {"key", key}, {"failures", counted}});
  }
  if (give_up) return {.forget = true};
  const int16_t next_priority = RetryPriorityOf(result.status()).value_or(priority);
  if (delay.has_value()) return {.add = true, .how = {.after = *delay, .priority = next_priority}};
  return {.add = true, .how = {.rate_limited = true, .priority = next_priority}};
}

namespace {

// `ctx` is done; it is for the log.
void WaitForDrain(const Context& ctx, const base::Event& all_ended,
                  const RunWorkersOptions& options) {
  const Context patience = WithTimeout(Context(), options.drain_timeout);
  if (all_ended.Wait(patience).ok()) return;
  log::Warning(ctx, "not all workers finished within the drain timeout",
               {{"worker", options.name}});
}

}  // namespace

absl::Status RunWorkerThreads(const Context& ctx, int workers, const RunWorkersOptions& options,
                              absl::FunctionRef<void()> shut_down, ProcessNext process_next) {
  if (workers < 1) {
    return absl::InvalidArgumentError("run workers: worker count must be at least 1");
  }
  MonitoredRun monitored(options.monitor);
  if (absl::Status status = monitored.Start(workers); !status.ok()) return status;
  KUBE_VLOG_CTX(ctx, 0, "starting workers", {"worker", options.name}, {"count", workers});
  const bool drains = options.drain_timeout > absl::ZeroDuration();
  // With a drain timeout, the work may outlive `ctx`, and so may the taking of keys.
  CancelScope work = WithCancel(drains ? WithoutCancel(ctx) : ctx);
  CancelScope take =
      WithCancel(drains && options.drain == Drain::kQueue ? WithoutCancel(ctx) : ctx);
  base::Event all_ended;
  std::atomic<int> running = workers;
  std::vector<std::unique_ptr<base::Thread>> threads;
  absl::Status started;
  while (started.ok() && threads.size() < static_cast<size_t>(workers)) {
    threads.push_back(std::make_unique<base::Thread>());
    const int worker = static_cast<int>(threads.size());
    started = threads.back()->Start(work.context(), absl::StrCat(options.name, "-", worker),
                                    [&, worker](const Context& own) {
                                      const Turn turn = {take.context(), own, worker};
                                      while (process_next(turn)) {
                                      }
                                      if (--running == 0) all_ended.Set();
                                    });
  }
  // OK: the queue was shut down elsewhere and is empty.
  const absl::Status ended = started.ok() ? all_ended.Wait(ctx) : started;
  shut_down();
  KUBE_VLOG_CTX(ctx, 0, "shutting down workers", {"worker", options.name});
  if (started.ok() && !ended.ok() && drains) {
    monitored.Enter(WorkersPhase::kDraining);
    WaitForDrain(ctx, all_ended, options);
  }
  monitored.Enter(WorkersPhase::kCancelled);
  take.Cancel();
  work.Cancel();
  for (const auto& thread : threads) thread->Join();
  KUBE_VLOG_CTX(ctx, 0, "all workers finished", {"worker", options.name});
  return started;
}

}  // namespace internal

}  // namespace kube::workqueue
