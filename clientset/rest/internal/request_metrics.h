#ifndef CLIENTSET_REST_INTERNAL_REQUEST_METRICS_H_
#define CLIENTSET_REST_INTERNAL_REQUEST_METRICS_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"

namespace kube::rest::internal {

// The metrics of a client, with the names, labels and buckets of component-base and
// controller-runtime. rest_client_dns_resolution_duration_seconds is a metric of the transport.
//
// Thread-safe.
class RequestMetrics {
 public:
  // `host` is the value of the host label: "10.0.0.1:6443".
  static absl::StatusOr<RequestMetrics> Make(base::MetricsProvider& provider,
                                             absl::string_view host);

  // Counts a try. `status` is 0 if there was no response.
  void AddTry(absl::string_view verb, int status, bool is_retry) const;
  void ObserveDuration(absl::string_view verb, absl::Duration duration) const;
  void ObserveRateLimiter(absl::string_view verb, absl::Duration duration) const;
  void ObserveRequestSize(absl::string_view verb, size_t bytes) const;
  void ObserveResponseSize(absl::string_view verb, size_t bytes) const;

 private:
  void Observe(const base::HistogramVec& histogram, absl::string_view verb, double value) const;

  std::string host_;
  base::CounterVec requests_;
  base::CounterVec retries_;
  base::HistogramVec duration_;
  base::HistogramVec rate_limiter_;
  base::HistogramVec request_size_;
  base::HistogramVec response_size_;
};

}  // namespace kube::rest::internal

#endif  // CLIENTSET_REST_INTERNAL_REQUEST_METRICS_H_
