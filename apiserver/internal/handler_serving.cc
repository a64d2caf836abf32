#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/auth/access_control.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/call/answer.h"
#include "apiserver/call/core.h"
#include "apiserver/call/request_admission.h"
#include "apiserver/call/write_record.h"
#include "apiserver/containers/log_session.h"
#include "apiserver/custom_kind.h"
#include "apiserver/encoding/output.h"
#include "apiserver/faults/fault_layer.h"
#include "apiserver/faults/faulty_exchange.h"
#include "apiserver/handler.h"
#include "apiserver/internal/handler_impl.h"
#include "apiserver/request_info.h"
#include "apiserver/resources.h"
#include "apiserver/user.h"
#include "apiserver/verbs/dispatch.h"
#include "apiserver/watch/watch_session.h"
#include "apiserver/webhook.h"
#include "apiserver/webhooks/webhook_admission.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {

using apiserver::internal::FaultyExchange;
using httpserver::Response;

namespace {

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

}  // namespace

void ApiHandler::Impl::Log(const httpserver::Request& request, const RequestInfo& info,
                           absl::string_view user, const apiserver::internal::Decision* decision,
                           absl::string_view faults, int code, std::vector<CalledWebhook> webhooks,
                           apiserver::internal::WriteRecord record) {
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
  entry.time = base::WallNow();
  entry.changed = record.changed;
  entry.object_name = std::move(record.object_name);
  entry.sent_version = std::move(record.sent_version);
  entry.object = std::move(record.object);
  entry.denied_verb = std::move(record.denied_verb);
  if (decision != nullptr) {
    entry.decision = decision->allowed ? "allow" : "forbid";
    entry.reason = decision->rule.empty() ? decision->reason : decision->rule;
  }
  if (options.on_request) options.on_request(entry);
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
            apiserver::internal::MakeAdmission(
                limited ? WithTimeout(ctx, apiserver::internal::kRequestTimeout) : ctx, *the_core,
                std::move(plugins));
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
  apiserver::internal::WriteRecord record{.max_object_bytes = options.max_logged_object_bytes};
  apiserver::internal::Answer answer =
      apiserver::internal::Dispatch(*the_core, request, info, incoming.user, incoming.has_waited,
                                    exchange.get(), admission, incoming.may_block, &record);
  const auto log = [&](int code) {
    Log(request, info, incoming.user.name, &incoming.decision, exchange->plan().names, code,
        admission == nullptr ? std::vector<CalledWebhook>() : admission->calls(), record);
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

}  // namespace kube::apiserver
