#ifndef APISERVER_DISCOVERY_SERVER_METRICS_H_
#define APISERVER_DISCOVERY_SERVER_METRICS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/prometheus.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {

// The metrics of GET /metrics: those of kube-apiserver's metrics that make sense here, with their
// names and labels (kube-apiserver: `endpoints/metrics`). Thread-safe.
class ServerMetrics {
 public:
  ServerMetrics();

  // Counts a request that was authorized and answered with `code` after `elapsed`. A watch is
  // counted when it begins, without a duration. Of the paths without a resource only health checks
  // are counted.
  void Observe(const httpserver::Request& request, const RequestInfo& info,
               const Resources& resources, int code, absl::Duration elapsed);

  // Returns the metrics in the text format of Prometheus, with the current number of objects of
  // each resource.
  std::string Render(const Storage& storage, const Resources& resources);

 private:
  base::PrometheusRegistry registry_;
  base::CounterVec requests_;
  base::HistogramVec durations_;
  base::GaugeVec objects_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DISCOVERY_SERVER_METRICS_H_
