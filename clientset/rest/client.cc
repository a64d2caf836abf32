#include "clientset/rest/client.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/config.h"
#include "clientset/rest/internal/body.h"
#include "clientset/rest/internal/client_core.h"
#include "clientset/rest/internal/request_attempts.h"
#include "clientset/rest/request.h"
#include "clientset/rest/trace.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/proxy.h"
#include "net/httpclient/transport.h"
#include "net/httpclient/transport_error.h"

namespace kube::rest {

namespace {

// Returns "application/json" for "Application/JSON; charset=utf-8", and the client's own type if
// the server sends none.
std::string MediaTypeOf(const http::Headers& headers, absl::string_view default_type) {
  const absl::string_view type = headers.Get("content-type").value_or("");
  if (type.empty()) return std::string(default_type);
  return absl::AsciiStrToLower(absl::StripAsciiWhitespace(type.substr(0, type.find(';'))));
}

// Returns the final status of a request. An error begins with a description of the request.
absl::Status Ended(Span* span, const Request& request, const absl::Status& status) {
  const absl::Status described = status.ok() ? status : base::Annotate(status, Describe(request));
  if (span != nullptr) span->SetStatus(described);
  return described;
}

absl::StatusOr<Result> SendAndRead(internal::RequestAttempts& attempts, Context ctx) {
  KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response, attempts.Send(ctx));
  Result result = {.status = response.status, .headers = std::move(response.headers)};
  KUBE_ASSIGN_OR_RETURN(
      result.body,
      internal::ReadAll(ctx, *response.body, result.headers.Get("content-length").value_or("")),
      "read response");
  return result;
}

// Marks errors for IsUpgradeRefused.
constexpr char kUpgradeRefused[] = "kube/upgrade-refused";

bool IsProxyError(const absl::Status& status) {
  const std::optional<httpclient::TransportError> error = httpclient::TransportErrorOf(status);
  return error.has_value() && error->kind == httpclient::TransportErrorKind::kProxy;
}

absl::Status Refused(const absl::Status& status) {
  absl::Status refused = base::Annotate(status, "unable to upgrade connection");
  refused.SetPayload(kUpgradeRefused, absl::Cord());
  return refused;
}

}  // namespace

Client::Client(std::shared_ptr<const internal::ClientCore> core) : core_(std::move(core)) {}

absl::StatusOr<Result> Client::Do(const Context& ctx, const Request& request) const {
  const base::MonotonicTime start = base::Now();
  internal::RequestAttempts attempts(*core_, request);
  absl::StatusOr<Result> result = SendAndRead(attempts, ctx);
  core_->metrics.ObserveDuration(request.verb, base::Now() - start);
  const std::unique_ptr<Span> span = attempts.TakeSpan();
  const absl::Status status = Ended(span.get(), request, result.status());
  if (!status.ok()) return status;
  core_->metrics.ObserveResponseSize(request.verb, result->body.size());
  attempts.LogResponseBody(ctx, result->body);
  result->content_type = MediaTypeOf(result->headers, core_->content_type);
  return result;
}

absl::StatusOr<StreamedResult> Client::Stream(const Context& ctx, const Request& request) const {
  internal::RequestAttempts attempts(*core_, request);
  Context limited = ctx;
  absl::StatusOr<httpclient::HttpResponse> response = attempts.Send(limited);
  std::unique_ptr<Span> span = attempts.TakeSpan();
  if (!response.ok()) return Ended(span.get(), request, response.status());
  if (span != nullptr) {
    response->body = internal::TracedBody(std::move(response->body), std::move(span));
  }
  std::string content_type = MediaTypeOf(response->headers, core_->content_type);
  return StreamedResult{.status = response->status,
                        .headers = std::move(response->headers),
                        .content_type = std::move(content_type),
                        .body = std::move(response->body)};
}

absl::StatusOr<UpgradedResult> Client::Upgrade(const Context& ctx, const Request& request) const {
  internal::RequestAttempts attempts(*core_, request, /*upgrade=*/true);
  Context limited = ctx;
  absl::StatusOr<httpclient::HttpResponse> response = attempts.Send(limited);
  absl::Status status = response.status();
  if (attempts.refused() || IsProxyError(status)) {
    status = Refused(status);
  } else if (status.ok() && response->connection == nullptr) {
    status =
        absl::UnimplementedError("unable to upgrade connection: the transport does not support it");
  }
  const std::unique_ptr<Span> span = attempts.TakeSpan();
  status = Ended(span.get(), request, status);
  if (!status.ok()) return status;
  return UpgradedResult{.headers = std::move(response->headers),
                        .connection = std::move(response->connection)};
}

bool IsUpgradeRefused(const absl::Status& error) {
  return error.GetPayload(kUpgradeRefused).has_value();
}

const std::string& Client::base_url() const { return core_->base_url; }
bool Client::prefers_protobuf() const { return core_->prefers_protobuf; }

bool Client::IsJsonOnly(const schema::GroupVersionResource& resource) const {
  return core_->json_only->Has(resource);
}

void Client::SetJsonOnly(const schema::GroupVersionResource& resource) const {
  core_->json_only->Add(resource);
}
const std::shared_ptr<httpclient::Transport>& Client::transport() const { return core_->transport; }

absl::StatusOr<Client> MakeClient(const Config& config) {
  // Check the URL first, before files are read and a plug-in is set up.
  KUBE_ASSIGN_OR_RETURN(const std::string base_url, internal::BaseUrlOf(config), "make client");
  const std::string proxy =
      config.proxy_url.has_value()
          ? ""
          : httpclient::ProxyFor(base_url, httpclient::ProxyFromEnvironment());
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<Authenticator> authenticator,
                        MakeAuthenticator(config, proxy), "make client");
  return MakeClient(config, std::move(authenticator));
}

absl::StatusOr<Client> MakeClient(const Config& config,
                                  std::shared_ptr<Authenticator> authenticator) {
  KUBE_RETURN_IF_ERROR(internal::BaseUrlOf(config), "make client");
  std::shared_ptr<httpclient::Transport> transport = config.transport;
  if (transport == nullptr) {
    KUBE_ASSIGN_OR_RETURN(transport, httpclient::MakeHttpTransport({.metrics = config.metrics}),
                          "make client");
  }
  KUBE_ASSIGN_OR_RETURN(
      std::shared_ptr<const internal::ClientCore> core,
      internal::MakeClientCore(config, std::move(authenticator), std::move(transport)),
      "make client");
  return Client(std::move(core));
}

}  // namespace kube::rest
