#include "controller/workqueue/run_workers.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/thread.h"
#include "controller/workqueue/internal/monitored_run.h"
#include "controller/workqueue/verdict.h"
#include "controller/workqueue/workers_monitor.h"

namespace kube::workqueue {

namespace internal {

void ReportError(const Context& work, const absl::StatusOr<Result>& result, absl::string_view key,
                 const Verdict& verdict, const RunWorkersOptions& options) {
  if (result.ok() || !(verdict.add || verdict.given_up)) return;
  if (options.on_error != nullptr) {
    options.on_error({.key = key,
                      .status = result.status(),
                      .failures = verdict.failures,
                      .given_up = verdict.given_up});
    return;
  }
  log::Error(work, result.status(),
             verdict.given_up ? "error syncing; dropping out of the queue"
                              : "error syncing; requeuing for later retry",
             {{"worker", options.name}, {"key", key}, {"failures", verdict.failures}});
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
