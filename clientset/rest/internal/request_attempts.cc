#include "clientset/rest/internal/request_attempts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/http_response.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/retry_after.h"
#include "clientset/rest/internal/body.h"
#include "clientset/rest/internal/connection_rotation.h"
#include "clientset/rest/internal/redaction.h"
#include "clientset/rest/internal/redirect.h"
#include "clientset/rest/internal/request_headers.h"
#include "clientset/rest/internal/request_log.h"
#include "clientset/rest/internal/retry.h"
#include "clientset/rest/internal/span_name.h"
#include "clientset/rest/request.h"
#include "clientset/rest/warnings.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/url/url.h"

// The life of a request. Send() builds the URL and the headers once, waits for the rate limiter,
// starts the request's timeout and then runs the tries:
//
//   BeforeTry   waits: the server's back-off or Retry-After, then, for a retry, the rate limiter
//   Try         asks for credentials, sends the request, and follows redirects to the same server
//               (not of an upgrade: the answer may come from a node, which must not choose another
//               path for the client's credentials)
//   AfterTry    records metrics, back-off and span attributes
//
// A successful response (IsSuccess) ends the loop. So does a context that is done when there is no
// response. Everything else goes to RetryState::Next, which decides whether to repeat, to renew the
// credentials after a 401, to return an empty watch, or to finish; Finish turns the response into
// an error. Before a retry the rest of a short body is read, so that HTTP/1.1 can use the
// connection again, and the outcome is kept for the text of the final error (PreviousErrors).
namespace kube::rest::internal {

namespace {

// How much of a response body is read before the next try, so that an HTTP/1.1 connection can be
// used again.
constexpr size_t kMaxDrainedBytes = 2048;

// How much is read of an answer that refuses an upgrade, as in client-go.
constexpr size_t kMaxRefusalBytes = size_t{64} << 10;

// Returns a copy of the request with the client's timeout, or null if the request has a timeout of
// its own or the client has none.
std::unique_ptr<const Request> WithTimeoutOf(const Request& request, absl::Duration timeout) {
  if (request.timeout != absl::ZeroDuration() || timeout == absl::ZeroDuration()) return nullptr;
  auto result = std::make_unique<Request>(request);
  result->timeout = timeout;
  return result;
}

// Returns a copy of the request without a timeout and with the retries of a stream, or null if it
// is so already. A connection may live for days, and the server must not be told otherwise.
std::unique_ptr<const Request> ForUpgrade(const Request& request) {
  if (request.timeout == absl::ZeroDuration() && request.retry == RetryRule::kStream) {
    return nullptr;
  }
  auto result = std::make_unique<Request>(request);
  result->timeout = absl::ZeroDuration();
  result->retry = RetryRule::kStream;
  return result;
}

bool HasAuthorization(const http::Headers& headers) {
  return !headers.Get("authorization").value_or("").empty();
}

// Returns the error of an answer that refuses an upgrade, with its text if it is no Status: that is
// how nodes say why.
absl::Status WithText(const absl::Status& error, absl::string_view content_type,
                      absl::string_view body) {
  if (!errors::IsUnexpectedServerError(error)) return error;
  if (!content_type.empty() && !absl::StartsWithIgnoreCase(content_type, "text/")) return error;
  const absl::string_view text =
      absl::StripAsciiWhitespace(body.substr(0, errors::kMaxErrorTextBytes));
  if (absl::StrContains(error.message(), text)) return error;
  return WithSuffix(error, absl::StrCat(": ", text));
}

// Reads a short body to its end. A long body, or one of unknown length, might take its time: it is
// dropped together with its connection.
void Drain(const Context& ctx, const httpclient::HttpResponse& response) {
  size_t length = 0;
  const absl::string_view text = response.headers.Get("content-length").value_or("");
  if (!absl::SimpleAtoi(text, &length) || length > kMaxDrainedBytes) return;
  ReadSome(ctx, *response.body, kMaxDrainedBytes + 1);
}

}  // namespace

RequestAttempts::RequestAttempts(const ClientCore& client, const Request& request, bool upgrade)
    : client_(client),
      upgrade_(upgrade),
      adjusted_request_(upgrade ? ForUpgrade(request) : WithTimeoutOf(request, client.timeout)),
      request_(adjusted_request_ != nullptr ? *adjusted_request_ : request),
      has_secret_bodies_(HasSecretBodies(request)),
      retry_(request.verb, request_.retry, request.max_retries) {
  if (client_.tracer == nullptr) return;
  span_ = client_.tracer->StartSpan(SpanName(request_));
  span_->SetAttribute("http.request.method", request_.verb);
  span_->SetAttribute("server.address", url::HostName(client_.host));
}

absl::StatusOr<httpclient::HttpResponse> RequestAttempts::Send(Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(url_, UrlOf(client_.base_url, request_));
  headers_ = HeadersOf(request_, client_.headers, client_.content_type);
  KUBE_RETURN_IF_ERROR(CheckHeaders(headers_));
  if (request_.body != nullptr) LogBody(ctx, "request body", *request_.body, has_secret_bodies_);
  // The wait for the rate limiter does not count against the request's timeout. Watches do not wait
  // at all: they are started again and again.
  if (request_.retry != RetryRule::kWatch) KUBE_RETURN_IF_ERROR(WaitForTurn(ctx, ""));
  if (request_.timeout > absl::ZeroDuration()) ctx = WithTimeout(ctx, request_.timeout);
  absl::StatusOr<httpclient::HttpResponse> response = SendTries(ctx);
  if (response.ok()) HandleWarnings(ctx, response->headers);
  return response;
}

void RequestAttempts::LogResponseBody(const Context& ctx, absl::string_view body) const {
  LogBody(ctx, "response body", body, has_secret_bodies_);
}

absl::StatusOr<httpclient::HttpResponse> RequestAttempts::SendTries(const Context& ctx) {
  RetryStep step;
  for (;;) {
    if (const absl::Status status = BeforeTry(ctx, step); !status.ok()) {
      return previous_errors_.Wrap(status, /*is_response=*/false);
    }
    absl::StatusOr<httpclient::HttpResponse> response = Try(ctx);
    const TryOutcome outcome = AfterTry(response);
    if (response.ok() && IsSuccess(response->status)) return response;
    // A response that arrived in time counts. If there is none, the context's status takes
    // precedence over the transport's error.
    if (!response.ok() && ctx.done()) {
      return previous_errors_.Wrap(ctx.status(), /*is_response=*/false);
    }
    step = retry_.Next(outcome);
    if (step.kind == RetryStep::Kind::kAskForNewCredential && RenewCredential(ctx)) {
      step.kind = RetryStep::Kind::kRetry;
    }
    if (step.kind == RetryStep::Kind::kEmptyWatch) return EmptyResponse();
    if (step.kind != RetryStep::Kind::kRetry) return Finish(ctx, std::move(response));
    previous_errors_.Add(outcome);
    if (response.ok()) Drain(ctx, *response);
  }
}

absl::Status RequestAttempts::WaitForTurn(const Context& ctx, absl::string_view reason) {
  if (!client_.throttle->limits()) return absl::OkStatus();
  const base::MonotonicTime start = base::Now();
  const absl::Status status = client_.throttle->Wait(ctx, request_.verb, ShownUrl(url_), reason);
  client_.metrics.ObserveRateLimiter(request_.verb, base::Now() - start);
  return status;
}

absl::Status RequestAttempts::BeforeTry(const Context& ctx, const RetryStep& step) {
  if (ctx.done()) return ctx.status();
  const absl::Duration delay = std::max(client_.backoff->Delay(), step.wait);
  if (delay > absl::ZeroDuration()) KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, delay));
  if (tries_ == 0) return absl::OkStatus();
  KUBE_RETURN_IF_ERROR(WaitForTurn(ctx, step.reason));
  KUBE_VLOG_CTX(ctx, 4, "retrying request", {"verb", request_.verb}, {"url", ShownUrl(url_)},
                {"delay", delay}, {"attempt", tries_}, {"reason", step.reason});
  if (span_ != nullptr) span_->AddEvent("retry");
  return absl::OkStatus();
}

absl::StatusOr<httpclient::HttpResponse> RequestAttempts::Try(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(authentication_, HasAuthorization(headers_)
                                             ? client_.authenticator->GetWithoutAuthorization(ctx)
                                             : client_.authenticator->Get(ctx));
  if (client_.rotation != nullptr) client_.rotation->Use(authentication_->connection);
  std::string redirected;
  for (int redirects = 0;; ++redirects) {
    const std::string& url = redirects == 0 ? url_ : redirected;
    KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response, RoundTrip(ctx, url));
    if (upgrade_) return response;
    KUBE_ASSIGN_OR_RETURN(std::optional<std::string> target,
                          RedirectTarget(request_.verb, url, response));
    if (!target.has_value()) return response;
    if (redirects == kMaxRedirects) {
      return absl::FailedPreconditionError(
          absl::StrCat("stopped after ", kMaxRedirects, " redirects"));
    }
    redirected = *std::move(target);
  }
}

httpclient::HttpRequest RequestAttempts::MakeRequest(const std::string& url) const {
  httpclient::HttpRequest request = {
      .method = request_.verb,
      .url = url,
      .headers = headers_,
      .body = request_.body,
      .connection = authentication_->connection,
      .accept_gzip = client_.accept_gzip,
      .long_running = request_.retry == RetryRule::kWatch,
      .upgrade = upgrade_,
  };
  // An Authorization header of the request takes precedence.
  if (!authentication_->authorization.empty() && !HasAuthorization(request.headers)) {
    request.headers.Set("authorization", authentication_->authorization.Reveal());
  }
  if (span_ != nullptr) span_->Inject(request.headers);
  return request;
}

absl::StatusOr<httpclient::HttpResponse> RequestAttempts::RoundTrip(const Context& ctx,
                                                                    const std::string& url) {
  httpclient::HttpRequest request = MakeRequest(url);
  LogRequest(ctx, request);
  const base::MonotonicTime start = base::Now();
  absl::StatusOr<httpclient::HttpResponse> response =
      client_.transport->RoundTrip(ctx, std::move(request));
  LogResponse(ctx, request_.verb, url, response, base::Now() - start);
  return response;
}

TryOutcome RequestAttempts::AfterTry(const absl::StatusOr<httpclient::HttpResponse>& response) {
  TryOutcome outcome = {.error = response.status(), .status = response.ok() ? response->status : 0};
  if (response.ok()) {
    outcome.retry_after =
        errors::ParseRetryAfter(response->headers.Get("retry-after").value_or(""), base::WallNow());
    outcome.flow_schema_uid =
        std::string(response->headers.Get("x-kubernetes-pf-flowschema-uid").value_or(""));
  }
  if (request_.retry == RetryRule::kDefault) {
    const size_t size = request_.body == nullptr ? 0 : request_.body->size();
    client_.metrics.ObserveRequestSize(request_.verb, size);
  }
  client_.metrics.AddTry(request_.verb, outcome.status, tries_ > 0);
  client_.backoff->Update(outcome.status);
  if (span_ != nullptr) {
    if (tries_ > 0) span_->SetAttribute("http.request.resend_count", int64_t{tries_});
    if (response.ok()) span_->SetAttribute("http.response.status_code", int64_t{outcome.status});
  }
  ++tries_;
  return outcome;
}

bool RequestAttempts::IsSuccess(int status) const {
  if (upgrade_) return status == 101;
  switch (request_.retry) {
    case RetryRule::kDefault:
      return status >= 200 && status <= 206;
    case RetryRule::kStream:
      return status >= 200 && status <= 299;
    case RetryRule::kWatch:
      return status == 200;
  }
  return false;
}

bool RequestAttempts::RenewCredential(const Context& ctx) {
  if (HasAuthorization(headers_)) return false;
  const absl::StatusOr<bool> renewed = client_.authenticator->Rejected(ctx, *authentication_);
  renewal_error_ = renewed.status();
  return renewed.ok() && *renewed;
}

absl::StatusOr<httpclient::HttpResponse> RequestAttempts::Finish(
    const Context& ctx, absl::StatusOr<httpclient::HttpResponse> response) {
  if (!response.ok()) return previous_errors_.Wrap(response.status(), /*is_response=*/false);
  refused_ = true;
  if (!upgrade_ && response->status >= 200 && response->status <= 206) {
    return absl::UnknownError(absl::StrCat("unexpected response ", response->status, " ",
                                           http::StatusText(response->status)));
  }
  // If the body breaks off, the status code says more than the error of the stream.
  const std::string body =
      ReadSome(ctx, *response->body, upgrade_ ? kMaxRefusalBytes : errors::kMaxErrorBodyBytes);
  LogResponseBody(ctx, body);
  HandleWarnings(ctx, response->headers);
  const absl::string_view content_type = response->headers.Get("content-type").value_or("");
  absl::Status error =
      errors::FromHttpResponse({.method = request_.verb,
                                .resource = request_.resource.group_resource(),
                                .name = request_.name.value_or(""),
                                .content_type = client_.content_type},
                               {.code = response->status,
                                .content_type = content_type,
                                .retry_after = response->headers.Get("retry-after").value_or(""),
                                .body = body});
  if (upgrade_) error = WithText(error, content_type, body);
  if (!renewal_error_.ok()) {
    return WithSuffix(error,
                      absl::StrCat(" - failed to refresh credentials: ", renewal_error_.message()));
  }
  return previous_errors_.Wrap(error, /*is_response=*/true);
}

void RequestAttempts::HandleWarnings(const Context& ctx, const http::Headers& headers) const {
  for (const absl::string_view header : headers.GetAll("warning")) {
    for (const Warning& warning : ParseWarnings(header)) {
      client_.warnings->HandleWarning(ctx, warning);
    }
  }
}

}  // namespace kube::rest::internal
