#ifndef CONTROLLER_MANAGER_INTERNAL_ENDPOINTS_H_
#define CONTROLLER_MANAGER_INTERNAL_ENDPOINTS_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/prometheus.h"
#include "clientset/rest/client.h"
#include "controller/health/health_server.h"
#include "controller/leaderelection/healthz_adaptor.h"
#include "controller/manager/manager_status.h"
#include "controller/metrics/metrics_server.h"
#include "webhook/server.h"

namespace kube::controller::internal {

// What the endpoints tell. The functions are called on any thread and must not block.
struct EndpointsSource {
  std::function<absl::Status()> check_informers = nullptr;
  std::function<absl::Status()> check_webhooks = nullptr;
  std::function<ManagerStatus()> status = nullptr;
  // Null without leader election.
  std::shared_ptr<leaderelection::HealthzAdaptor> watch_dog = nullptr;
  std::shared_ptr<base::PrometheusRegistry> registry = nullptr;
  // Outlives the endpoints. Never null.
  const webhook::Server* webhooks = nullptr;
};

// The servers of a manager: health endpoints, and metrics with the status page. Thread-safe.
class Endpoints {
 public:
  // `client` reviews tokens.
  Endpoints(std::optional<health::HealthServerOptions> health,
            std::optional<metrics::MetricsOptions> metrics, rest::Client client,
            EndpointsSource source);
  Endpoints(const Endpoints&) = delete;
  Endpoints& operator=(const Endpoints&) = delete;

  bool has_metrics() const { return metrics_options_.has_value(); }

  // Starts the health endpoints, if there are any, with a check of the webhooks if one has been
  // registered. Does not block.
  absl::Status StartHealth() ABSL_LOCKS_EXCLUDED(mutex_);
  // Blocks until `ctx` is done, and ends the health endpoints.
  absl::Status ServeHealth(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // Starts the metrics endpoint, blocks until `ctx` is done, and ends it. Returns an error if it
  // cannot start.
  absl::Status ServeMetrics(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  // Return the base URLs, or "" if the server does not run.
  std::string health_url() const ABSL_LOCKS_EXCLUDED(mutex_);
  std::string metrics_url() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  std::optional<health::HealthServerOptions> health_options_;
  std::optional<metrics::MetricsOptions> metrics_options_;
  const rest::Client client_;
  const EndpointsSource source_;
  mutable base::Mutex mutex_;
  std::unique_ptr<health::HealthServer> health_ ABSL_GUARDED_BY(mutex_);
  std::unique_ptr<metrics::MetricsServer> metrics_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_ENDPOINTS_H_
