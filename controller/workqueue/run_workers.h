#ifndef CONTROLLER_WORKQUEUE_RUN_WORKERS_H_
#define CONTROLLER_WORKQUEUE_RUN_WORKERS_H_

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "controller/workqueue/key_traits.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/queue_options.h"

namespace kube::workqueue {

// What to do with a key after success. (controller-runtime: `reconcile.Result`)
struct Result {
  // Adds the key again after this time, for changes that no watch reports. Zero, the default: not
  // before it is added again.
  absl::Duration requeue_after = absl::ZeroDuration();
};

// Marks `status` as an error that a retry would not cure: RunWorkers does not retry the key until
// it is added again. The rest of the status is unchanged; an OK status stays OK.
// (controller-runtime: `reconcile.TerminalError`)
absl::Status TerminalError(absl::Status status);
bool IsTerminalError(const absl::Status& status);

// Makes RunWorkers retry the key after `delay` instead of the delay of the queue's rate limiter.
// Use it for causes that take a known time, such as a namespace that does not exist yet. The error
// is reported like any other. It does not count as a failure: the rate limiter does not see it, so
// it delays neither other keys nor other errors of this key, and it does not count towards
// max_retries. Zero or less: retry at once. The rest of the status is unchanged; an OK status stays
// OK, and a TerminalError is still not retried. controller-runtime has no such function; it ignores
// the result if there is an error.
//
//   if (kube::errors::IsNotFound(failed)) {
//     return kube::workqueue::RetryAfter(failed, absl::Minutes(1));
//   }
absl::Status RetryAfter(absl::Status status, absl::Duration delay);
// Returns the delay set by RetryAfter, or nothing.
std::optional<absl::Duration> RetryDelayOf(const absl::Status& status);

// Describes a failed key for RunWorkersOptions::on_error.
struct WorkError {
  absl::string_view key;  // the key's text
  const absl::Status& status;
  int failures = 0;       // failures so far, including this one unless it is from RetryAfter
  bool given_up = false;  // the key is not retried
};

// Options of RunWorkers.
struct RunWorkersOptions {
  // Name of the threads and in logs. Default: "worker".
  std::string name = "worker";
  // Timeout of the Context passed to `work` for one key. Default: no timeout.
  absl::Duration item_timeout = absl::InfiniteDuration();
  // How long the workers continue after `ctx` is done, until the queue is empty. Only then are the
  // Contexts of running calls cancelled. Default: zero: no further key is taken, and the Contexts
  // of running calls are done with `ctx`. Leave it at zero if `ctx` ends with leadership: a drain
  // does not know why `ctx` is done, and would write while another leader works.
  absl::Duration drain_timeout = absl::ZeroDuration();
  // How often a key is retried before it is given up until it is added again. Negative, the
  // default: without limit, as in controller-runtime. Errors from RetryAfter do not count.
  int max_retries = -1;
  // Called for each failed key, on the worker's thread. Null, the default: the error is logged.
  std::function<void(const WorkError&)> on_error = {};
};

// Takes keys off the queue and calls `work` with each of them on `workers` threads. Blocks until
// `ctx` is done, or the queue was shut down elsewhere and is empty, and all calls of `work` have
// returned. Shuts the queue down. Returns RESOURCE_EXHAUSTED if the system cannot create a thread
// (`work` may have been called nevertheless), INVALID_ARGUMENT if `workers` is less than 1, and OK
// otherwise.
//
// `work` is a function of (const Context&, const Key&) that returns absl::Status or
// absl::StatusOr<Result>. It is called on several threads at once, but never at the same time for
// the same key. Its result determines what follows, as in controller-runtime except for RetryAfter:
//   an error                  retried after the delay of the queue's rate limiter
//   an error from RetryAfter  retried after the delay in the error
//   a terminal error          not retried; the same after max_retries
//   a result to requeue       failures reset, added again after the given time
//   OK                        failures reset
// A key is added again with the priority it had. Once the Context of the workers is done, errors
// are ignored, because the queue is shut down.
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

// Takes a key and processes it. Returns false if the worker should end.
using ProcessNext = absl::FunctionRef<bool(const Context& work)>;

absl::Status RunWorkerThreads(const Context& ctx, int workers, const RunWorkersOptions& options,
                              absl::FunctionRef<void()> shut_down, ProcessNext process_next);

template <QueueKey Key, typename Work>
absl::Status RunWorkersWith(const Context& ctx, int workers, Queue<Key>& queue, Work& work,
                            const RunWorkersOptions& options);

// What to do with a key. `failures` of Judge counts earlier failures only.
struct Verdict {
  bool forget = false;
  bool add = false;
  AddOptions how = {};
};
Verdict Judge(const Context& work, const absl::StatusOr<Result>& result, absl::string_view key,
              int failures, int16_t priority, const RunWorkersOptions& options);

template <QueueKey Key, typename Work>
absl::Status RunWorkersWith(const Context& ctx, int workers, Queue<Key>& queue, Work& work,
                            const RunWorkersOptions& options) {
  using Returned = std::invoke_result_t<Work&, const Context&, const Key&>;
  const auto process_next = [&](const Context& workers_ctx) {
    absl::StatusOr<Item<Key>> item = queue.Get(workers_ctx);
    if (!item.ok()) return false;
    const Context item_ctx = options.item_timeout == absl::InfiniteDuration()
                                 ? workers_ctx
                                 : WithTimeout(workers_ctx, options.item_timeout);
    absl::StatusOr<Result> result = Result();
    if constexpr (std::is_same_v<Returned, absl::Status>) {
      if (absl::Status status = work(item_ctx, item->key()); !status.ok()) {
        result = std::move(status);
      }
    } else {
      result = work(item_ctx, item->key());
    }
    const Verdict verdict = Judge(workers_ctx, result, item->text(), queue.NumRequeues(item->key()),
                                  item->priority(), options);
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
