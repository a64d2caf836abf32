#include "controller/manager/internal/endpoints.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "clientset/rest/client.h"
#include "controller/health/health_check.h"
#include "controller/health/health_server.h"
#include "controller/leaderelection/healthz_adaptor.h"
#include "controller/manager/status_page.h"
#include "controller/metrics/metrics_server.h"
#include "net/httpserver/exchange.h"
#include "webhook/server.h"

namespace kube::controller::internal {
namespace {

using base::MutexLock;

// How long requests that are in work at the end may take.
constexpr absl::Duration kShutdownTimeout = absl::Seconds(1);

void AddChecks(health::HealthServerOptions& options, const EndpointsSource& source) {
  options.readyz.push_back(
      {.name = "informers",
       .check = [check = source.check_informers](const Context&) { return check(); }});
  if (source.watch_dog == nullptr) return;
  const health::HealthCheck leader = {
      .name = std::string(leaderelection::HealthzAdaptor::kName),
      .check = [watch_dog = source.watch_dog](const Context&) { return watch_dog->Check(); }};
  for (std::vector<health::HealthCheck>* checks : {&options.livez, &options.healthz}) {
    if (checks->empty()) checks->push_back(health::PingCheck());
    checks->push_back(leader);
  }
}

// Makes an answer that no cache keeps, and that a browser shows without loading or running
// anything.
httpserver::Response StatusResponse(absl::string_view type, std::string body) {
  return {.headers = {{"content-type", std::string(type)},
                      {"cache-control", "no-store"},
                      {"content-security-policy", std::string(kStatusPagePolicy)},
                      {"x-content-type-options", "nosniff"}},
          .body = std::move(body)};
}

void AddStatusPages(metrics::MetricsOptions& options, const EndpointsSource& source) {
  options.handlers.push_back(
      {.path = "/debug/status", .handle = [status = source.status](const httpserver::Request&) {
         return StatusResponse(kStatusPageType, RenderStatusPage(status()));
       }});
  options.handlers.push_back({.path = "/debug/status.json",
                              .handle = [status = source.status](const httpserver::Request&) {
                                return StatusResponse(kStatusJsonType, RenderStatusJson(status()));
                              }});
}

}  // namespace

Endpoints::Endpoints(std::optional<health::HealthServerOptions> health,
                     std::optional<metrics::MetricsOptions> metrics, rest::Client client,
                     EndpointsSource source)
    : health_options_(std::move(health)),
      metrics_options_(std::move(metrics)),
      client_(std::move(client)),
      source_(std::move(source)) {
  if (health_options_.has_value()) AddChecks(*health_options_, source_);
  if (metrics_options_.has_value()) AddStatusPages(*metrics_options_, source_);
}

absl::Status Endpoints::StartHealth() {
  if (!health_options_.has_value()) return absl::OkStatus();
  health::HealthServerOptions options = *health_options_;
  if (source_.webhooks->has_webhooks()) {
    options.readyz.push_back(
        {.name = "webhooks",
         .check = [check = source_.check_webhooks](const Context&) { return check(); }});
  }
  KUBE_ASSIGN_OR_RETURN(std::unique_ptr<health::HealthServer> server,
                        health::HealthServer::Start(std::move(options)), "health endpoints");
  MutexLock lock(mutex_);
  health_ = std::move(server);
  return absl::OkStatus();
}

absl::Status Endpoints::ServeHealth(const Context& ctx) {
  base::WaitUntilDone(ctx).IgnoreError();
  std::unique_ptr<health::HealthServer> server;
  {
    MutexLock lock(mutex_);
    server = std::move(health_);
  }
  if (server == nullptr) return absl::OkStatus();
  return server->Shutdown(WithTimeout(WithoutCancel(ctx), kShutdownTimeout));
}

absl::Status Endpoints::ServeMetrics(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(
      std::unique_ptr<metrics::MetricsServer> started,
      metrics::MetricsServer::Start(ctx, *metrics_options_, source_.registry, &client_),
      "metrics endpoint");
  {
    MutexLock lock(mutex_);
    metrics_ = std::move(started);
  }
  base::WaitUntilDone(ctx).IgnoreError();
  std::unique_ptr<metrics::MetricsServer> server;
  {
    MutexLock lock(mutex_);
    server = std::move(metrics_);
  }
  return server->Shutdown(WithTimeout(WithoutCancel(ctx), kShutdownTimeout));
}

std::string Endpoints::health_url() const {
  MutexLock lock(mutex_);
  return health_ == nullptr ? "" : health_->url();
}

std::string Endpoints::metrics_url() const {
  MutexLock lock(mutex_);
  return metrics_ == nullptr ? "" : metrics_->url();
}

}  // namespace kube::controller::internal
