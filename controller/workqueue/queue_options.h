#ifndef CONTROLLER_WORKQUEUE_QUEUE_OPTIONS_H_
#define CONTROLLER_WORKQUEUE_QUEUE_OPTIONS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "controller/workqueue/rate_limiter.h"

namespace kube::workqueue {

enum class QueueOrder {
  // First in, first out. (client-go's queues)
  kFifo,
  // The highest priority first, and of one priority first in, first out. A key is in the queue
  // once, waiting or ready. (controller-runtime's priorityqueue)
  kPriority,
};

// The priority of what is no news: objects of the first list, and updates that change nothing.
// (handler.LowPriority)
inline constexpr int16_t kLowPriority = -100;

struct QueueOptions {
  // The queue's in metrics. Default: empty, and then there are no metrics.
  std::string name = {};
  // Where its metrics come from. Default, when null: none.
  std::shared_ptr<base::MetricsProvider> metrics = {};
  // Of AddRateLimited. Default, when null: DefaultControllerRateLimiter(); with kPriority
  // ExponentialFailureRateLimiter(), as controller-runtime.
  std::shared_ptr<RateLimiter> rate_limiter = {};
  // Default: client-go's.
  QueueOrder order = QueueOrder::kFifo;
};

struct AddOptions {
  // When. Zero or less, the default: now. (AddAfter)
  absl::Duration after = absl::ZeroDuration();
  // After as long as the rate limiter says, which counts a failure. With `after` too: after the
  // shorter of the two. Default: no. (AddRateLimited)
  bool rate_limited = false;
  // Higher ones first. Default: 0. Of no effect with kFifo.
  int16_t priority = 0;
};

}  // namespace kube::workqueue

#endif  // CONTROLLER_WORKQUEUE_QUEUE_OPTIONS_H_
