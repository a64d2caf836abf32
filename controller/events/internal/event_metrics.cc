#include "controller/events/internal/event_metrics.h"

#include "absl/status/statusor.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/metrics.h"

namespace kube::events::internal {

EventMetrics::EventMetrics(base::MetricsProvider& provider) {
  const absl::StatusOr<base::CounterVec> dropped = provider.MakeCounter(
      {.name = "event_recorder_dropped_events_total",
       .help = "Number of events that were recorded but not written, partitioned by reason.",
       .label_names = {"reason"}});
  if (!dropped.ok()) {
    log::Error(dropped.status(), "Unable to register the metric of dropped events");
    return;
  }
  queue_full = dropped->WithLabelValues({"queue_full"});
  spam = dropped->WithLabelValues({"spam"});
  rejected = dropped->WithLabelValues({"rejected"});
  retries = dropped->WithLabelValues({"retries"});
  shutdown = dropped->WithLabelValues({"shutdown"});
}

}  // namespace kube::events::internal
