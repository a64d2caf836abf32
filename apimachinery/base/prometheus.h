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
  // How many combinations of label values each metric may have, against a label that by mistake
  // takes any value. Further combinations are given a metric that does nothing, and the counter
  // client_metrics_dropped_label_sets_total{metric="NAME"} tells how often. Default 1000; zero
  // allows none.
  size_t max_label_sets = 1000;
};

// A metrics provider whose metrics Prometheus can scrape: Render is what /metrics answers.
//
// Metrics are sorted by name, their samples by label values: the same counts give the same text.
// Metrics without samples are left out. Bytes of help and label values that are not UTF-8 become
// U+FFFD. Help is part of what must be equal when a name is made twice; names that a histogram's
// samples have (NAME_bucket, NAME_sum, NAME_count) are taken by it.
//
// Thread-safe; rendering holds up nobody who counts. Go: prometheus.Registry with promhttp.
//
//   auto metrics = std::make_shared<PrometheusRegistry>();
//   … pass it on as a std::shared_ptr<MetricsProvider> …
//   response.content_type = PrometheusRegistry::kContentType;
//   response.body = metrics->Render();
class PrometheusRegistry : public MetricsProvider {
 public:
  static constexpr absl::string_view kContentType = "text/plain; version=0.0.4; charset=utf-8";

  explicit PrometheusRegistry(PrometheusOptions options = {});
  ~PrometheusRegistry() override;

  absl::StatusOr<CounterVec> MakeCounter(const MetricOptions& options) override;
  absl::StatusOr<GaugeVec> MakeGauge(const MetricOptions& options) override;
  absl::StatusOr<HistogramVec> MakeHistogram(const HistogramOptions& options) override;

  // All metrics in Prometheus' text format.
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
  // The name of each sample, and of the metric that writes it.
  std::map<std::string, std::string> sample_names_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_PROMETHEUS_H_
