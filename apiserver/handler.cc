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
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/timer.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/auth/access_control.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/rbac_policy_cache.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/controller_admission.h"
#include "apiserver/call/core.h"
#include "apiserver/call/request_admission.h"
#include "apiserver/cluster/bootstrap.h"
#include "apiserver/cluster/cluster_objects.h"
#include "apiserver/container.h"
#include "apiserver/containers/container_table.h"
#include "apiserver/containers/log_session.h"
#include "apiserver/containers/pod_logs.h"
#include "apiserver/custom_kind.h"
#include "apiserver/discovery/server_metrics.h"
#include "apiserver/encoding/output.h"
#include "apiserver/faults/fault_layer.h"
#include "apiserver/faults/faulty_exchange.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/registry/collector.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/server_address.h"
#include "apiserver/storage.h"
#include "apiserver/streaming/sessions.h"
#include "apiserver/tokens/account_tokens.h"
#include "apiserver/tokens/token_secrets.h"
#include "apiserver/user.h"
#include "apiserver/verbs/dispatch.h"
#include "apiserver/watch/watch_session.h"
#include "apiserver/webhook.h"
#include "apiserver/webhooks/conversion_webhook.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "apiserver/webhooks/webhook_caller.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver {

using apiserver::internal::FaultyExchange;
using httpserver::Exchange;
using httpserver::Response;

namespace {

// How long a request that webhooks are asked about may take (kube-apiserver:
// `requestTimeoutUpperBound`).
constexpr absl::Duration kRequestTimeout = absl::Seconds(34);

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

bool IsWrite(const RequestInfo& info) {
  return info.is_resource_request && info.verb != "get" && info.verb != "list" &&
         info.verb != "watch";
}

// Returns whether a request is about objects that a webhook converts.
bool MayConvert(const RequestInfo& info, const Resources& resources) {
  if (!info.is_resource_request) return false;
  const Resource* const resource = resources.Find(info.group, info.version, info.resource);
  return resource != nullptr && resource->custom != nullptr &&
         resource->custom->converter() != nullptr;
}

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
        webhook_requests(options.max_webhook_requests, absl::Seconds(30), "an admission webhook"),
        access(apiserver::internal::AccessControl::Parts{.anonymous = options.anonymous,
                                                         .tokens = options.tokens,
                                                         .deny = options.deny,
                                                         .account_tokens = account_tokens}),
        core(MakeCore()) {}

  // A read that waits until its revision is reached.
  struct Waiting {
    std::shared_ptr<void> reached;
    base::Timer timer;
  };

  // A request that its user may send.
  struct Incoming {
    std::shared_ptr<FaultyExchange> exchange;
    RequestInfo info;
    User user;
    // Why the user may send it.
    apiserver::internal::Decision decision;
    std::shared_ptr<apiserver::internal::Core> core;
    bool has_waited;
    // Whether it has a thread of its own.
    bool may_block;
    base::MonotonicTime begin;
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
  void SetUpControllers(apiserver::internal::Core& made);
  std::shared_ptr<apiserver::internal::Core> Core() const;
  // Removes all watches, followed logs and waiting reads, and returns them.
  struct Ended;
  Ended EndAll();
  void Serve(std::shared_ptr<FaultyExchange> exchange, bool has_waited);
  // Serves a request that webhooks or policies could be asked about, also by what it leads to, or
  // whose objects webhooks convert, on a thread of its own: they take their time, and may send
  // requests to this server, which the calling thread has to serve. `plugins` is empty if they are
  // not asked about the request itself.
  void FinishOnThread(Incoming incoming, apiserver::internal::AdmissionPlugins plugins);
  // Serves a request. `admission` is null if neither webhooks nor policies are asked.
  void Finish(Incoming incoming, apiserver::internal::WebhookAdmission* admission);
  apiserver::internal::Requester RequesterOf(const apiserver::internal::Core& the_core,
                                             const httpserver::Request& request,
                                             const RequestInfo& info) const {
    return access.RequesterOf(the_core.storage, the_core.policies.get(), request, info);
  }
  // `decision` is null if none was made.
  void Log(const httpserver::Request& request, const RequestInfo& info, absl::string_view user,
           const apiserver::internal::Decision* decision, absl::string_view faults, int code,
           std::vector<CalledWebhook> webhooks = {});
  void StartWatch(const std::shared_ptr<apiserver::internal::Core>& the_core,
                  std::shared_ptr<FaultyExchange> exchange,
                  std::unique_ptr<apiserver::internal::WatchStream> watch);
  // Returns what starts the threads of watches whose objects a webhook converts.
  std::function<absl::Status(std::function<void()>)> ThreadStarter();
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
  const std::shared_ptr<apiserver::internal::AccountTokens> account_tokens =
      std::make_shared<apiserver::internal::AccountTokens>();
  const std::shared_ptr<apiserver::internal::WebhookCaller> webhook_caller =
      std::make_shared<apiserver::internal::WebhookCaller>();
  const std::shared_ptr<apiserver::internal::WebhookScope> webhook_scope =
      std::make_shared<apiserver::internal::WebhookScope>();
  apiserver::internal::ServerMetrics metrics;
  apiserver::internal::Sessions open_sessions;
  // The threads of FinishOnThread, and of watches whose objects a webhook converts.
  apiserver::internal::Sessions webhook_requests;

  apiserver::internal::AccessControl access;

  mutable base::Mutex mutex;
  // Replaced by Restart. Code that works on a core holds a reference to it.
  std::shared_ptr<apiserver::internal::Core> core ABSL_GUARDED_BY(mutex);
  std::deque<LoggedRequest> requests ABSL_GUARDED_BY(mutex);
  int64_t next_id ABSL_GUARDED_BY(mutex) = 1;
  std::map<int64_t, std::shared_ptr<apiserver::internal::WatchSession>> watches
      ABSL_GUARDED_BY(mutex);
  std::map<int64_t, std::shared_ptr<apiserver::internal::LogSession>> followed_logs
      ABSL_GUARDED_BY(mutex);
  std::map<int64_t, std::shared_ptr<Waiting>> waiting ABSL_GUARDED_BY(mutex);
};

void ApiHandler::Impl::Log(const httpserver::Request& request, const RequestInfo& info,
                           absl::string_view user, const apiserver::internal::Decision* decision,
                           absl::string_view faults, int code,
                           std::vector<CalledWebhook> webhooks) {
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
  entry.webhooks = std::move(webhooks);
  if (decision != nullptr) {
    entry.decision = decision->allowed ? "allow" : "forbid";
    entry.reason = decision->rule.empty() ? decision->reason : decision->rule;
  }
  base::MutexLock lock(mutex);
  requests.push_back(std::move(entry));
  if (requests.size() > options.max_logged_requests) requests.pop_front();
}

void ApiHandler::Impl::Serve(std::shared_ptr<FaultyExchange> exchange, bool has_waited) {
  const base::MonotonicTime begin = base::Now();
  const httpserver::Request& request = exchange->request();
  absl::StatusOr<RequestInfo> info = ParseRequestInfo(request.method, request.target);
  const std::shared_ptr<apiserver::internal::Core> the_core = Core();
  apiserver::internal::Requester requester =
      RequesterOf(*the_core, request, info.ok() ? *info : RequestInfo());
  absl::StatusOr<User>& user = requester.user;
  apiserver::internal::Decision decision = std::move(requester.impersonates);
  bool decided = !decision.allowed;
  // Errors before the request is authorized ignore the Accept header and are indented for people.
  const apiserver::internal::Output pretty{.pretty = true};
  const auto respond = [&](Response response) {
    Log(request, info.ok() ? *info : RequestInfo(), user.ok() ? user->name : "",
        decided ? &decision : nullptr, exchange->plan().names, response.status);
    exchange->Respond(std::move(response));
  };
  if (!info.ok()) {
    return respond(
        apiserver::internal::ErrorResponse(errors::BadRequest(info.status().message()), pretty));
  }
  if (!user.ok()) return respond(apiserver::internal::ErrorResponse(user.status(), pretty));
  decision = access.Decide(*user, *info, the_core->policies.get());
  decided = true;
  if (!decision.allowed) {
    return respond(apiserver::internal::ErrorResponse(
        apiserver::internal::ForbiddenTo(*user, *info, decision.reason), pretty));
  }

  if (info->path == "/metrics" && info->verb == "get") {
    Response text;
    text.status = 200;
    text.headers.Set("content-type", base::PrometheusRegistry::kContentType);
    text.body = metrics.Render(the_core->storage, *the_core->resources.Get());
    return respond(std::move(text));
  }
  const std::shared_ptr<const Resources> resources = the_core->resources.Get();
  apiserver::internal::AdmissionPlugins plugins =
      apiserver::internal::PluginsFor(*the_core, *info, *resources);
  const bool on_thread = !plugins.empty() || MayConvert(*info, *resources) ||
                         (IsWrite(*info) && the_core->webhooks.HearsOfDeletions());
  Incoming incoming{.exchange = std::move(exchange),
                    .info = *std::move(info),
                    .user = *std::move(user),
                    .decision = std::move(decision),
                    .core = the_core,
                    .has_waited = has_waited,
                    .may_block = on_thread,
                    .begin = begin};
  if (!on_thread) return Finish(std::move(incoming), /*admission=*/nullptr);
  FinishOnThread(std::move(incoming), std::move(plugins));
}

void ApiHandler::Impl::FinishOnThread(Incoming incoming,
                                      apiserver::internal::AdmissionPlugins plugins) {
  const std::shared_ptr<FaultyExchange> exchange = incoming.exchange;
  const RequestInfo info = incoming.info;
  const std::string user = incoming.user.name;
  const apiserver::internal::Decision decision = incoming.decision;
  const absl::Status started = webhook_requests.Start(
      exchange->context(), absl::StrCat(info.verb, " ", info.path),
      [this, incoming = std::move(incoming),
       plugins = std::move(plugins)](const Context& ctx) mutable {
        const std::shared_ptr<apiserver::internal::Core> the_core = incoming.core;
        if (plugins.empty()) return Finish(std::move(incoming), /*admission=*/nullptr);
        // As upstream, the deletion of a collection may take longer.
        const bool limited = incoming.info.verb != "deletecollection";
        const std::unique_ptr<apiserver::internal::WebhookAdmission> admission =
            apiserver::internal::MakeAdmission(limited ? WithTimeout(ctx, kRequestTimeout) : ctx,
                                               *the_core, std::move(plugins));
        Finish(std::move(incoming), admission.get());
      });
  if (started.ok()) return;
  Response response = apiserver::internal::ErrorResponse(
      errors::TooManyRequests("too many requests wait for webhooks", absl::Seconds(1)),
      apiserver::internal::Output{.pretty = true});
  Log(exchange->request(), info, user, &decision, exchange->plan().names, response.status);
  exchange->Respond(std::move(response));
}

void ApiHandler::Impl::Finish(Incoming incoming, apiserver::internal::WebhookAdmission* admission) {
  std::shared_ptr<FaultyExchange> exchange = std::move(incoming.exchange);
  const std::shared_ptr<apiserver::internal::Core> the_core = std::move(incoming.core);
  const httpserver::Request& request = exchange->request();
  const RequestInfo& info = incoming.info;
  apiserver::internal::Answer answer =
      apiserver::internal::Dispatch(*the_core, request, info, incoming.user, incoming.has_waited,
                                    exchange.get(), admission, incoming.may_block);
  const auto log = [&](int code) {
    Log(request, info, incoming.user.name, &incoming.decision, exchange->plan().names, code,
        admission == nullptr ? std::vector<CalledWebhook>() : admission->calls());
  };
  const auto observe = [&](int code) {
    metrics.Observe(request, info, *the_core->resources.Get(), code, base::Now() - incoming.begin);
  };
  const auto respond = [&](Response response) {
    log(response.status);
    exchange->Respond(std::move(response));
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
          errors::TooManyRequests("too many sessions are open", absl::Seconds(1)),
          apiserver::internal::Output{.pretty = true}));
    }
    observe(101);
    log(101);
    return StartSession(std::move(exchange), info, std::move(*upgrade));
  }
  observe(200);
  log(200);
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
  const Resource& watched = *watch->parameters().resource;
  const bool converts = watched.custom != nullptr && watched.custom->converter() != nullptr;
  auto session = std::make_shared<apiserver::internal::WatchSession>(
      std::shared_ptr<Storage>(the_core, &the_core->storage), std::move(watch), std::move(exchange),
      apiserver::internal::WatchSessionOptions{
          .bookmark_interval = options.bookmark_interval,
          .start_thread = converts ? ThreadStarter() : nullptr});
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

std::function<absl::Status(std::function<void()>)> ApiHandler::Impl::ThreadStarter() {
  return [weak = weak_from_this()](std::function<void()> body) {
    const auto self = weak.lock();
    if (self == nullptr) return absl::CancelledError("the server ends");
    return self->webhook_requests.Start(
        Context(), "watch", [body = std::move(body)](const Context& /*ctx*/) { body(); });
  };
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

void ApiHandler::Impl::SetUpControllers(apiserver::internal::Core& made) {
  made.registry.collector().set_enabled(options.controllers);
  made.registry.aggregator().set_enabled(options.controllers);
  made.definitions.set_make_converter(
      [caller = webhook_caller,
       scope = webhook_scope](const api::apiextensions::v1::CustomResourceDefinition& definition) {
        return apiserver::internal::ConversionWebhook::Make(definition, caller, scope);
      });
  if (!options.controllers) return;
  made.registry.collector().set_admit_deletion(
      [the_core = &made,
       scope = webhook_scope](const apiserver::internal::ControllerDeletion& deletion) {
        return apiserver::internal::AdmissionOf(*the_core, deletion,
                                                WithTimeout(scope->context(), kRequestTimeout));
      });
  made.token_secrets =
      std::make_unique<apiserver::internal::TokenSecrets>(apiserver::internal::TokenSecrets::Parts{
          .registry = &made.registry,
          .resources = &made.resources,
          .tokens = account_tokens,
          .root_ca = [known = address] { return known->Get().server_ca; }});
}

std::shared_ptr<apiserver::internal::Core> ApiHandler::Impl::MakeCore() {
  auto made = std::make_shared<apiserver::internal::Core>(
      options.storage, options.tables == nullptr ? printers::PlainTables() : *options.tables);
  made->managed_fields = options.managed_fields;
  made->containers = containers;
  made->account_tokens = account_tokens;
  made->webhook_caller = webhook_caller;
  made->address = [known = address] { return known->Get(); };
  made->check_token = [this, the_core = made.get()](absl::string_view token,
                                                    const std::vector<std::string>& audiences) {
    return access.CheckToken(the_core->storage, token, audiences);
  };
  if (options.authorization == Authorization::kRbac) {
    made->policies = std::make_unique<apiserver::internal::RbacPolicyCache>(made->storage);
  }
  made->authorize = [this, the_core = made.get()](const User& user, const RequestInfo& info) {
    return access.Decide(user, info, the_core->policies.get());
  };
  SetUpControllers(*made);
  made->registry.set_account_admission(options.service_account_admission);
  made->definitions.set_changed(
      [this, the_core = made.get()] { EndStaleWatches(*the_core->resources.Get()); });
  apiserver::internal::Bootstrap(made->registry, *made->resources.Get());
  if (options.cluster_objects) {
    apiserver::internal::CreateClusterObjects(
        made->storage, *made->resources.Get(),
        {.created = base::WallNow(), .address = made->address, .controllers = options.controllers});
    // After the first namespaces were created, which have theirs.
    if (options.controllers) {
      made->registry.collector().KeepNamespaceObjects(
          [known = address] { return known->Get().server_ca; });
    }
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
  const apiserver::internal::Requester requester = RequesterOf(*Core(), request, subject.info);
  if (requester.user.ok()) subject.user = requester.user->name;
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
  Log(exchange.request(), subject.info, subject.user, /*decision=*/nullptr, faults, code);
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
  impl_->webhook_scope->End();
  impl_->EndAll();
  // The requests go first: they may begin sessions.
  impl_->webhook_requests.EndAll();
  impl_->open_sessions.EndAll();
  impl_->webhook_requests.KeepIfGivenUp(impl_);
}

void ApiHandler::Handle(std::shared_ptr<Exchange> exchange) { layer_->Handle(std::move(exchange)); }

void ApiHandler::Restart(const RestartOptions& options) {
  if (!options.keep_data) {
    std::shared_ptr<apiserver::internal::Core> made = impl_->MakeCore();
    base::MutexLock lock(impl_->mutex);
    impl_->core.swap(made);
  }
  layer_->BreakConnections();
  impl_->webhook_scope->Cancel();
  impl_->EndAll();
  impl_->webhook_requests.EndAll();
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
  impl_->access.SetDenyRules(std::move(rules));
}

void ApiHandler::SetAddress(ServerAddress address) { impl_->address->Set(std::move(address)); }

void ApiHandler::AddToken(absl::string_view token, User user) {
  impl_->access.AddToken(token, std::move(user));
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

void ApiHandler::SetWebhook(absl::string_view namespace_name, absl::string_view service,
                            absl::string_view path, WebhookFunction function) {
  impl_->webhook_caller->SetFunction(namespace_name, service, path, std::move(function));
}

void ApiHandler::SetWebhook(absl::string_view url, WebhookFunction function) {
  impl_->webhook_caller->SetFunction(url, std::move(function));
}

void ApiHandler::SetServiceAddress(absl::string_view namespace_name, absl::string_view service,
                                   int port, absl::string_view address) {
  impl_->webhook_caller->SetServiceAddress(namespace_name, service, port, address);
}

size_t ApiHandler::watches() const {
  base::MutexLock lock(impl_->mutex);
  return impl_->watches.size();
}

size_t ApiHandler::sessions() const { return impl_->open_sessions.size(); }

}  // namespace kube::apiserver
