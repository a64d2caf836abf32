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

// What GET /metrics answers: those of kube-apiserver's metrics that have a meaning here, under
// upstream's names and labels. Thread-safe. (endpoints/metrics)
class ServerMetrics {
 public:
  ServerMetrics();

  // Counts a request that was authorized and then answered with this code after `elapsed`. A watch
  // counts when it begins, and has no duration. Requests whose path is no resource's do not count,
  // but for those of health.
  void Observe(const httpserver::Request& request, const RequestInfo& info,
               const Resources& resources, int code, absl::Duration elapsed);

  // Returns the text for Prometheus, with the number of objects of each resource now.
  std::string Render(const Storage& storage, const Resources& resources);

 private:
  base::PrometheusRegistry registry_;
  base::CounterVec requests_;
  base::HistogramVec durations_;
  base::GaugeVec objects_;
};

}  // namespace kube::apiserver::internal

#endif  // APISERVER_DISCOVERY_SERVER_METRICS_H_
