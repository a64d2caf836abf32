#ifndef CONTROLLER_WORKQUEUE_RUN_WORKERS_H_
#define CONTROLLER_WORKQUEUE_RUN_WORKERS_H_

#include <functional>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "controller/workqueue/internal/monitored_run.h"
#include "controller/workqueue/key_traits.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/verdict.h"
#include "controller/workqueue/workers_monitor.h"

namespace kube::workqueue {

// Describes a failed key for RunWorkersOptions::on_error.
struct WorkError {
  absl::string_view key;  // the key's text
  const absl::Status& status;
  int failures = 0;       // failures so far, including this one unless it is from RetryAfter
  bool given_up = false;  // the key is not retried
};

// What workers still do while a drain lasts.
enum class Drain {
  // They take keys until the queue is empty.
  kQueue,
  // They finish the keys that they have, and take none. Keys in the queue stay there: for
  // controllers, whose next process sees all objects again.
  kInWork,
};

// Options of RunWorkers.
struct RunWorkersOptions {
  // Name of the threads and in logs. Default: "worker".
  std::string name = "worker";
  // Timeout of the Context passed to `work` for one key. Default: no timeout.
  absl::Duration item_timeout = absl::InfiniteDuration();
  // How long the workers continue after `ctx` is done; `drain` says with which keys. The drain ends
  // early when these are finished. Only after it are the Contexts of running calls cancelled.
  // Default: zero: no further key is taken, and the Contexts of running calls are done with `ctx`.
  // Leave it at zero if `ctx` ends with leadership: a drain does not know why `ctx` is done, and
  // would write while another leader works.
  absl::Duration drain_timeout = absl::ZeroDuration();
  // Which keys a drain finishes. Default: kQueue. No effect without drain_timeout.
  Drain drain = Drain::kQueue;
  // How often a key is retried before it is given up until it is added again. Negative, the
  // default: without limit, as in controller-runtime. Errors from RetryAfter do not count.
  int max_retries = -1;
  // Called for each failed key, on the worker's thread. Null, the default: the error is logged.
  std::function<void(const WorkError&)> on_error = {};
  // Told which keys are in work. For one RunWorkers at a time; outlives it. Null, the default:
  // none.
  WorkersMonitor* monitor = nullptr;
};

// Takes keys off the queue and calls `work` with each of them on `workers` threads. Blocks until
// `ctx` is done, or the queue was shut down elsewhere and is empty, and all calls of `work` have
// returned. Shuts the queue down. Returns RESOURCE_EXHAUSTED if the system cannot create a thread
// (`work` may have been called nevertheless), INVALID_ARGUMENT if `workers` is less than 1,
// FAILED_PRECONDITION if the monitor is in use by another RunWorkers, and OK otherwise.
//
// The end has three steps: the drain, if there is a drain_timeout; then the Contexts of running
// calls are done; then RunWorkers waits until these calls have returned. That wait has no bound, as
// a thread cannot be killed and uses what the caller would destroy: `work` must return soon after
// its Context is done. To report calls that do not, run RunWorkers on a thread of its own, wait for
// that with a deadline, and ask a WorkersMonitor which keys are in work.
//
// `work` is a function of (const Context&, const Key&) that returns absl::Status or
// absl::StatusOr<Result>. It is called on several threads at once, but never at the same time for
// the same key. Its result determines what follows, as in controller-runtime except for RetryAfter:
//   an error                  retried after the delay of the queue's rate limiter
//   an error from RetryAfter  retried after the delay in the error, not counted as a failure
//   a terminal error          not retried; the same after max_retries
//   a result to requeue       failures reset, added again after the given time
//   OK                        failures reset
// A key is added again with the priority with which it was taken, or that of Result::priority or
// RetryWithPriority. Once the Context of the workers is done, errors are ignored, because the queue
// is shut down.
//
// Logs "starting workers", "shutting down workers" and "all workers finished" at level 0 with the
// name and the number of workers; log::SetVerbosity(-1), or the flag -v=-1, turns that off.
//
//   return kube::workqueue::RunWorkers(
//       ctx, /*workers=*/2, queue_,
//       [this](const Context& work, const ObjectName& name) { return Reconcile(work, name); },
//       {.name = "mirrors"});
template <QueueKey Key, typename Work>
absl::Status RunWorkers(const Context& ctx, int workers, Queue<Key>& queue, Work&& work,
                        const RunWorkersOptions& options = {});

// ---- implementation

namespace internal {

// What a worker's thread needs for its next key.
struct Turn {
  const Context& take;  // ends the wait for a key; done with `work` at the latest
  const Context& work;  // of the work
  int worker;           // the worker's number, from 1
};

// Takes a key and processes it. Returns false if the worker should end.
using ProcessNext = absl::FunctionRef<bool(const Turn& turn)>;

absl::Status RunWorkerThreads(const Context& ctx, int workers, const RunWorkersOptions& options,
                              absl::FunctionRef<void()> shut_down, ProcessNext process_next);

template <QueueKey Key, typename Work>
absl::Status RunWorkersWith(const Context& ctx, int workers, Queue<Key>& queue, Work& work,
                            const RunWorkersOptions& options);

// Reports an error of the work to options.on_error, or logs it. Has no effect for a success, and
// for an error of which the verdict says that it tells nothing about the key.
void ReportError(const Context& work, const absl::StatusOr<Result>& result, absl::string_view key,
                 const Verdict& verdict, const RunWorkersOptions& options);

template <QueueKey Key, typename Work>
absl::Status RunWorkersWith(const Context& ctx, int workers, Queue<Key>& queue, Work& work,
                            const RunWorkersOptions& options) {
  using Returned = std::invoke_result_t<Work&, const Context&, const Key&>;
  const auto process_next = [&](const Turn& turn) {
    absl::StatusOr<Item<Key>> item = queue.Get(turn.take);
    if (!item.ok()) return false;
    const Context item_ctx = options.item_timeout == absl::InfiniteDuration()
                                 ? turn.work
                                 : WithTimeout(turn.work, options.item_timeout);
    const MonitoredWork monitored(options.monitor, turn.worker, item->text());
    absl::StatusOr<Result> result = Result();
    if constexpr (std::is_same_v<Returned, absl::Status>) {
      if (absl::Status status = work(item_ctx, item->key()); !status.ok()) {
        result = std::move(status);
      }
    } else {
      result = work(item_ctx, item->key());
    }
    const Verdict verdict = Judge(turn.work, result,
                                  {.failures = queue.NumRequeues(item->key()),
                                   .priority = item->priority(),
                                   .max_retries = options.max_retries});
    ReportError(turn.work, result, item->text(), verdict, options);
    if (verdict.forget) queue.Forget(item->key());
    if (verdict.add) queue.Add(item->key(), verdict.how);
    return true;
  };
  return RunWorkerThreads(
      ctx, workers, options, [&queue] { queue.ShutDown(); }, process_next);
}

}  // namespace internal

// Checks `work` first, so that a wrong signature produces one short error message.
template <QueueKey Key, typename Work>
absl::Status RunWorkers(const Context& ctx, int workers, Queue<Key>& queue, Work&& work,
                        const RunWorkersOptions& options) {
  constexpr bool takes_key = std::is_invocable_v<Work&, const Context&, const Key&>;
  static_assert(takes_key, "the work of RunWorkers must take (const Context&, const Key&)");
  if constexpr (takes_key) {
    using Returned = std::invoke_result_t<Work&, const Context&, const Key&>;
    constexpr bool returns_result = std::is_convertible_v<Returned, absl::StatusOr<Result>>;
    static_assert(returns_result,
                  "the work of RunWorkers must return absl::Status or absl::StatusOr<Result>");
    if constexpr (returns_result) {
      return internal::RunWorkersWith(ctx, workers, queue, work, options);
    }
  }
  return absl::OkStatus();
}

}  // namespace kube::workqueue

#endif  // CONTROLLER_WORKQUEUE_RUN_WORKERS_H_
