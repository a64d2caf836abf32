#ifndef CONTROLLER_EVENTS_INTERNAL_EVENT_METRICS_H_
#define CONTROLLER_EVENTS_INTERNAL_EVENT_METRICS_H_

#include "apimachinery/base/metrics.h"

namespace kube::events::internal {

// Counters of events that were not written, by reason. If the provider refuses them, logs the error
// and counts nothing. Thread-safe.
struct EventMetrics {
  explicit EventMetrics(base::MetricsProvider& provider);

  base::Counter queue_full;  // a queue was full
  base::Counter spam;        // the spam filter dropped the event
  base::Counter rejected;    // the server rejected the event, or it was invalid
  base::Counter retries;     // all attempts to reach the server failed
  base::Counter shutdown;    // the broadcaster was shut down or destroyed before
};

}  // namespace kube::events::internal

#endif  // CONTROLLER_EVENTS_INTERNAL_EVENT_METRICS_H_
