#include "webhook/internal/path_metrics.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/metric_members.h"
#include "apimachinery/base/metrics.h"

namespace kube::webhook::internal {

void PathMetrics::End(int code, absl::Duration took) const {
  in_flight_.Decrement();
  latency_.Observe(absl::ToDoubleSeconds(took));
  requests_.WithLabelValues({path_, absl::StrCat(code)}).Increment();
}

WebhookMetrics::WebhookMetrics(base::MetricsProvider& provider)
    : latency_(base::NewHistogramVec(
          provider, {.name = "controller_runtime_webhook_latency_seconds",
                     .help = "Histogram of the latency of processing admission requests",
                     .label_names = {"webhook"},
                     .buckets = base::ExponentialBuckets(10e-9, 10, 12)})),
      requests_(base::NewCounterVec(
          provider, {.name = "controller_runtime_webhook_requests_total",
                     .help = "Total number of admission requests by HTTP status code.",
                     .label_names = {"webhook", "code"}})),
      in_flight_(
          base::NewGaugeVec(provider, {.name = "controller_runtime_webhook_requests_in_flight",
                                       .help = "Current number of admission requests being served.",
                                       .label_names = {"webhook"}})) {}

PathMetrics WebhookMetrics::For(const std::string& path) const {
  requests_.WithLabelValues({path, "200"});
  requests_.WithLabelValues({path, "500"});
  return PathMetrics(path, requests_, latency_.WithLabelValues({path}),
                     in_flight_.WithLabelValues({path}));
}

}  // namespace kube::webhook::internal
