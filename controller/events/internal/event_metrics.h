#ifndef CONTROLLER_EVENTS_INTERNAL_EVENT_METRICS_H_
#define CONTROLLER_EVENTS_INTERNAL_EVENT_METRICS_H_

#include "apimachinery/base/metrics.h"

namespace kube::events::internal {

// How many events were not written, by the reason. What a provider refuses is logged, and not
// counted. Thread-safe.
struct EventMetrics {
  explicit EventMetrics(base::MetricsProvider& provider);

  base::Counter queue_full;  // a queue was full
  base::Counter spam;        // the filter said no
  base::Counter rejected;    // the server said no, or would never take it
  base::Counter retries;     // the server could not be reached with any of the tries
  base::Counter shutdown;    // the broadcaster was shut down, or ended, first
};

}  // namespace kube::events::internal

#endif  // CONTROLLER_EVENTS_INTERNAL_EVENT_METRICS_H_
