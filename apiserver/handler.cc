#include "apiserver/handler.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/timer.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/impersonate.h"
#include "apiserver/auth/websocket_token.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/core.h"
#include "apiserver/cluster/bootstrap.h"
#include "apiserver/cluster/cluster_objects.h"
#include "apiserver/container.h"
#include "apiserver/containers/container_table.h"
#include "apiserver/containers/log_session.h"
#include "apiserver/containers/pod_logs.h"
#include "apiserver/discovery/server_metrics.h"
#include "apiserver/encoding/output.h"
#include "apiserver/faults/fault_layer.h"
#include "apiserver/faults/faulty_exchange.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/server_address.h"
#include "apiserver/storage.h"
#include "apiserver/streaming/sessions.h"
#include "apiserver/user.h"
#include "apiserver/verbs/dispatch.h"
#include "apiserver/watch/watch_session.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver {

using apiserver::internal::FaultyExchange;
using httpserver::Exchange;
using httpserver::Response;

namespace {

// The server's address. Thread-safe.
class KnownAddress {
 public:
  ServerAddress Get() const {
    base::MutexLock lock(mutex_);
    return address_;
  }
  void Set(ServerAddress address) {
    base::MutexLock lock(mutex_);
    address_ = std::move(address);
  }

 private:
  mutable base::Mutex mutex_;
  ServerAddress address_ ABSL_GUARDED_BY(mutex_);
};

ContainerName NameOf(absl::string_view namespace_name, absl::string_view pod,
                     absl::string_view container) {
  return {.namespace_name = std::string(namespace_name),
          .pod = std::string(pod),
          .container = std::string(container)};
}

}  // namespace

// The state of a handler. Timers and callbacks that may run after the handler is destroyed hold it
// weakly.
struct ApiHandler::Impl : apiserver::internal::FaultHost, std::enable_shared_from_this<Impl> {
  explicit Impl(HandlerOptions handler_options)
      : options(std::move(handler_options)),
        open_sessions(options.max_sessions),
        core(MakeCore()),
        tokens(options.tokens),
        deny(options.deny) {}

  // A read that waits until its revision is reached.
  struct Waiting {
    std::shared_ptr<void> reached;
    base::Timer timer;
  };

  // ---- FaultHost
  apiserver::internal::FaultSubject Describe(const httpserver::Request& request) override;
  Response ErrorAnswer(const httpserver::Request& request, const absl::Status& error) override;
  void Serve(std::shared_ptr<FaultyExchange> exchange) override {
    Serve(std::move(exchange), /*has_waited=*/false);
  }
  void LogUnserved(FaultyExchange& exchange, absl::string_view faults, int code) override;
  void WakeWatches() override;

  // Makes a core with a new cluster.
  std::shared_ptr<apiserver::internal::Core> MakeCore();
  std::shared_ptr<apiserver::internal::Core> Core() const;
  // Removes all watches, followed logs and waiting reads, and returns them.
  struct Ended;
  Ended EndAll();
  void Serve(std::shared_ptr<FaultyExchange> exchange, bool has_waited);
  absl::StatusOr<User> Authenticate(const httpserver::Request& request);
  // Returns the user that the request acts as: the client, or the user it impersonates.
  absl::StatusOr<User> UserOf(const httpserver::Request& request, const RequestInfo& info);
  std::optional<User> UserOfToken(absl::string_view token);
  std::vector<DenyRule> Rules();
  void Log(const httpserver::Request& request, const RequestInfo& info, absl::string_view user,
           absl::string_view faults, int code);
  void StartWatch(const std::shared_ptr<apiserver::internal::Core>& the_core,
                  std::shared_ptr<FaultyExchange> exchange,
                  std::unique_ptr<apiserver::internal::WatchStream> watch);
  void FollowLog(std::shared_ptr<apiserver::internal::Core> the_core,
                 std::shared_ptr<FaultyExchange> exchange,
                 std::unique_ptr<apiserver::internal::FollowedLog> followed);
  void StartSession(std::shared_ptr<FaultyExchange> exchange, const RequestInfo& info,
                    apiserver::internal::Upgrade upgrade);
  void Wait(apiserver::internal::Core& the_core, std::shared_ptr<FaultyExchange> exchange,
            int64_t revision);
  void Resume(const std::shared_ptr<FaultyExchange>& exchange, int64_t id);
  // Ends the watches of resources that are no longer served, or that have changed.
  void EndStaleWatches(const Resources& resources);

  const HandlerOptions options;
  // Shared with the storages, which may outlive this.
  const std::shared_ptr<KnownAddress> address = std::make_shared<KnownAddress>();
  // Shared with all cores.
  const std::shared_ptr<apiserver::internal::ContainerTable> containers =
      std::make_shared<apiserver::internal::ContainerTable>();
  apiserver::internal::ServerMetrics metrics;
  apiserver::internal::Sessions open_sessions;

  mutable base::Mutex mutex;
  // Replaced by Restart. Code that works on a core holds a reference to it.
  std::shared_ptr<apiserver::internal::Core> core ABSL_GUARDED_BY(mutex);
  std::map<std::string, User> tokens ABSL_GUARDED_BY(mutex);
  std::vector<DenyRule> deny ABSL_GUARDED_BY(mutex);
  std::deque<LoggedRequest> requests ABSL_GUARDED_BY(mutex);
  int64_t next_id ABSL_GUARDED_BY(mutex) = 1;
  std::map<int64_t, std::shared_ptr<apiserver::internal::WatchSession>> watches
      ABSL_GUARDED_BY(mutex);
  std::map<int64_t, std::shared_ptr<apiserver::internal::LogSession>> followed_logs
      ABSL_GUARDED_BY(mutex);
  std::map<int64_t, std::shared_ptr<Waiting>> waiting ABSL_GUARDED_BY(mutex);
};

absl::StatusOr<User> ApiHandler::Impl::UserOf(const httpserver::Request& request,
                                              const RequestInfo& info) {
  KUBE_ASSIGN_OR_RETURN(User user, Authenticate(request));
  KUBE_ASSIGN_OR_RETURN(const std::optional<User> wanted,
                        apiserver::internal::WantedUser(request.headers));
  if (!wanted.has_value()) return user;
  const std::vector<DenyRule> rules = Rules();
  return apiserver::internal::Impersonated(user, *wanted, info, [&](const RequestInfo& asks) {
    return apiserver::internal::Authorize(user, asks, options.anonymous, rules);
  });
}

std::optional<User> ApiHandler::Impl::UserOfToken(absl::string_view token) {
  base::MutexLock lock(mutex);
  auto it = tokens.find(std::string(token));
  if (it == tokens.end()) return std::nullopt;
  return apiserver::internal::Authenticated(it->second);
}

std::vector<DenyRule> ApiHandler::Impl::Rules() {
  base::MutexLock lock(mutex);
  return deny;
}

absl::StatusOr<User> ApiHandler::Impl::Authenticate(const httpserver::Request& request) {
  const absl::string_view header = request.headers.Get("authorization").value_or("");
  if (absl::StartsWithIgnoreCase(header, "bearer ")) {
    std::optional<User> user = UserOfToken(absl::StripAsciiWhitespace(header.substr(7)));
    if (!user.has_value()) return errors::Unauthorized("Unauthorized");
    return *std::move(user);
  }
  const absl::StatusOr<std::optional<std::string>> token =
      apiserver::internal::WebSocketToken(request.headers);
  if (!token.ok()) return errors::Unauthorized("Unauthorized");
  if (token->has_value()) {
    std::optional<User> user = UserOfToken(**token);
    if (!user.has_value()) return errors::Unauthorized("Unauthorized");
    return *std::move(user);
  }
  if (request.client_certificate.has_value()) {
    return apiserver::internal::Authenticated(
        {.name = request.client_certificate->common_name,
         .uid = "",
         .groups = request.client_certificate->organizations});
  }
  if (options.anonymous == Anonymous::kNone) return errors::Unauthorized("Unauthorized");
  return User{.name = "system:anonymous", .uid = "", .groups = {"system:unauthenticated"}};
}

void ApiHandler::Impl::Log(const httpserver::Request& request, const RequestInfo& info,
                           absl::string_view user, absl::string_view faults, int code) {
  LoggedRequest entry{.method = request.method,
                      .target = request.target,
                      .verb = info.verb,
                      .group = info.group,
                      .version = info.version,
                      .resource = info.resource,
                      .subresource = info.subresource,
                      .namespace_name = info.namespace_name,
                      .name = info.name,
                      .user = std::string(user)};
  entry.user_agent = std::string(request.headers.Get("user-agent").value_or(""));
  entry.content_type = std::string(request.headers.Get("content-type").value_or(""));
  entry.accept = std::string(request.headers.Get("accept").value_or(""));
  entry.code = code;
  entry.fault = std::string(faults);
  base::MutexLock lock(mutex);
  requests.push_back(std::move(entry));
  if (requests.size() > options.max_logged_requests) requests.pop_front();
}

void ApiHandler::Impl::Serve(std::shared_ptr<FaultyExchange> exchange, bool has_waited) {
  const base::MonotonicTime begin = base::Now();
  const httpserver::Request& request = exchange->request();
  const absl::StatusOr<RequestInfo> info = ParseRequestInfo(request.method, request.target);
  absl::StatusOr<User> user = UserOf(request, info.ok() ? *info : RequestInfo());
  // Errors before the request is authorized ignore the Accept header and are indented for people.
  const apiserver::internal::Output pretty{.pretty = true};
  const auto respond = [&](Response response) {
    Log(request, info.ok() ? *info : RequestInfo(), user.ok() ? user->name : "",
        exchange->plan().names, response.status);
    exchange->Respond(std::move(response));
  };
  if (!info.ok()) {
    return respond(
        apiserver::internal::ErrorResponse(errors::BadRequest(info.status().message()), pretty));
  }
  if (!user.ok()) return respond(apiserver::internal::ErrorResponse(user.status(), pretty));
  const absl::Status allowed =
      apiserver::internal::Authorize(*user, *info, options.anonymous, Rules());
  if (!allowed.ok()) return respond(apiserver::internal::ErrorResponse(allowed, pretty));

  const std::shared_ptr<apiserver::internal::Core> the_core = Core();
  if (info->path == "/metrics" && info->verb == "get") {
    Response text;
    text.status = 200;
    text.headers.Set("content-type", base::PrometheusRegistry::kContentType);
    text.body = metrics.Render(the_core->storage, *the_core->resources.Get());
    return respond(std::move(text));
  }
  apiserver::internal::Answer answer =
      apiserver::internal::Dispatch(*the_core, request, *info, *user, has_waited, exchange.get());
  const auto observe = [&](int code) {
    metrics.Observe(request, *info, *the_core->resources.Get(), code, base::Now() - begin);
  };
  if (auto* response = std::get_if<Response>(&answer)) {
    observe(response->status);
    return respond(std::move(*response));
  }
  if (auto* not_yet = std::get_if<apiserver::internal::NotYet>(&answer)) {
    return Wait(*the_core, std::move(exchange), not_yet->revision);
  }
  if (auto* upgrade = std::get_if<apiserver::internal::Upgrade>(&answer)) {
    if (open_sessions.full()) {
      return respond(apiserver::internal::ErrorResponse(
          errors::TooManyRequests("too many sessions are open", absl::Seconds(1)), pretty));
    }
    observe(101);
    Log(request, *info, user->name, exchange->plan().names, 101);
    return StartSession(std::move(exchange), *info, std::move(*upgrade));
  }
  observe(200);
  Log(request, *info, user->name, exchange->plan().names, 200);
  using FollowedLogPtr = std::unique_ptr<apiserver::internal::FollowedLog>;
  if (auto* followed = std::get_if<FollowedLogPtr>(&answer)) {
    return FollowLog(the_core, std::move(exchange), std::move(*followed));
  }
  StartWatch(the_core, std::move(exchange),
             std::move(std::get<std::unique_ptr<apiserver::internal::WatchStream>>(answer)));
}

void ApiHandler::Impl::StartWatch(const std::shared_ptr<apiserver::internal::Core>& the_core,
                                  std::shared_ptr<FaultyExchange> exchange,
                                  std::unique_ptr<apiserver::internal::WatchStream> watch) {
  auto session = std::make_shared<apiserver::internal::WatchSession>(
      std::shared_ptr<Storage>(the_core, &the_core->storage), std::move(watch), std::move(exchange),
      options.bookmark_interval);
  int64_t id = 0;
  {
    base::MutexLock lock(mutex);
    id = next_id++;
    watches.emplace(id, session);
  }
  session->Start([weak = weak_from_this(), id] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    std::shared_ptr<apiserver::internal::WatchSession> over;
    base::MutexLock lock(self->mutex);
    auto it = self->watches.find(id);
    if (it == self->watches.end()) return;
    // Destroyed after the lock is released, because its destructor waits for callbacks.
    over = std::move(it->second);
    self->watches.erase(it);
  });
  // The resources may have changed before the watch was registered.
  session->EndUnlessOf(*the_core->resources.Get());
}

void ApiHandler::Impl::FollowLog(std::shared_ptr<apiserver::internal::Core> the_core,
                                 std::shared_ptr<FaultyExchange> exchange,
                                 std::unique_ptr<apiserver::internal::FollowedLog> followed) {
  followed->owner = std::move(the_core);
  auto session =
      std::make_shared<apiserver::internal::LogSession>(std::move(*followed), std::move(exchange));
  int64_t id = 0;
  {
    base::MutexLock lock(mutex);
    id = next_id++;
    followed_logs.emplace(id, session);
  }
  session->Start([weak = weak_from_this(), id] {
    const auto self = weak.lock();
    if (self == nullptr) return;
    std::shared_ptr<apiserver::internal::LogSession> over;
    base::MutexLock lock(self->mutex);
    auto it = self->followed_logs.find(id);
    if (it == self->followed_logs.end()) return;
    // Destroyed after the lock is released, because its destructor waits for callbacks.
    over = std::move(it->second);
    self->followed_logs.erase(it);
  });
}

void ApiHandler::Impl::StartSession(std::shared_ptr<FaultyExchange> exchange,
                                    const RequestInfo& info, apiserver::internal::Upgrade upgrade) {
  absl::StatusOr<std::unique_ptr<io::DuplexStream>> connection =
      exchange->SwitchProtocols(std::move(upgrade.headers));
  if (!connection.ok()) {
    // The client has gone, unless a fault has answered it.
    return exchange->Abort();
  }
  const absl::Status started = open_sessions.Start(
      exchange->context(), absl::StrCat(info.subresource, " ", info.namespace_name, "/", info.name),
      [serve = std::move(upgrade.serve), stream = *std::move(connection)](
          const Context& ctx) mutable { serve(ctx, std::move(stream)); });
  if (!started.ok()) log::Error(started, "cannot start a session");
}

void ApiHandler::Impl::EndStaleWatches(const Resources& resources) {
  std::vector<std::shared_ptr<apiserver::internal::WatchSession>> sessions;
  {
    base::MutexLock lock(mutex);
    for (const auto& [id, session] : watches) sessions.push_back(session);
  }
  for (const auto& session : sessions) session->EndUnlessOf(resources);
}

void ApiHandler::Impl::Wait(apiserver::internal::Core& the_core,
                            std::shared_ptr<FaultyExchange> exchange, int64_t revision) {
  auto entry = std::make_shared<Waiting>();
  int64_t id = 0;
  {
    base::MutexLock lock(mutex);
    id = next_id++;
    waiting.emplace(id, entry);
  }
  const auto resume = [weak = weak_from_this(), exchange, id] {
    if (const auto self = weak.lock()) self->Resume(exchange, id);
  };
  entry->timer.Start(options.fresh_timeout, resume);
  std::shared_ptr<void> reached = the_core.storage.AtRevision(revision, resume);
  base::MutexLock lock(mutex);
  if (waiting.count(id) != 0) entry->reached = std::move(reached);
}

void ApiHandler::Impl::Resume(const std::shared_ptr<FaultyExchange>& exchange, int64_t id) {
  std::shared_ptr<Waiting> entry;
  {
    base::MutexLock lock(mutex);
    auto it = waiting.find(id);
    // The timer and the revision race: the other one came first.
    if (it == waiting.end()) return;
    entry = std::move(it->second);
    waiting.erase(it);
  }
  if (!exchange->context().done()) Serve(exchange, /*has_waited=*/true);
}

std::shared_ptr<apiserver::internal::Core> ApiHandler::Impl::MakeCore() {
  auto made = std::make_shared<apiserver::internal::Core>(
      options.storage, options.tables == nullptr ? printers::PlainTables() : *options.tables);
  made->managed_fields = options.managed_fields;
  made->containers = containers;
  made->find_user = [this](absl::string_view token) { return UserOfToken(token); };
  made->allows = [this](const User& user, const RequestInfo& info) {
    return apiserver::internal::Authorize(user, info, options.anonymous, Rules()).ok();
  };
  made->registry.collector().set_enabled(options.controllers);
  made->definitions.set_changed(
      [this, the_core = made.get()] { EndStaleWatches(*the_core->resources.Get()); });
  apiserver::internal::Bootstrap(made->registry, *made->resources.Get());
  if (options.cluster_objects) {
    apiserver::internal::CreateClusterObjects(made->storage, *made->resources.Get(),
                                              base::WallNow(),
                                              [address = address] { return address->Get(); });
  }
  return made;
}

std::shared_ptr<apiserver::internal::Core> ApiHandler::Impl::Core() const {
  base::MutexLock lock(mutex);
  return core;
}

// Must be destroyed without the lock, because destructors wait for callbacks.
struct ApiHandler::Impl::Ended {
  std::map<int64_t, std::shared_ptr<apiserver::internal::WatchSession>> watches;
  std::map<int64_t, std::shared_ptr<apiserver::internal::LogSession>> followed_logs;
  std::map<int64_t, std::shared_ptr<Waiting>> waiting;
};

ApiHandler::Impl::Ended ApiHandler::Impl::EndAll() {
  Ended ended;
  base::MutexLock lock(mutex);
  ended.watches.swap(watches);
  ended.followed_logs.swap(followed_logs);
  ended.waiting.swap(waiting);
  return ended;
}

apiserver::internal::FaultSubject ApiHandler::Impl::Describe(const httpserver::Request& request) {
  apiserver::internal::FaultSubject subject;
  absl::StatusOr<RequestInfo> info = ParseRequestInfo(request.method, request.target);
  if (info.ok()) subject.info = *std::move(info);
  absl::StatusOr<User> user = UserOf(request, subject.info);
  if (user.ok()) subject.user = std::move(user->name);
  subject.user_agent = std::string(request.headers.Get("user-agent").value_or(""));
  return subject;
}

Response ApiHandler::Impl::ErrorAnswer(const httpserver::Request& request,
                                       const absl::Status& error) {
  const absl::StatusOr<apiserver::internal::Output> output =
      apiserver::internal::NegotiateOutput(request, apiserver::internal::Transforms::kNone);
  return apiserver::internal::ErrorResponse(error,
                                            output.ok() ? *output : apiserver::internal::Output());
}

void ApiHandler::Impl::LogUnserved(FaultyExchange& exchange, absl::string_view faults, int code) {
  const apiserver::internal::FaultSubject& subject = exchange.Subject();
  Log(exchange.request(), subject.info, subject.user, faults, code);
}

void ApiHandler::Impl::WakeWatches() {
  std::vector<std::shared_ptr<apiserver::internal::WatchSession>> sessions;
  {
    base::MutexLock lock(mutex);
    for (const auto& [id, session] : watches) sessions.push_back(session);
  }
  for (const auto& session : sessions) session->Pump();
}

ApiHandler::ApiHandler(HandlerOptions options)
    : impl_(std::make_shared<Impl>(std::move(options))),
      layer_(std::make_shared<apiserver::internal::FaultLayer>(impl_)) {
  for (const FaultRule& rule : impl_->options.faults) layer_->Add(rule);
}

ApiHandler::~ApiHandler() {
  layer_->Close();
  impl_->EndAll();
  impl_->open_sessions.EndAll();
}

void ApiHandler::Handle(std::shared_ptr<Exchange> exchange) { layer_->Handle(std::move(exchange)); }

void ApiHandler::Restart(const RestartOptions& options) {
  if (!options.keep_data) {
    std::shared_ptr<apiserver::internal::Core> made = impl_->MakeCore();
    base::MutexLock lock(impl_->mutex);
    impl_->core.swap(made);
  }
  layer_->BreakConnections();
  impl_->EndAll();
  impl_->open_sessions.EndAll();
}

int64_t ApiHandler::revision() const { return impl_->Core()->storage.revision(); }

void ApiHandler::Compact() {
  const std::shared_ptr<apiserver::internal::Core> core = impl_->Core();
  core->storage.Compact(core->storage.revision());
}

std::vector<LoggedRequest> ApiHandler::Requests() const {
  base::MutexLock lock(impl_->mutex);
  return {impl_->requests.begin(), impl_->requests.end()};
}

void ApiHandler::ClearRequests() {
  base::MutexLock lock(impl_->mutex);
  impl_->requests.clear();
}

void ApiHandler::SetDenyRules(std::vector<DenyRule> rules) {
  base::MutexLock lock(impl_->mutex);
  impl_->deny = std::move(rules);
}

void ApiHandler::SetAddress(ServerAddress address) { impl_->address->Set(std::move(address)); }

void ApiHandler::AddToken(absl::string_view token, User user) {
  base::MutexLock lock(impl_->mutex);
  impl_->tokens[std::string(token)] = std::move(user);
}

void ApiHandler::SetContainer(absl::string_view namespace_name, absl::string_view pod,
                              absl::string_view container, Container provided) {
  impl_->containers->Set(NameOf(namespace_name, pod, container), std::move(provided));
}

void ApiHandler::SetContainers(std::function<std::optional<Container>(const ContainerName&)> find) {
  impl_->containers->SetFinder(std::move(find));
}

void ApiHandler::SetPodLog(absl::string_view namespace_name, absl::string_view pod,
                           absl::string_view container, absl::string_view text) {
  impl_->Core()->logs->Set(NameOf(namespace_name, pod, container), text, base::WallNow());
}

void ApiHandler::AppendPodLog(absl::string_view namespace_name, absl::string_view pod,
                              absl::string_view container, absl::string_view text) {
  impl_->Core()->logs->Append(NameOf(namespace_name, pod, container), text, base::WallNow());
}

void ApiHandler::EndPodLog(absl::string_view namespace_name, absl::string_view pod,
                           absl::string_view container) {
  impl_->Core()->logs->End(NameOf(namespace_name, pod, container));
}

void ApiHandler::RestartPodLog(absl::string_view namespace_name, absl::string_view pod,
                               absl::string_view container) {
  impl_->Core()->logs->Restart(NameOf(namespace_name, pod, container));
}

size_t ApiHandler::watches() const {
  base::MutexLock lock(impl_->mutex);
  return impl_->watches.size();
}

size_t ApiHandler::sessions() const { return impl_->open_sessions.size(); }

}  // namespace kube::apiserver
