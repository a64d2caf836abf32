#ifndef APIMACHINERY_BASE_METRIC_MEMBERS_H_
#define APIMACHINERY_BASE_METRIC_MEMBERS_H_

#include "apimachinery/base/metrics.h"

namespace kube::base {

// Create metrics whose names are fixed in the program, so that they can be initialised where the
// member is declared. client_golang: `promauto.With`.
//
//   class Restarter {
//     ...
//     const std::shared_ptr<MetricsProvider> metrics_;  // declared before its metrics
//     const Counter restarts_ = NewCounter(
//         *metrics_, {.name = "restarter_restarts_total", .help = "Pods that were restarted."});
//     ...
//   };
//
// If a name or label breaks the rules, or the name is in use with other options, the program has a
// bug: these functions abort with a message that names the metric and the cause. For names that are
// known only at run time use MetricsProvider::MakeCounter and its siblings, which return a Status.
// Thread-safe.

// Create a metric without labels; these also abort if the options have label_names.
Counter NewCounter(MetricsProvider& metrics, const MetricOptions& options);
Gauge NewGauge(MetricsProvider& metrics, const MetricOptions& options);
Histogram NewHistogram(MetricsProvider& metrics, const HistogramOptions& options);

CounterVec NewCounterVec(MetricsProvider& metrics, const MetricOptions& options);
GaugeVec NewGaugeVec(MetricsProvider& metrics, const MetricOptions& options);
HistogramVec NewHistogramVec(MetricsProvider& metrics, const HistogramOptions& options);

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_METRIC_MEMBERS_H_
