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

// What there is to be done about a key that went well. (reconcile.Result)
struct Result {
  // Again after so long, whatever else happens: for what no watch reports. Zero, the default: not
  // before it is added.
  absl::Duration requeue_after = absl::ZeroDuration();
};

// An error that will be the same next time: RunWorkers does not try the key again before it is
// added. All else stays as it is. An OK status stays OK. (reconcile.TerminalError)
absl::Status TerminalError(absl::Status status);
bool IsTerminalError(const absl::Status& status);

// An error after which RunWorkers tries the key again after `delay`, instead of after as long as
// the queue's rate limiter says: for a cause that takes its time, such as a namespace that somebody
// has yet to create. It is told or logged as other errors are. It does not count as a failure: the
// rate limiter does not see it, so that other keys and other errors of this key wait no longer
// because of it, and max_retries does not end it. A delay of zero or less: at once. All else of the
// status stays as it is; an OK status stays OK, and of a TerminalError the key is not tried again.
// (controller-runtime has none: of a result with an error it uses the error alone)
//
//   if (errors::IsNotFound(status)) return RetryAfter(status, absl::Minutes(1));
absl::Status RetryAfter(absl::Status status, absl::Duration delay);
// The delay of RetryAfter; nothing if the status has none.
std::optional<absl::Duration> RetryDelayOf(const absl::Status& status);

// What RunWorkers says of a key that failed.
struct WorkError {
  absl::string_view key;  // its text
  const absl::Status& status;
  int failures = 0;       // so far; this one is counted, unless it is one of RetryAfter
  bool given_up = false;  // it is not tried again
};

struct RunWorkersOptions {
  // The threads' and the log's. Default: "worker".
  std::string name = "worker";
  // The Context of a key ends after so long. Default: never, but with RunWorkers' own.
  absl::Duration item_timeout = absl::InfiniteDuration();
  // When the Context ends, workers go on for so long until the queue is empty; only then do the
  // Contexts of what is still in work end. Default: zero: nothing more is taken, and what is in
  // work ends with the Context.
  absl::Duration drain_timeout = absl::ZeroDuration();
  // How often a key is tried again before it is given up until it is added anew. Default: negative,
  // without end, as controller-runtime. Errors of RetryAfter do not count.
  int max_retries = -1;
  // Told of each key that failed, on the worker's thread. Default, when null: a line in the log.
  std::function<void(const WorkError&)> on_error = {};
};

// Takes keys off the queue and calls `work` with each, on `workers` threads; blocks until `ctx`
// ends, or the queue is shut down by somebody else and empty, and all of `work` have returned.
// Shuts the queue down. RESOURCE_EXHAUSTED if there are no threads: then `work` may have been
// called nevertheless. OK in all other cases.
//
// `work` is a function of (const Context&, const Key&) to absl::Status or absl::StatusOr<Result>.
// It runs on several threads at once, but never twice at once with one key. What follows is
// controller-runtime's:
//   an error                  tried again, after as long as the queue's rate limiter says
//   an error of RetryAfter    tried again, after as long as that says
//   a terminal error          not tried again, as after more than max_retries
//   a result to requeue       failures forgotten, and again after that time
//   OK                        failures forgotten
// with the priority that the key had. If the Context of RunWorkers has ended, an error is none:
// nobody is told, as the queue is shut down.
//
// It logs "starting workers", "shutting down workers" and "all workers finished" at level 0, with
// the name of the options and their number; log::SetVerbosity(-1), or the flag -v=-1, turns that
// off.
//
//   absl::Status status = RunWorkers(ctx, 2, queue,
//                                    [&](const Context& ctx, const meta::ObjectName& name) {
//                                      return Sync(ctx, name);
//                                    });
template <QueueKey Key, typename Work>
absl::Status RunWorkers(const Context& ctx, int workers, Queue<Key>& queue, Work&& work,
                        const RunWorkersOptions& options = {});

// ---- implementation

namespace internal {

// Everything about a key, once it is taken, until it is done.
using ProcessNext = absl::FunctionRef<bool(const Context& work)>;

absl::Status RunWorkerThreads(const Context& ctx, int workers, const RunWorkersOptions& options,
                              absl::FunctionRef<void()> shut_down, ProcessNext process_next);

template <QueueKey Key, typename Work>
absl::Status RunWorkersWith(const Context& ctx, int workers, Queue<Key>& queue, Work& work,
                            const RunWorkersOptions& options);

// What to do with a key: `failures` of it so far, without this one.
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

// One line for what is wrong with `work`, instead of all that follows from it.
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
