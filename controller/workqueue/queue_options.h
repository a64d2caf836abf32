#ifndef CONTROLLER_WORKQUEUE_QUEUE_OPTIONS_H_
#define CONTROLLER_WORKQUEUE_QUEUE_OPTIONS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "controller/workqueue/rate_limiter.h"

namespace kube::workqueue {

// The order in which a queue returns its keys.
enum class QueueOrder {
  // First in, first out, as client-go's queues.
  kFifo,
  // Highest priority first, and first in, first out within a priority. A key is in the queue at
  // most once, whether delayed or ready. (controller-runtime: `priorityqueue`)
  kPriority,
};

// The priority of keys added for objects of the initial list and for unchanged objects.
// (controller-runtime: `handler.LowPriority`)
inline constexpr int16_t kLowPriority = -100;

// Options of a Queue.
struct QueueOptions {
  // Name of the queue in metrics: the labels `name` and `controller`, as in controller-runtime.
  // Default: empty, which disables metrics.
  std::string name = {};
  // Source of the metrics. Null, the default: no metrics. Keys that are left when the queue is
  // destroyed leave the gauges, so that a later queue of this name begins with zero.
  std::shared_ptr<base::MetricsProvider> metrics = {};
  // Delays of AddRateLimited. Null, the default: DefaultControllerRateLimiter(), or with kPriority
  // ExponentialFailureRateLimiter(), as in controller-runtime.
  std::shared_ptr<RateLimiter> rate_limiter = {};
  // Order of the keys. Default: kFifo.
  QueueOrder order = QueueOrder::kFifo;
  // With kPriority, the age at which a key no longer waits behind higher priorities, so that low
  // ones are served under a constant stream of high ones. The age is the time since the key was
  // added or became due. The key that became ready first is taken next, whatever its priority, if
  // it has that age and the key taken before it was not taken for its age: keys that have aged and
  // keys of the highest priority take turns. A key that has been ready for `ageing`, with k keys
  // that became ready before it, is taken after 2k + 1 others at most; and keys of a high priority
  // wait for at most twice as many others as without ageing, plus one. A key keeps its own
  // priority, also for its retries.
  //
  // Zero, the default, and less: off; low keys may wait without end, as in controller-runtime.
  // Ignored with kFifo. 30 s is a good value; with it, a queue reads the clock in every call.
  absl::Duration ageing = absl::ZeroDuration();
};

// Options of Queue::Add.
struct AddOptions {
  // Delay. Zero or less, the default: none. (client-go: `AddAfter`)
  absl::Duration after = absl::ZeroDuration();
  // Whether to ask the rate limiter for a delay, which counts as a failure. If `after` is also set,
  // the shorter delay is used. Default: false. (client-go: `AddRateLimited`)
  bool rate_limited = false;
  // Higher priorities come first. Default: 0. Ignored with kFifo.
  int16_t priority = 0;
};

}  // namespace kube::workqueue

#endif  // CONTROLLER_WORKQUEUE_QUEUE_OPTIONS_H_
