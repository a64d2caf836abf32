#include "clientset/rest/internal/request_metrics.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/status.h"

namespace kube::rest::internal {

namespace {

std::vector<double> DurationBuckets() {
  return {0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60};
}

std::vector<double> SizeBuckets() {
  return {64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216};
}

// Error texts would make an unlimited number of label values.
std::string CodeLabel(int status) { return status == 0 ? "<error>" : absl::StrCat(status); }

}  // namespace

absl::StatusOr<RequestMetrics> RequestMetrics::Make(base::MetricsProvider& provider,
                                                    absl::string_view host) {
  const std::vector<std::string> labels = {"verb", "host"};
  RequestMetrics metrics;
  metrics.host_ = std::string(host);
  KUBE_ASSIGN_OR_RETURN(metrics.requests_,
                        provider.MakeCounter({.name = "rest_client_requests_total",
                                              .help = "Number of HTTP requests, partitioned by "
                                                      "status code, method, and host.",
                                              .label_names = {"code", "method", "host"}}));
  KUBE_ASSIGN_OR_RETURN(metrics.retries_,
                        provider.MakeCounter({.name = "rest_client_request_retries_total",
                                              .help = "Number of request retries, partitioned by "
                                                      "status code, verb, and host.",
                                              .label_names = {"code", "verb", "host"}}));
  KUBE_ASSIGN_OR_RETURN(metrics.duration_,
                        provider.MakeHistogram({.name = "rest_client_request_duration_seconds",
                                                .help = "Request latency in seconds. Broken down "
                                                        "by verb, and host.",
                                                .label_names = labels,
                                                .buckets = DurationBuckets()}));
  KUBE_ASSIGN_OR_RETURN(metrics.rate_limiter_,
                        provider.MakeHistogram({.name = "rest_client_rate_limiter_duration_seconds",
                                                .help = "Client side rate limiter latency in "
                                                        "seconds. Broken down by verb, and host.",
                                                .label_names = labels,
                                                .buckets = DurationBuckets()}));
  KUBE_ASSIGN_OR_RETURN(metrics.request_size_,
                        provider.MakeHistogram({.name = "rest_client_request_size_bytes",
                                                .help = "Request size in bytes. Broken down by "
                                                        "verb and host.",
                                                .label_names = labels,
                                                .buckets = SizeBuckets()}));
  KUBE_ASSIGN_OR_RETURN(metrics.response_size_,
                        provider.MakeHistogram({.name = "rest_client_response_size_bytes",
                                                .help = "Response size in bytes. Broken down by "
                                                        "verb and host.",
                                                .label_names = labels,
                                                .buckets = SizeBuckets()}));
  return metrics;
}

void RequestMetrics::AddTry(absl::string_view verb, int status, bool is_retry) const {
  const std::string code = CodeLabel(status);
  requests_.WithLabelValues({code, verb, host_}).Increment();
  if (is_retry) retries_.WithLabelValues({code, verb, host_}).Increment();
}

void RequestMetrics::ObserveDuration(absl::string_view verb, absl::Duration duration) const {
  Observe(duration_, verb, absl::ToDoubleSeconds(duration));
}

void RequestMetrics::ObserveRateLimiter(absl::string_view verb, absl::Duration duration) const {
  Observe(rate_limiter_, verb, absl::ToDoubleSeconds(duration));
}

void RequestMetrics::ObserveRequestSize(absl::string_view verb, size_t bytes) const {
  Observe(request_size_, verb, static_cast<double>(bytes));
}

void RequestMetrics::ObserveResponseSize(absl::string_view verb, size_t bytes) const {
  Observe(response_size_, verb, static_cast<double>(bytes));
}

void RequestMetrics::Observe(const base::HistogramVec& histogram, absl::string_view verb,
                             double value) const {
  histogram.WithLabelValues({verb, host_}).Observe(value);
}

}  // namespace kube::rest::internal
