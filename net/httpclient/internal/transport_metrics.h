#ifndef NET_HTTPCLIENT_INTERNAL_TRANSPORT_METRICS_H_
#define NET_HTTPCLIENT_INTERNAL_TRANSPORT_METRICS_H_

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"

namespace kube::httpclient::internal {

// Counts connections for HttpTransportStatistics and for a metrics provider. The On methods belong
// to the I/O thread; reading is thread-safe.
class TransportMetrics {
 public:
  // Registers the metrics. Returns the provider's error if one of the names exists with other
  // options.
  absl::Status Register(base::MetricsProvider& provider);

  void OnOpening();
  // `host` is the name that was resolved; "" if there was none, so that `resolved` does not count.
  void OnOpened(absl::string_view host, absl::Duration resolved, absl::Duration opened);
  void OnFailed();
  void OnClosed();
  void OnPaused();

  int64_t connections() const { return connections_; }
  int64_t opened() const { return opened_; }
  int64_t failed() const { return failed_; }
  int64_t paused() const { return paused_; }

 private:
  std::atomic<int64_t> connections_{0};
  std::atomic<int64_t> opened_{0};
  std::atomic<int64_t> failed_{0};
  std::atomic<int64_t> paused_{0};

  base::Gauge connections_gauge_;
  base::Counter opened_counter_;
  base::Counter failed_counter_;
  base::Counter paused_counter_;
  base::HistogramVec resolve_seconds_;
  base::Histogram open_seconds_;
};

}  // namespace kube::httpclient::internal

#endif  // NET_HTTPCLIENT_INTERNAL_TRANSPORT_METRICS_H_
