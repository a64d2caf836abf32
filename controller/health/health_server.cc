#include "controller/health/health_server.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/status.h"
#include "apimachinery/queryparams/values.h"
#include "controller/health/health_check.h"
#include "controller/health/internal/check_runner.h"
#include "controller/health/internal/health_text.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/thread_pool_handler.h"
#include "net/url/path.h"

namespace kube::health {

using httpserver::Response;
using internal::CheckResult;
using internal::CheckRunner;

namespace {

// A kubelet, a Prometheus and a few people need far less; a stranger gets no more.
constexpr int kMaxConnections = 256;
constexpr uint32_t kMaxStreams = 16;
constexpr size_t kMaxHeaderBytes = size_t{64} << 10;
constexpr size_t kMaxBodyBytes = size_t{4} << 10;
constexpr int kThreads = 4;
constexpr size_t kMaxWaiting = 128;

httpserver::ServerOptions ServerOptionsOf(const HealthServerOptions& options) {
  httpserver::ServerOptions server;
  server.address = options.address;
  server.port = options.port;
  server.tls = options.tls;
  server.max_connections = kMaxConnections;
  server.max_concurrent_streams = kMaxStreams;
  server.max_header_bytes = kMaxHeaderBytes;
  server.max_body_bytes = kMaxBodyBytes;
  return server;
}

// The checks of one path.
class Endpoint {
 public:
  Endpoint(std::string name, std::vector<HealthCheck> checks, absl::Duration timeout)
      : name_(std::move(name)) {
    if (checks.empty()) checks.push_back(PingCheck());
    for (HealthCheck& check : checks) {
      runners_.push_back(std::make_unique<CheckRunner>(std::move(check), timeout));
    }
  }

  absl::Status Start(const Context& ctx) const {
    for (const auto& runner : runners_) KUBE_RETURN_IF_ERROR(runner->Start(ctx));
    return absl::OkStatus();
  }

  const std::string& name() const { return name_; }

  // All run at the same time, so that all take no longer than one.
  Response AskAll(const Context& ctx, const queryparams::Values& query) const {
    std::vector<std::optional<int64_t>> runs;
    for (const auto& runner : runners_) {
      const bool excluded = internal::IsExcluded(query, runner->name());
      runs.push_back(excluded ? std::nullopt : std::optional<int64_t>(runner->Begin()));
    }
    std::vector<CheckResult> results;
    for (size_t i = 0; i < runs.size(); ++i) {
      CheckResult result = {.name = runners_[i]->name()};
      if (runs[i].has_value()) result.status = runners_[i]->Await(ctx, *runs[i]);
      if (result.status.has_value() && !result.status->ok()) {
        KUBE_VLOG(2, "health check failed", {"endpoint", name_}, {"check", result.name},
                  {"error", *result.status});
      }
      results.push_back(std::move(result));
    }
    return internal::AnswerOfAll(name_, results, query);
  }

  // Nothing: there is no such check.
  std::optional<Response> AskOne(const Context& ctx, absl::string_view name) const {
    for (const auto& runner : runners_) {
      if (name == runner->name()) {
        return internal::AnswerOfOne(runner->Await(ctx, runner->Begin()));
      }
    }
    return std::nullopt;
  }

 private:
  std::string name_;
  std::vector<std::unique_ptr<CheckRunner>> runners_;
};

absl::Status Validate(absl::string_view endpoint, const std::vector<HealthCheck>& checks) {
  std::set<std::string> names;
  for (const HealthCheck& check : checks) {
    if (check.name.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("a check of /", endpoint, " has no name"));
    }
    if (check.check == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("check \"", check.name, "\" of /", endpoint, " is null"));
    }
    if (!names.insert(check.name).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("/", endpoint, " has two checks \"", check.name, "\""));
    }
  }
  return absl::OkStatus();
}

absl::Status Validate(const HealthServerOptions& options) {
  KUBE_RETURN_IF_ERROR(Validate("healthz", options.healthz));
  KUBE_RETURN_IF_ERROR(Validate("livez", options.livez));
  KUBE_RETURN_IF_ERROR(Validate("readyz", options.readyz));
  if (options.check_timeout <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError("check_timeout must be greater than zero");
  }
  return absl::OkStatus();
}

}  // namespace

class HealthServer::Impl {
 public:
  explicit Impl(HealthServerOptions options)
      : metrics_(std::move(options.metrics)),
        handler_([this](httpserver::Exchange& exchange) { Handle(exchange); },
                 {.threads = kThreads, .max_waiting = kMaxWaiting, .name = "health"}) {
    const absl::Duration timeout = options.check_timeout;
    endpoints_.emplace_back("healthz", std::move(options.healthz), timeout);
    endpoints_.emplace_back("livez", std::move(options.livez), timeout);
    endpoints_.emplace_back("readyz", std::move(options.readyz), timeout);
  }

  absl::Status Start(const httpserver::ServerOptions& options) {
    for (const Endpoint& endpoint : endpoints_) KUBE_RETURN_IF_ERROR(endpoint.Start(Context()));
    KUBE_RETURN_IF_ERROR(handler_.Start(Context()));
    KUBE_ASSIGN_OR_RETURN(server_, httpserver::Server::Start(options, handler_));
    return absl::OkStatus();
  }

  httpserver::Server& server() { return *server_; }

 private:
  void Handle(httpserver::Exchange& exchange) const {
    const httpserver::Request& request = exchange.request();
    if (request.method != "GET" && request.method != "HEAD") {
      Response response = internal::ErrorText(405, "method not allowed");
      response.headers.Set("allow", "GET, HEAD");
      exchange.Respond(std::move(response));
      return;
    }
    exchange.Respond(Answer(exchange.context(), request));
  }

  Response Answer(const Context& ctx, const httpserver::Request& request) const {
    const absl::StatusOr<std::string> unescaped = url::UnescapePath(request.path());
    if (!unescaped.ok()) return internal::ErrorText(400, "bad request");
    absl::string_view path = *unescaped;
    if (path == "/metrics" && metrics_ != nullptr) {
      Response response = {.body = metrics_->Render()};
      response.headers.Set("content-type", base::PrometheusRegistry::kContentType);
      return response;
    }
    if (absl::ConsumePrefix(&path, "/")) {
      for (const Endpoint& endpoint : endpoints_) {
        absl::string_view rest = path;
        if (!absl::ConsumePrefix(&rest, endpoint.name())) continue;
        if (rest.empty()) return endpoint.AskAll(ctx, queryparams::ParseQuery(request.query()));
        if (!absl::ConsumePrefix(&rest, "/")) continue;
        std::optional<Response> response = endpoint.AskOne(ctx, rest);
        if (response.has_value()) return *std::move(response);
      }
    }
    return internal::ErrorText(404, "404 page not found");
  }

  const std::shared_ptr<const base::PrometheusRegistry> metrics_;
  std::vector<Endpoint> endpoints_;
  httpserver::ThreadPoolHandler handler_;
  // Last: it uses all of the above.
  std::unique_ptr<httpserver::Server> server_;
};

absl::StatusOr<std::unique_ptr<HealthServer>> HealthServer::Start(HealthServerOptions options) {
  KUBE_RETURN_IF_ERROR(Validate(options), "start health server");
  const httpserver::ServerOptions server = ServerOptionsOf(options);
  auto impl = std::make_unique<Impl>(std::move(options));
  KUBE_RETURN_IF_ERROR(impl->Start(server), "start health server");
  return std::make_unique<HealthServer>(Key(), std::move(impl));
}

HealthServer::HealthServer(Key /*key*/, std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HealthServer::~HealthServer() = default;

absl::Status HealthServer::Shutdown(const Context& ctx) { return impl_->server().Shutdown(ctx); }

uint16_t HealthServer::port() const { return impl_->server().port(); }

std::string HealthServer::url() const { return impl_->server().url(); }

}  // namespace kube::health
