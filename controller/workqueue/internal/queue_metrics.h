#ifndef CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_METRICS_H_
#define CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_METRICS_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"

namespace kube::workqueue::internal {

// What a queue counts: the seven series of client-go, with the labels, texts and buckets of
// controller-runtime. What a provider refuses is logged, and not counted.
//
// Thread-compatible: under the queue's lock.
class QueueMetrics {
 public:
  // `by_priority`: the depth is split by priority.
  QueueMetrics(base::MetricsProvider& provider, absl::string_view name, bool by_priority);

  void Added(int16_t priority);
  void Raised(int16_t from, int16_t to);
  void Taken(int16_t priority, absl::Duration waited);
  // A key was in the queue when that was destroyed.
  void Dropped(int16_t priority);
  void Done(absl::Duration worked);
  void Retried();
  void Unfinished(absl::Duration total, absl::Duration longest);

 private:
  const base::Gauge& Depth(int16_t priority);

  const std::string name_;
  const bool by_priority_;
  base::GaugeVec depth_vec_;
  base::Counter adds_;
  base::Histogram queue_duration_;
  base::Histogram work_duration_;
  base::Gauge unfinished_work_;
  base::Gauge longest_running_;
  base::Counter retries_;
  std::map<int16_t, base::Gauge> depths_;
  base::Gauge other_depths_;
};

}  // namespace kube::workqueue::internal

#endif  // CONTROLLER_WORKQUEUE_INTERNAL_QUEUE_METRICS_H_
