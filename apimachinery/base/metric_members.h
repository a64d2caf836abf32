#ifndef APIMACHINERY_BASE_METRIC_MEMBERS_H_
#define APIMACHINERY_BASE_METRIC_MEMBERS_H_

#include "apimachinery/base/metrics.h"

namespace kube::base {

// Metrics whose names are written in the program, made where they are declared. (promauto.With)
//
//   class Restarter {
//    ...
//     const std::shared_ptr<base::MetricsProvider> metrics_;  // before what is made of it
//     const base::Counter restarts_ = base::NewCounter(
//         *metrics_, {.name = "restarter_restarts_total", .help = "Pods that were restarted."});
//     const base::CounterVec errors_ = base::NewCounterVec(
//         *metrics_,
//         {.name = "restarter_errors_total", .help = "Errors.", .label_names = {"verb"}});
//   };
//
// A name or label that breaks the rules, or that is in use with other options, is a mistake in the
// program: it ends with a message that names the metric and the cause. Use the provider's
// MakeCounter and its siblings for names that are not known before the program runs: they return a
// Status instead. Thread-safe.

// These three have no labels: options with label_names end the program, too.
Counter NewCounter(MetricsProvider& metrics, const MetricOptions& options);
Gauge NewGauge(MetricsProvider& metrics, const MetricOptions& options);
Histogram NewHistogram(MetricsProvider& metrics, const HistogramOptions& options);

CounterVec NewCounterVec(MetricsProvider& metrics, const MetricOptions& options);
GaugeVec NewGaugeVec(MetricsProvider& metrics, const MetricOptions& options);
HistogramVec NewHistogramVec(MetricsProvider& metrics, const HistogramOptions& options);

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_METRIC_MEMBERS_H_
