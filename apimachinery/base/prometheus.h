#ifndef APIMACHINERY_BASE_PROMETHEUS_H_
#define APIMACHINERY_BASE_PROMETHEUS_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/internal/leaf_mutex.h"
#include "apimachinery/base/metrics.h"

namespace kube::base {

struct PrometheusOptions {
  // The number of combinations of label values that each metric may have. It protects against a
  // label that by mistake takes any value. A further combination gets a metric that does nothing,
  // and increments the counter client_metrics_dropped_label_sets_total{metric="NAME"}. Default:
  // 1000. Zero allows no combination, not even that of a metric without labels.
  size_t max_label_sets = 1000;
};

// A metrics provider for Prometheus: Render returns the body of a response to a scrape of /metrics.
// client_golang: `prometheus.Registry` with `promhttp`.
//
// Metrics are sorted by name and samples by label values, so equal counts give equal text. Metrics
// without samples are left out. Bytes of help texts and label values that are not UTF-8 are
// replaced by U+FFFD. If a name is registered twice, the help text must be equal too. A histogram
// also reserves the names of its samples: NAME_bucket, NAME_sum and NAME_count.
//
// Thread-safe; rendering does not block threads that count.
//
//   const auto metrics = std::make_shared<PrometheusRegistry>();
//   const Counter restarts = NewCounter(*metrics, {.name = "restarts_total", .help = "Restarts."});
//   restarts.Increment();
//   const std::string page = metrics->Render();  // of the type PrometheusRegistry::kContentType
class PrometheusRegistry : public MetricsProvider {
 public:
  static constexpr absl::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

  explicit PrometheusRegistry(PrometheusOptions options = {});
  ~PrometheusRegistry() override;

  absl::StatusOr<CounterVec> MakeCounter(const MetricOptions& options) override;
  absl::StatusOr<GaugeVec> MakeGauge(const MetricOptions& options) override;
  absl::StatusOr<HistogramVec> MakeHistogram(const HistogramOptions& options) override;

  // Returns all metrics in Prometheus' text format.
  std::string Render() const;

 private:
  struct Shape;
  class Family;
  template <typename Metric>
  class TypedFamily;

  template <typename Metric>
  absl::StatusOr<MetricVec<Metric>> Make(Shape shape);
  template <typename Metric>
  absl::StatusOr<MetricVec<Metric>> Register(Shape shape);

  const PrometheusOptions options_;
  CounterVec dropped_;
  mutable internal::LeafMutex mutex_;
  std::map<std::string, std::shared_ptr<Family>> families_ ABSL_GUARDED_BY(mutex_);
  // Maps the name of each sample to that of the metric that writes it.
  std::map<std::string, std::string> sample_names_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_PROMETHEUS_H_
