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
  // Name of the queue in metrics. Default: empty, which disables metrics.
  std::string name = {};
  // Source of the metrics. Null, the default: no metrics.
  std::shared_ptr<base::MetricsProvider> metrics = {};
  // Delays of AddRateLimited. Null, the default: DefaultControllerRateLimiter(), or with kPriority
  // ExponentialFailureRateLimiter(), as in controller-runtime.
  std::shared_ptr<RateLimiter> rate_limiter = {};
  // Order of the keys. Default: kFifo.
  QueueOrder order = QueueOrder::kFifo;
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
