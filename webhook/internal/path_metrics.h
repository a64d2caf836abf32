#ifndef WEBHOOK_INTERNAL_PATH_METRICS_H_
#define WEBHOOK_INTERNAL_PATH_METRICS_H_

#include <string>
#include <utility>

#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"

namespace kube::webhook::internal {

// Counts the requests for one path of a webhook server. Thread-safe.
class PathMetrics {
 public:
  PathMetrics(std::string path, base::CounterVec requests, base::Histogram latency,
              base::Gauge in_flight)
      : path_(std::move(path)),
        requests_(std::move(requests)),
        latency_(std::move(latency)),
        in_flight_(std::move(in_flight)) {}

  void Begin() const { in_flight_.Increment(); }
  void End(int code, absl::Duration took) const;

 private:
  const std::string path_;
  const base::CounterVec requests_;
  const base::Histogram latency_;
  const base::Gauge in_flight_;
};

// The metrics of a webhook server, with controller-runtime's names and buckets. Thread-safe.
class WebhookMetrics {
 public:
  explicit WebhookMetrics(base::MetricsProvider& provider);

  // Returns the metrics of a path, and makes the counters of the codes 200 and 500, so that their
  // first increment is seen.
  PathMetrics For(const std::string& path) const;

 private:
  const base::HistogramVec latency_;
  const base::CounterVec requests_;
  const base::GaugeVec in_flight_;
};

}  // namespace kube::webhook::internal

#endif  // WEBHOOK_INTERNAL_PATH_METRICS_H_
