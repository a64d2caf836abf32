#include "apimachinery/base/metric_members.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/metrics.h"

namespace kube::base {
namespace {

template <typename Vec>
Vec Checked(absl::StatusOr<Vec> made, const std::string& name) {
  KUBE_CHECK_OK(made) << "make metric \"" << name << "\"";
  return *std::move(made);
}

void CheckNoLabels(const std::vector<std::string>& label_names, const std::string& name) {
  KUBE_CHECK(label_names.empty()) << "make metric \"" << name << "\": it has labels, make a "
                                  << "vector and call WithLabelValues";
}

}  // namespace

Counter NewCounter(MetricsProvider& metrics, const MetricOptions& options) {
  CheckNoLabels(options.label_names, options.name);
  return NewCounterVec(metrics, options).WithLabelValues({});
}

Gauge NewGauge(MetricsProvider& metrics, const MetricOptions& options) {
  CheckNoLabels(options.label_names, options.name);
  return NewGaugeVec(metrics, options).WithLabelValues({});
}

Histogram NewHistogram(MetricsProvider& metrics, const HistogramOptions& options) {
  CheckNoLabels(options.label_names, options.name);
  return NewHistogramVec(metrics, options).WithLabelValues({});
}

CounterVec NewCounterVec(MetricsProvider& metrics, const MetricOptions& options) {
  return Checked(metrics.MakeCounter(options), options.name);
}

GaugeVec NewGaugeVec(MetricsProvider& metrics, const MetricOptions& options) {
  return Checked(metrics.MakeGauge(options), options.name);
}

HistogramVec NewHistogramVec(MetricsProvider& metrics, const HistogramOptions& options) {
  return Checked(metrics.MakeHistogram(options), options.name);
}

}  // namespace kube::base
