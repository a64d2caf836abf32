#include "controller/health/health_server.h"

#include <algorithm>
#include <atomic>
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
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/status.h"
#include "apimachinery/queryparams/values.h"
#include "controller/health/health_check.h"
#include "controller/health/internal/check_runner.h"
#include "controller/health/internal/health_text.h"
#include "controller/health/internal/waiting_room.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/thread_pool_handler.h"
#include "net/url/path.h"
#include "net/url/url.h"

// Handle runs on the server's event thread and never blocks. Each check has a CheckRunner with a
// thread of its own; /metrics and further paths are rendered by a small thread pool; all answer
// through the Exchange when they are done. A request for a guarded path first goes through another
// small pool, which asks `access`, so that slow decisions delay no path that is not guarded.
//
// A request to an endpoint becomes a Question. It takes a place in the endpoint's WaitingRoom, asks
// the runners of all checks that are not excluded, and responds when the last result has arrived.
// `answered_` decides who responds: the last result, or Refuse when another peer takes over the
// place. The Question is owned by the callbacks given to the runners, and lives as long as one of
// them waits.

namespace kube::health {

using httpserver::Exchange;
using httpserver::Response;
using internal::CheckResult;
using internal::CheckRunner;
using internal::WaitingRoom;

namespace {

// Far more than a kubelet, a Prometheus and a few people need.
constexpr int kMaxConnections = 600;
constexpr uint32_t kMaxStreams = 16;
constexpr size_t kMaxHeaderBytes = size_t{64} << 10;
constexpr size_t kMaxBodyBytes = size_t{4} << 10;
// Room for the longest request. The total has room for that on each connection, so a connection
// that uses up its share takes nothing from the others.
constexpr size_t kMaxConnectionRequestBytes = size_t{80} << 10;
constexpr size_t kMaxRequestBytes = kMaxConnections * kMaxConnectionRequestBytes;
// Limit of each of the three endpoints, shared fairly by peers.
constexpr size_t kMaxQuestions = 128;
// For /metrics and further paths, and again for decisions about access.
constexpr int kThreads = 2;
constexpr size_t kMaxWaiting = 64;
// So there is always a connection that can be replaced, even if checks, decisions and pages hang.
static_assert(3 * kMaxQuestions + 2 * (kMaxWaiting + size_t{kThreads}) < size_t{kMaxConnections});

httpserver::ServerOptions ServerOptionsOf(const HealthServerOptions& options) {
  httpserver::ServerOptions server;
  server.address = options.address;
  server.port = options.port;
  server.tls = options.tls;
  server.http2 = options.http2;
  server.max_connections = kMaxConnections;
  server.max_concurrent_streams = kMaxStreams;
  server.max_header_bytes = kMaxHeaderBytes;
  server.max_body_bytes = kMaxBodyBytes;
  server.max_connection_request_bytes = kMaxConnectionRequestBytes;
  server.max_request_bytes = kMaxRequestBytes;
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

  // Responds with the results of all checks, which run in parallel.
  void AskAll(std::shared_ptr<Exchange> exchange) {
    auto question = std::make_shared<Question>(std::move(exchange), name_, waiting_);
    if (!Wait(question)) return;
    std::vector<size_t> asked;
    for (const auto& runner : runners_) {
      if (!internal::IsExcluded(question->query(), runner->name()))
        asked.push_back(question->size());
      question->Add(runner->name());
    }
    question->Expect(asked.size());
    for (const size_t i : asked) {
      runners_[i]->Ask([question, i](const absl::Status& result) { question->Set(i, result); });
    }
  }

  // Responds with the result of one check. Returns false, without a response, if there is no such
  // check.
  bool AskOne(const std::shared_ptr<Exchange>& exchange, absl::string_view name) {
    for (const auto& runner : runners_) {
      if (name != runner->name()) continue;
      auto question = std::make_shared<Question>(exchange, name_, waiting_);
      if (!Wait(question)) return true;
      runner->Ask([question](const absl::Status& result) {
        question->Respond(internal::AnswerOfOne(result));
      });
      return true;
    }
    return false;
  }

 private:
  // A request that waits for checks, until the last one has a result or another peer takes over its
  // place. Call Add and Expect on one thread first; then it is thread-safe. Respond and Refuse
  // always are.
  class Question {
   public:
    Question(std::shared_ptr<Exchange> exchange, const std::string& endpoint,
             const WaitingRoom& room)
        : exchange_(std::move(exchange)),
          place_(room, url::HostName(exchange_->request().peer_address)),
          endpoint_(endpoint),
          query_(queryparams::ParseQuery(exchange_->request().query())) {}

    WaitingRoom::Place& place() { return place_; }
    const queryparams::Values& query() const { return query_; }
    size_t size() const { return results_.size(); }

    // Adds a check; it counts as excluded unless Set follows.
    void Add(const std::string& name) { results_.push_back({.name = name}); }
    // Announces the number of calls of Set.
    void Expect(size_t count) {
      left_ = count;
      if (count == 0) RespondWithAll();
    }

    void Set(size_t i, const absl::Status& result) {
      if (!result.ok()) {
        KUBE_VLOG(2, "health check failed", {"endpoint", endpoint_}, {"check", results_[i].name},
                  {"err", result});
      }
      results_[i].status = result;
      if (--left_ == 0) RespondWithAll();
    }

    // Only the first response is sent.
    void Respond(Response response) {
      if (answered_.exchange(true)) return;
      // Before the response: a request that has been answered no longer waits.
      place_.Leave();
      std::exchange(exchange_, nullptr)->Respond(std::move(response));
    }

    void Refuse() {
      Response response = internal::ErrorText(503, "too many pending requests");
      response.headers.Set("retry-after", "1");
      Respond(std::move(response));
    }

   private:
    void RespondWithAll() { Respond(internal::AnswerOfAll(endpoint_, results_, query_)); }

    std::atomic<bool> answered_ = false;
    std::shared_ptr<Exchange> exchange_;  // used only by the thread that has set answered_
    WaitingRoom::Place place_;
    const std::string endpoint_;
    const queryparams::Values query_;
    std::vector<CheckResult> results_;  // each is set by one thread
    std::atomic<size_t> left_ = 0;
  };

  // Takes a place for the question. If there is none, answers it and returns false.
  static bool Wait(const std::shared_ptr<Question>& question) {
    const bool waits = question->place().Enter([weak = std::weak_ptr<Question>(question)] {
      if (const auto loser = weak.lock(); loser != nullptr) loser->Refuse();
    });
    if (!waits) question->Refuse();
    return waits;
  }

  std::string name_;
  std::vector<std::unique_ptr<CheckRunner>> runners_;
  WaitingRoom waiting_{kMaxQuestions};
};

absl::Status Validate(absl::string_view endpoint, const std::vector<HealthCheck>& checks) {
  std::set<std::string> names;
  for (const HealthCheck& check : checks) {
    if (check.name.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("check of /", endpoint, " has no name"));
    }
    if (check.check == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("check \"", check.name, "\" of /", endpoint, " is null"));
    }
    if (!names.insert(check.name).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("duplicate check \"", check.name, "\" of /", endpoint));
    }
  }
  return absl::OkStatus();
}

// Returns whether `path` is `root` or a path below it.
bool IsAtOrBelow(absl::string_view path, absl::string_view root) {
  if (!absl::ConsumePrefix(&path, root)) return false;
  return path.empty() || path.front() == '/' || absl::EndsWith(root, "/");
}

absl::Status Validate(const std::vector<PathHandler>& handlers) {
  std::set<std::string> paths = {"/metrics"};
  for (const PathHandler& handler : handlers) {
    const auto wrong = [&](absl::string_view cause) {
      return absl::InvalidArgumentError(
          absl::StrCat("handler of path \"", handler.path, "\": ", cause));
    };
    if (!absl::StartsWith(handler.path, "/")) return wrong("the path must begin with \"/\"");
    if (handler.handle == nullptr) return wrong("the function is null");
    for (const absl::string_view root : {"/healthz", "/livez", "/readyz"}) {
      if (IsAtOrBelow(handler.path, root)) return wrong("the path belongs to health checks");
    }
    if (!paths.insert(handler.path).second) return wrong("the path is taken");
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
  KUBE_RETURN_IF_ERROR(Validate(options.handlers));
  for (const std::string& path : options.guarded_paths) {
    if (!absl::StartsWith(path, "/")) {
      return absl::InvalidArgumentError(
          absl::StrCat("guarded path \"", path, "\" does not begin with \"/\""));
    }
    if (options.access == nullptr) {
      return absl::InvalidArgumentError(
          absl::StrCat("path \"", path, "\" is guarded, but access is null"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

// Handles requests on the server's thread without blocking. Checks have their own threads, and so
// have the rendering of metrics and the decisions about access, so no request delays another
// endpoint.
class HealthServer::Impl final : public httpserver::Handler {
 public:
  explicit Impl(HealthServerOptions options)
      : metrics_(std::move(options.metrics)),
        handlers_(std::move(options.handlers)),
        access_(std::move(options.access)),
        guarded_paths_(std::move(options.guarded_paths)),
        pages_([this](Exchange& exchange) { ShowPage(exchange); },
               {.threads = kThreads, .max_waiting = kMaxWaiting, .name = "metrics"}),
        gate_([this](std::shared_ptr<Exchange> exchange) { Admit(std::move(exchange)); },
              {.threads = kThreads, .max_waiting = kMaxWaiting, .name = "access"}) {
    const absl::Duration timeout = options.check_timeout;
    endpoints_.emplace_back("healthz", std::move(options.healthz), timeout);
    endpoints_.emplace_back("livez", std::move(options.livez), timeout);
    endpoints_.emplace_back("readyz", std::move(options.readyz), timeout);
  }
  // The server first, as it uses everything else. Then decisions that are being made end soon.
  ~Impl() override {
    server_.reset();
    stopping_.Cancel();
  }

  absl::Status Start(const httpserver::ServerOptions& options) {
    for (const Endpoint& endpoint : endpoints_) KUBE_RETURN_IF_ERROR(endpoint.Start(Context()));
    if (metrics_ != nullptr || !handlers_.empty()) KUBE_RETURN_IF_ERROR(pages_.Start(Context()));
    if (access_ != nullptr) KUBE_RETURN_IF_ERROR(gate_.Start(Context()));
    KUBE_ASSIGN_OR_RETURN(server_, httpserver::Server::Start(options, *this));
    return absl::OkStatus();
  }

  httpserver::Server& server() { return *server_; }

  void Handle(std::shared_ptr<Exchange> exchange) override {
    const httpserver::Request& request = exchange->request();
    if (request.method != "GET" && request.method != "HEAD") {
      Response response = internal::ErrorText(405, "method not allowed");
      response.headers.Set("allow", "GET, HEAD");
      return exchange->Respond(std::move(response));
    }
    const absl::StatusOr<std::string> path = url::UnescapePath(request.path());
    if (!path.ok()) return exchange->Respond(internal::ErrorText(400, "bad request"));
    if (IsGuarded(*path)) return gate_.Handle(std::move(exchange));
    Route(std::move(exchange), *path);
  }

 private:
  bool IsGuarded(absl::string_view path) const {
    if (access_ == nullptr) return false;
    if (guarded_paths_.empty()) return true;
    return std::any_of(guarded_paths_.begin(), guarded_paths_.end(),
                       [path](const std::string& root) { return IsAtOrBelow(path, root); });
  }

  // Runs on a thread of gate_.
  void Admit(std::shared_ptr<Exchange> exchange) {
    const httpserver::Request& request = exchange->request();
    // Not the context of the exchange: it is done when a client has only closed its sending side,
    // as `nc -N` does, and still waits for the answer.
    std::optional<Response> refusal = access_(stopping_.context(), request);
    if (refusal) return exchange->Respond(*std::move(refusal));
    const absl::StatusOr<std::string> path = url::UnescapePath(request.path());
    if (path.ok()) Route(std::move(exchange), *path);
  }

  // Lets somebody answer. `path` is unescaped, and is the one that was looked at by IsGuarded.
  void Route(std::shared_ptr<Exchange> exchange, absl::string_view path) {
    if (HasPage(path)) return pages_.Handle(std::move(exchange));
    if (!Ask(exchange, path)) exchange->Respond(internal::ErrorText(404, "404 page not found"));
  }

  const PathHandler* FindHandler(absl::string_view path) const {
    for (const PathHandler& handler : handlers_) {
      if (handler.path == path) return &handler;
    }
    return nullptr;
  }
  bool HasPage(absl::string_view path) const {
    return (path == "/metrics" && metrics_ != nullptr) || FindHandler(path) != nullptr;
  }

  // Runs on a thread of pages_.
  void ShowPage(Exchange& exchange) const {
    const absl::StatusOr<std::string> path = url::UnescapePath(exchange.request().path());
    const PathHandler* const handler = path.ok() ? FindHandler(*path) : nullptr;
    if (handler == nullptr) return ShowMetrics(exchange);
    exchange.Respond(handler->handle(exchange.request()));
  }

  // Returns false if the path does not exist.
  bool Ask(const std::shared_ptr<Exchange>& exchange, absl::string_view path) {
    if (!absl::ConsumePrefix(&path, "/")) return false;
    for (Endpoint& endpoint : endpoints_) {
      absl::string_view rest = path;
      if (!absl::ConsumePrefix(&rest, endpoint.name())) continue;
      if (rest.empty()) {
        endpoint.AskAll(exchange);
        return true;
      }
      if (absl::ConsumePrefix(&rest, "/") && endpoint.AskOne(exchange, rest)) return true;
    }
    return false;
  }

  void ShowMetrics(Exchange& exchange) const {
    Response response = {.body = metrics_->Render()};
    response.headers.Set("content-type", base::PrometheusRegistry::kContentType);
    exchange.Respond(std::move(response));
  }

  const std::shared_ptr<const base::PrometheusRegistry> metrics_;
  const std::vector<PathHandler> handlers_;
  const AccessCheck access_;
  const std::vector<std::string> guarded_paths_;
  std::vector<Endpoint> endpoints_;
  CancelScope stopping_ = WithCancel(Context());  // before gate_, whose threads use it
  httpserver::ThreadPoolHandler pages_;
  httpserver::ThreadPoolHandler gate_;  // after what it hands requests to
  // Declared last: it uses everything above.
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
