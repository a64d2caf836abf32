#ifndef CONTROLLER_WORKQUEUE_VERDICT_H_
#define CONTROLLER_WORKQUEUE_VERDICT_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "controller/workqueue/queue_options.h"

// What the work on a key returns, and what follows from it. RunWorkers and Controller<T> do what
// Judge says; use Judge yourself only for workers of your own.
namespace kube::workqueue {

// What to do with a key after success. (controller-runtime: `reconcile.Result`)
struct Result {
  // Adds the key again after this time, for changes that no watch reports. Zero, the default: not
  // before it is added again.
  absl::Duration requeue_after = absl::ZeroDuration();
  // The priority with which the key is added again; higher or lower than the one it had, unless it
  // was added with a higher one meanwhile. No effect without `requeue_after`, and for a queue with
  // QueueOrder::kFifo. Default: the priority with which the worker took the key. RetryWithPriority
  // is the same for errors.
  std::optional<int16_t> priority = {};
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

// Makes RunWorkers retry the key with this priority instead of the one with which the worker took
// it, for instance to let other keys go first until the cause has gone. Later retries keep it. May
// be combined with RetryAfter. No effect for a queue with QueueOrder::kFifo. The rest of the status
// is unchanged; an OK status stays OK, and a TerminalError is still not retried.
// (controller-runtime: `Result.Priority`, returned together with an error)
absl::Status RetryWithPriority(absl::Status status, int16_t priority);
// Returns the priority set by RetryWithPriority, or nothing.
std::optional<int16_t> RetryPriorityOf(const absl::Status& status);

// What is known about a key when its work has returned, for Judge.
struct WorkedKey {
  // How often it had failed before: Queue::NumRequeues.
  int failures = 0;
  // The priority with which the worker took it: Item::priority.
  int16_t priority = 0;
  // How often it is retried; negative, the default: without limit.
  int max_retries = -1;
};

// What to do with a key. All false: nothing, the queue's entry simply ends.
struct Verdict {
  // Call Queue::Forget, before the key is added.
  bool forget = false;
  // Call Queue::Add with `how`.
  bool add = false;
  AddOptions how = {};
  // The work has failed, and the key is not retried until it is added again: a TerminalError, or
  // max_retries are used up.
  bool given_up = false;
  // Failures so far, including this one unless it is from RetryAfter. Zero after a success.
  int failures = 0;
};

// Returns what follows from the result of the work, as the comment on RunWorkers lists it. `work`
// is the Context of the workers, not the one of this key: when it is done, an error says nothing
// about the key, and nothing is done. Pure: it neither logs nor touches a queue.
// (controller-runtime: a part of `Controller.reconcileHandler`)
Verdict Judge(const Context& work, const absl::StatusOr<Result>& result, const WorkedKey& key);

}  // namespace kube::workqueue

#endif  // CONTROLLER_WORKQUEUE_VERDICT_H_
