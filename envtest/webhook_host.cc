#include "envtest/webhook_host.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apiserver/handler.h"
#include "net/certificates/certificate_authority.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/in_process_exchange.h"
#include "net/httpserver/server.h"
#include "net/httpserver/thread_pool_handler.h"

namespace kube::envtest {
namespace {

namespace apiextensionsv1 = api::apiextensions::v1;

// The number of calls that are answered at the same time; further ones wait.
constexpr int kThreads = 16;
// An answer that is longer is an error.
constexpr size_t kMaxAnswerBytes = size_t{64} << 20;
// How much of the body of an error its message has.
constexpr size_t kMaxErrorBytes = 500;

// Whether `host` is an address and no name.
bool IsAddress(absl::string_view host) {
  return absl::StrContains(host, ":") ||
         host.find_first_not_of("0123456789.") == absl::string_view::npos;
}

certificates::CertificateOptions NamesOf(const std::string& host) {
  certificates::CertificateOptions options;
  options.common_name = "envtest-webhooks";
  options.client = false;
  (IsAddress(host) ? options.ip_addresses : options.dns_names).push_back(host);
  return options;
}

std::string UrlOf(const std::string& host, int port) {
  const bool needs_brackets = absl::StrContains(host, ":");
  return absl::StrCat("https://", needs_brackets ? "[" : "", host, needs_brackets ? "]" : "", ":",
                      port);
}

httpserver::Request RequestOf(const std::string& path, absl::string_view body) {
  httpserver::Request request;
  request.method = "POST";
  request.target = path;
  request.headers = {{"host", "localhost"},
                     {"content-type", "application/json"},
                     {"accept", "application/json, */*"},
                     {"user-agent", "kube-apiserver-admission"}};
  request.body = std::string(body);
  request.peer_address = "127.0.0.1:0";
  request.tls = true;
  return request;
}

absl::StatusOr<std::string> ReadAnswer(const Context& ctx,
                                       httpserver::InProcessExchange& exchange) {
  KUBE_ASSIGN_OR_RETURN(const httpserver::InProcessExchange::Head head,
                        exchange.WaitForHead(ctx, base::MonotonicTime::Infinite()));
  std::string answer;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string piece, exchange.Read(ctx));
    if (piece.empty()) break;
    answer += piece;
  }
  // The body of an exchange that was closed ends early.
  KUBE_RETURN_IF_ERROR(ctx.status());
  if (head.status >= 200 && head.status <= 206) return answer;
  return absl::UnavailableError(absl::StrCat("the webhook answered with code ", head.status, ": ",
                                             absl::string_view(answer).substr(0, kMaxErrorBytes)));
}

}  // namespace

// Calls the handler for the embedded server. The functions that the server has share it: a call may
// begin while the host ends. Thread-safe.
class WebhookHost::Calls {
 public:
  explicit Calls(httpserver::Handler& handler) : handler_(handler) {}

  absl::StatusOr<std::string> Post(const Context& ctx, const std::string& path,
                                   absl::string_view body) ABSL_LOCKS_EXCLUDED(mutex_) {
    {
      base::MutexLock lock(mutex_);
      if (closed_) return absl::UnavailableError("the webhook host has ended");
      ++running_;
    }
    absl::StatusOr<std::string> answer = Send(ctx, path, body);
    base::MutexLock lock(mutex_);
    --running_;
    idle_.NotifyAll();
    return answer;
  }

  // Ends all calls and blocks until they have ended.
  void Close() ABSL_LOCKS_EXCLUDED(mutex_) {
    {
      base::MutexLock lock(mutex_);
      closed_ = true;
    }
    end_.Cancel(absl::UnavailableError("the webhook host has ended"));
    base::MutexLock lock(mutex_);
    idle_
        .Wait(Context(), mutex_,
              [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return running_ == 0; })
        .IgnoreError();
  }

 private:
  // The handler may block, so whatever ends the call ends the context of the exchange.
  absl::StatusOr<std::string> Send(const Context& ctx, const std::string& path,
                                   absl::string_view body) {
    KUBE_RETURN_IF_ERROR(ctx.status());
    CancelScope scope = WithCancel(ctx);
    httpserver::InProcessExchange exchange(RequestOf(path, body), kMaxAnswerBytes);
    const DoneCallback gone = scope.context().OnDone([&exchange] { exchange.Close(); });
    const DoneCallback closed = end_.context().OnDone([&scope] { scope.Cancel(); });
    handler_.Handle(exchange.ForHandler());
    return ReadAnswer(scope.context(), exchange);
  }

  httpserver::Handler& handler_;
  CancelScope end_ = WithCancel(Context());
  base::Mutex mutex_;
  base::CondVar idle_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  int running_ ABSL_GUARDED_BY(mutex_) = 0;
};

absl::StatusOr<std::unique_ptr<WebhookHost>> WebhookHost::Listen(
    httpserver::Handler& handler, const WebhookHostOptions& options) {
  const std::string host = options.host.empty() ? options.address : options.host;
  KUBE_ASSIGN_OR_RETURN(const certificates::CertificateAuthority authority,
                        certificates::CertificateAuthority::Make("envtest-webhooks-ca"));
  KUBE_ASSIGN_OR_RETURN(const certificates::Certificate certificate, authority.Issue(NamesOf(host)),
                        "make certificate of webhook host \"", host, "\"");
  auto made = std::make_unique<WebhookHost>(Key(), handler, nullptr);
  const httpserver::ThreadPoolOptions threads = {.threads = kThreads, .name = "webhook-host"};
  made->pool_ = std::make_unique<httpserver::ThreadPoolHandler>(
      [&handler](std::shared_ptr<httpserver::Exchange> exchange) {
        handler.Handle(std::move(exchange));
      },
      threads);
  KUBE_RETURN_IF_ERROR(made->pool_->Start(Context()), "start webhook host");
  httpserver::ServerOptions server;
  server.address = options.address;
  server.port = options.port;
  server.tls = httpserver::TlsOptions{.certificate_chain = certificate.certificate,
                                      .private_key = certificate.key};
  KUBE_ASSIGN_OR_RETURN(made->server_, httpserver::Server::Start(server, *made->pool_),
                        "start webhook host");
  made->url_ = UrlOf(host, made->server_->port());
  made->ca_certificate_ = authority.certificate();
  return made;
}

std::unique_ptr<WebhookHost> WebhookHost::InProcess(httpserver::Handler& handler,
                                                    apiserver::ApiHandler& server) {
  return std::make_unique<WebhookHost>(Key(), handler, &server);
}

WebhookHost::WebhookHost(Key, httpserver::Handler& handler, apiserver::ApiHandler* server)
    : api_(server), calls_(std::make_shared<Calls>(handler)) {}

WebhookHost::~WebhookHost() {
  for (const Route& route : routes_) {
    api_->SetWebhook(route.namespace_name, route.service, route.path, nullptr);
  }
  calls_->Close();
}

void WebhookHost::Redirect(api::admissionregistration::v1::WebhookClientConfig& config) {
  RedirectAny(config);
}

void WebhookHost::Redirect(apiextensionsv1::WebhookClientConfig& config) { RedirectAny(config); }

template <typename ConfigT>
void WebhookHost::RedirectAny(ConfigT& config) {
  if (!config.service) return;
  const std::string named(config.service->path.value_or(""));
  const std::string path = absl::StrCat(absl::StartsWith(named, "/") ? "" : "/", named);
  if (api_ != nullptr) {
    Serve({.namespace_name = std::string(config.service->namespace_),
           .service = std::string(config.service->name),
           .path = path});
    return;
  }
  config.url = absl::StrCat(url_, path);
  config.ca_bundle = ca_certificate_;
  config.service.reset();
}

void WebhookHost::Serve(Route route) {
  api_->SetWebhook(route.namespace_name, route.service, route.path,
                   [calls = calls_, path = route.path](const Context& ctx, absl::string_view body) {
                     return calls->Post(ctx, path, body);
                   });
  routes_.push_back(std::move(route));
}

apiextensionsv1::CustomResourceConversion WebhookHost::Conversion(absl::string_view path) {
  apiextensionsv1::WebhookClientConfig config;
  // A name that only the embedded server sees.
  config.service = apiextensionsv1::ServiceReference{
      .namespace_ = "default", .name = "envtest-webhooks", .path = path};
  Redirect(config);
  return {.strategy = "Webhook",
          .webhook = apiextensionsv1::WebhookConversion{.client_config = std::move(config),
                                                        .conversion_review_versions = {"v1"}}};
}

}  // namespace kube::envtest
