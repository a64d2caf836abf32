#include "webhook/server.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/resource_traits.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/thread_pool_handler.h"
#include "webhook/admission_options.h"
#include "webhook/admission_review.h"
#include "webhook/admission_types.h"
#include "webhook/conversion.h"
#include "webhook/internal/path_metrics.h"
#include "webhook/internal/server_certificates.h"
#include "webhook/registration.h"
#include "webhook/self_signed.h"
#include "webhook/server_options.h"

namespace kube::webhook {
namespace {

using base::MutexLock;
using httpserver::Request;
using httpserver::Response;

constexpr size_t kMaxWaiting = 1024;
// The longest time that an API server waits.
constexpr absl::Duration kMaxTimeout = absl::Seconds(30);
// How often the log says that requests are refused because the webhooks are not ready.
constexpr absl::Duration kNotReadyInterval = absl::Seconds(10);

// Test environments make URLs of "https://host:port/" and a path.
absl::string_view PathOf(const Request& request) {
  absl::string_view path = request.path();
  while (absl::StartsWith(path, "//")) path.remove_prefix(1);
  return path;
}

// Gives conversions and admissions to threads of their own: functions of admission webhooks may
// wait for what needs a conversion. Thread-safe.
class Router final : public httpserver::Handler {
 public:
  // Both outlive it.
  Router(httpserver::Handler& conversions, httpserver::Handler& admissions)
      : conversions_(conversions), admissions_(admissions) {}

  void Handle(std::shared_ptr<httpserver::Exchange> exchange) override {
    const bool converts = PathOf(exchange->request()) == kConvertPath;
    (converts ? conversions_ : admissions_).Handle(std::move(exchange));
  }

 private:
  httpserver::Handler& conversions_;
  httpserver::Handler& admissions_;
};

Response TextResponse(int code, absl::string_view text) {
  Response response;
  response.status = code;
  response.headers.Set("content-type", "text/plain; charset=utf-8");
  response.body = absl::StrCat(text, "\n");
  return response;
}

Response JsonResponse(int code, std::string body) {
  Response response;
  response.status = code;
  response.headers.Set("content-type", "application/json");
  response.body = std::move(body);
  return response;
}

// An API server says in the query how long it waits.
Context WithRequestTimeout(const Context& ctx, absl::string_view query) {
  const queryparams::Values values = queryparams::ParseQuery(query);
  const auto found = values.find("timeout");
  absl::Duration timeout;
  if (found == values.end() || found->second.empty() ||
      !absl::ParseDuration(found->second.front(), &timeout) || timeout <= absl::ZeroDuration()) {
    return ctx;
  }
  return WithTimeout(ctx, std::min(timeout, kMaxTimeout));
}

absl::Status Validate(const Registration& registration) {
  KUBE_RETURN_IF_ERROR(CheckPath(registration.path));
  const absl::Duration timeout = registration.options.timeout;
  if (timeout < absl::Seconds(1) || timeout > kMaxTimeout ||
      timeout != absl::Seconds(absl::ToInt64Seconds(timeout))) {
    return absl::InvalidArgumentError(absl::StrCat("timeout ", absl::FormatDuration(timeout),
                                                   " is not a whole number of 1 to 30 seconds"));
  }
  if (registration.options.operations.empty()) {
    return absl::InvalidArgumentError("there are no operations about which it is asked");
  }
  return absl::OkStatus();
}

}  // namespace

// Answers on the thread that calls it.
struct Server::Impl final : public httpserver::Handler {
  // A path. Immutable.
  struct Endpoint {
    AdmissionHandler admission;  // null for conversions
    internal::PathMetrics metrics;
  };

  explicit Impl(ServerOptions given) : options(std::move(given)), metrics(*options.metrics) {}

  void Handle(std::shared_ptr<httpserver::Exchange> exchange) override {
    exchange->Respond(Answer(exchange->context(), exchange->request()));
  }

  Response Answer(const Context& ctx, const Request& request) const;
  Response Admit(const Context& ctx, const Endpoint& endpoint, const Request& request) const;
  Response Convert(const Context& ctx, const Request& request) const;
  std::shared_ptr<const Endpoint> Find(absl::string_view path) const ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status CheckReady() const ABSL_LOCKS_EXCLUDED(mutex);
  // Logs why admissions are refused, but not for each of them.
  void WarnNotReady(const Context& ctx, const absl::Status& not_ready, const Request& request) const
      ABSL_LOCKS_EXCLUDED(mutex);

  // Logs and remembers an error of a registration.
  void Note(const absl::Status& error, absl::string_view path) ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status Add(const std::string& path, AdmissionHandler handler)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex);
  absl::Status AddHandler(const Registration& registration, AdmissionHandler handler)
      ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status AddConversion(const typed::Resource& hub,
                             absl::FunctionRef<absl::Status(Conversions&)> add)
      ABSL_LOCKS_EXCLUDED(mutex);

  bool Converts() const ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status BeginRun() ABSL_LOCKS_EXCLUDED(mutex);
  absl::Status Serve(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex);
  absl::StatusOr<httpserver::TlsOptions> MakeTls(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex);
  absl::StatusOr<std::shared_ptr<SelfSignedCertificates>> SelfSigned() ABSL_LOCKS_EXCLUDED(mutex);
  void SetState(std::string waits, uint16_t new_port, std::string new_url)
      ABSL_LOCKS_EXCLUDED(mutex);

  const ServerOptions options;
  const internal::WebhookMetrics metrics;
  base::Event started_or_ended;
  mutable std::atomic<bool> was_ready = false;

  mutable base::Mutex mutex;
  std::map<std::string, std::shared_ptr<const Endpoint>> endpoints ABSL_GUARDED_BY(mutex);
  std::vector<Registration> registrations ABSL_GUARDED_BY(mutex);
  std::shared_ptr<const Conversions> conversions ABSL_GUARDED_BY(mutex) =
      std::make_shared<const Conversions>();
  absl::Status setup_error ABSL_GUARDED_BY(mutex);
  std::function<absl::Status()> ready ABSL_GUARDED_BY(mutex);
  mutable base::MonotonicTime next_warning ABSL_GUARDED_BY(mutex);
  std::shared_ptr<SelfSignedCertificates> self_signed ABSL_GUARDED_BY(mutex);
  bool run_called ABSL_GUARDED_BY(mutex) = false;
  // Empty while the server listens.
  std::string waits_for ABSL_GUARDED_BY(mutex) = "webhook server has not been started yet";
  uint16_t port ABSL_GUARDED_BY(mutex) = 0;
  std::string url ABSL_GUARDED_BY(mutex);
};

// ---- answers

std::shared_ptr<const Server::Impl::Endpoint> Server::Impl::Find(absl::string_view path) const {
  MutexLock lock(mutex);
  const auto found = endpoints.find(std::string(path));
  return found == endpoints.end() ? nullptr : found->second;
}

absl::Status Server::Impl::CheckReady() const {
  if (was_ready.load(std::memory_order_acquire)) return absl::OkStatus();
  std::function<absl::Status()> check;
  {
    MutexLock lock(mutex);
    check = ready;
  }
  const absl::Status now = check == nullptr ? absl::OkStatus() : check();
  if (now.ok()) was_ready.store(true, std::memory_order_release);
  return now;
}

Response Server::Impl::Answer(const Context& ctx, const Request& request) const {
  const std::shared_ptr<const Endpoint> endpoint = Find(PathOf(request));
  if (endpoint == nullptr) return TextResponse(404, "404 page not found");
  const base::MonotonicTime start = base::Now();
  endpoint->metrics.Begin();
  Response response =
      endpoint->admission == nullptr ? Convert(ctx, request) : Admit(ctx, *endpoint, request);
  endpoint->metrics.End(response.status, base::Now() - start);
  return response;
}

void Server::Impl::WarnNotReady(const Context& ctx, const absl::Status& not_ready,
                                const Request& request) const {
  {
    MutexLock lock(mutex);
    const base::MonotonicTime now = base::Now();
    if (now < next_warning) return;
    next_warning = now + kNotReadyInterval;
  }
  log::Warning(ctx, "admission webhooks are not ready, requests are answered with 503",
               {{"path", PathOf(request)}, {"err", not_ready}});
}

Response Server::Impl::Admit(const Context& ctx, const Endpoint& endpoint,
                             const Request& request) const {
  if (const absl::Status not_ready = CheckReady(); !not_ready.ok()) {
    WarnNotReady(ctx, not_ready, request);
    Response response =
        TextResponse(503, absl::StrCat("webhooks are not ready: ", not_ready.message()));
    response.headers.Set("retry-after", "1");
    return response;
  }
  HttpAnswer answer =
      AnswerAdmissionReview(WithRequestTimeout(ctx, request.query()), endpoint.admission,
                            request.headers.Get("content-type").value_or(""), request.body);
  return JsonResponse(answer.code, std::move(answer.body));
}

Response Server::Impl::Convert(const Context& ctx, const Request& request) const {
  std::shared_ptr<const Conversions> all;
  {
    MutexLock lock(mutex);
    all = conversions;
  }
  absl::StatusOr<std::string> answer = AnswerConversionReview(ctx, *all, request.body);
  if (answer.ok()) return JsonResponse(200, *std::move(answer));
  if (ctx.done()) return TextResponse(503, "the request has ended");
  log::Error(ctx, answer.status(), "failed to read conversion request");
  Response response;
  response.status = 400;
  return response;
}

// ---- registrations

void Server::Impl::Note(const absl::Status& error, absl::string_view path) {
  if (error.ok()) {
    log::Info("Registering webhook", {{"path", path}});
    return;
  }
  const absl::Status named = base::Annotate(error, absl::StrCat("register webhook \"", path, "\""));
  log::Error(named, "failed to register webhook", {{"path", path}});
  MutexLock lock(mutex);
  if (setup_error.ok()) setup_error = named;
}

absl::Status Server::Impl::Add(const std::string& path, AdmissionHandler handler) {
  const auto [place, added] = endpoints.try_emplace(path, nullptr);
  if (!added) {
    return absl::AlreadyExistsError(absl::StrCat("can't register duplicate path: ", path));
  }
  place->second = std::make_shared<const Endpoint>(
      Endpoint{.admission = std::move(handler), .metrics = metrics.For(path)});
  return absl::OkStatus();
}

absl::Status Server::Impl::AddHandler(const Registration& registration, AdmissionHandler handler) {
  KUBE_RETURN_IF_ERROR(Validate(registration));
  if (handler == nullptr) return absl::InvalidArgumentError("its function is null");
  MutexLock lock(mutex);
  KUBE_RETURN_IF_ERROR(Add(registration.path, std::move(handler)));
  if (registration.gvk.empty()) return absl::OkStatus();
  // No API server accepts two webhooks of one name in a configuration.
  for (const Registration& other : registrations) {
    if (other.kind != registration.kind) continue;
    if (other.options.name != registration.options.name) continue;
    return absl::AlreadyExistsError(absl::StrCat("webhook \"", other.path, "\" has the name \"",
                                                 other.options.name,
                                                 "\", too; set AdmissionOptions::name"));
  }
  registrations.push_back(registration);
  return absl::OkStatus();
}

absl::Status Server::Impl::AddConversion(const typed::Resource& hub,
                                         absl::FunctionRef<absl::Status(Conversions&)> add) {
  MutexLock lock(mutex);
  auto changed = std::make_shared<Conversions>(*conversions);
  KUBE_RETURN_IF_ERROR(add(*changed));
  if (conversions->empty()) KUBE_RETURN_IF_ERROR(Add(std::string(kConvertPath), nullptr));
  conversions = changed;
  const schema::GroupVersionKind gvk = typed::KindOf(hub);
  const auto known =
      std::find_if(registrations.begin(), registrations.end(), [&gvk](const Registration& one) {
        return one.kind == WebhookKind::kConversion && one.gvk == gvk;
      });
  if (known != registrations.end()) {
    known->versions = changed->VersionsOf(gvk);
    return absl::OkStatus();
  }
  Registration made;
  made.kind = WebhookKind::kConversion;
  made.path = std::string(kConvertPath);
  made.gvk = gvk;
  made.gvr = typed::GroupVersionResourceOf(hub);
  made.namespaced = hub.namespaced;
  made.versions = changed->VersionsOf(gvk);
  registrations.push_back(std::move(made));
  return absl::OkStatus();
}

// ---- the server

void Server::Impl::SetState(std::string waits, uint16_t new_port, std::string new_url) {
  MutexLock lock(mutex);
  waits_for = std::move(waits);
  port = new_port;
  url = std::move(new_url);
}

absl::StatusOr<std::shared_ptr<SelfSignedCertificates>> Server::Impl::SelfSigned() {
  if (!options.self_signed.has_value()) {
    return absl::FailedPreconditionError("the certificates of the webhooks are not self-signed");
  }
  MutexLock lock(mutex);
  if (self_signed == nullptr) {
    KUBE_ASSIGN_OR_RETURN(self_signed, SelfSignedCertificates::Make(*options.self_signed));
  }
  return self_signed;
}

absl::StatusOr<httpserver::TlsOptions> Server::Impl::MakeTls(const Context& ctx) {
  httpserver::TlsOptions tls;
  if (options.certificate_source != nullptr) {
    tls.source = options.certificate_source;
    return tls;
  }
  if (!options.self_signed.has_value()) {
    SetState(absl::StrCat("webhook server waits for its certificate \"",
                          internal::CertificateFileOf(options), "\""),
             0, "");
    return internal::TlsOfFiles(ctx, options);
  }
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<SelfSignedCertificates> made, SelfSigned());
  KUBE_RETURN_IF_ERROR(made->Start(ctx));
  tls.source = made;
  return tls;
}

bool Server::Impl::Converts() const {
  MutexLock lock(mutex);
  return !conversions->empty();
}

absl::Status Server::Impl::BeginRun() {
  absl::Status begun = internal::CheckOptions(options);
  {
    MutexLock lock(mutex);
    if (run_called) return absl::FailedPreconditionError("it was started before");
    run_called = true;
    if (begun.ok()) begun = setup_error;
  }
  if (!begun.ok()) started_or_ended.Set();
  return begun;
}

absl::Status Server::Impl::Serve(const Context& ctx) {
  if (!options.listen) {
    log::Info("Webhook server is disabled");
    started_or_ended.Set();
    base::WaitUntilDone(ctx).IgnoreError();
    return absl::OkStatus();
  }
  log::Info("Starting webhook server");
  KUBE_ASSIGN_OR_RETURN(httpserver::TlsOptions tls, MakeTls(ctx));
  const auto answer = [this](httpserver::Exchange& exchange) {
    exchange.Respond(Answer(exchange.context(), exchange.request()));
  };
  httpserver::ThreadPoolHandler admissions(
      answer, {.threads = options.threads, .max_waiting = kMaxWaiting, .name = "webhooks"});
  httpserver::ThreadPoolHandler converters(
      answer, {.threads = options.threads, .max_waiting = kMaxWaiting, .name = "conversions"});
  KUBE_RETURN_IF_ERROR(admissions.Start(WithoutCancel(ctx)));
  KUBE_RETURN_IF_ERROR(converters.Start(WithoutCancel(ctx)));
  Router router(converters, admissions);
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<httpserver::Server> server,
                        httpserver::Server::Start(
                            internal::HttpOptionsOf(options, std::move(tls), Converts()), router));
  SetState("", server->port(), server->url());
  started_or_ended.Set();
  log::Info("Serving webhook server", {{"url", server->url()}});
  base::WaitUntilDone(ctx).IgnoreError();
  log::Info("Shutting down webhook server", {{"timeout", options.shutdown_timeout}});
  const absl::Status ended =
      server->Shutdown(WithTimeout(WithoutCancel(ctx), options.shutdown_timeout));
  if (!ended.ok()) log::Error(ended, "error shutting down the HTTP server");
  return absl::OkStatus();
}

Server::Server(ServerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}

Server::~Server() = default;

void Server::Handle(const Registration& registration, AdmissionHandler handler) {
  Registration named = registration;
  if (named.options.name.empty() && !named.gvk.empty()) {
    named.options.name = DefaultWebhookName(named.kind, named.gvk);
  }
  impl_->Note(impl_->AddHandler(named, std::move(handler)), named.path);
}

void Server::Handle(const std::string& path, AdmissionHandler handler) {
  Registration registration;
  registration.path = path;
  Handle(registration, std::move(handler));
}

void Server::AddAdmission(WebhookKind kind, const typed::Resource& resource,
                          AdmissionOptions options, AdmissionHandler handler) {
  Handle(MakeRegistration(kind, resource, std::move(options)), std::move(handler));
}

void Server::AddConversion(const typed::Resource& hub,
                           absl::FunctionRef<absl::Status(Conversions&)> add) {
  impl_->Note(impl_->AddConversion(hub, add), kConvertPath);
}

std::vector<Registration> Server::registrations() const {
  MutexLock lock(impl_->mutex);
  return impl_->registrations;
}

bool Server::has_webhooks() const {
  MutexLock lock(impl_->mutex);
  return !impl_->endpoints.empty();
}

absl::Status Server::CheckRegistrations() const {
  MutexLock lock(impl_->mutex);
  return impl_->setup_error;
}

void Server::SetReadiness(std::function<absl::Status()> ready) {
  MutexLock lock(impl_->mutex);
  impl_->ready = std::move(ready);
}

absl::Status Server::Run(const Context& ctx) {
  KUBE_RETURN_IF_ERROR(impl_->BeginRun(), "run webhook server");
  const absl::Status served = impl_->Serve(ctx);
  impl_->SetState("webhook server has ended", 0, "");
  impl_->started_or_ended.Set();
  // What was waited for did not come in time; nobody waits any more.
  if (ctx.done()) return absl::OkStatus();
  return base::Annotate(served, "run webhook server");
}

absl::Status Server::CheckStarted() const {
  if (!impl_->options.listen) return absl::OkStatus();
  MutexLock lock(impl_->mutex);
  if (impl_->waits_for.empty()) return absl::OkStatus();
  return absl::UnavailableError(impl_->waits_for);
}

absl::Status Server::WaitUntilStarted(const Context& ctx) const {
  return impl_->started_or_ended.Wait(ctx);
}

uint16_t Server::port() const {
  MutexLock lock(impl_->mutex);
  return impl_->port;
}

std::string Server::url() const {
  MutexLock lock(impl_->mutex);
  return impl_->url;
}

absl::StatusOr<std::string> Server::CaCertificate() {
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<SelfSignedCertificates> made, impl_->SelfSigned());
  return made->ca_certificate();
}

Response Server::Answer(const Context& ctx, const Request& request) const {
  return impl_->Answer(ctx, request);
}

httpserver::Handler& Server::handler() { return *impl_; }

const ServerOptions& Server::options() const { return impl_->options; }

}  // namespace kube::webhook
