#include "apiserver/webhooks/webhook_caller.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/go_text.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/errors/errors.h"
#include "apiserver/webhook.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/http_transport.h"
#include "net/httpclient/transport.h"

namespace kube::apiserver::internal {
namespace {

namespace metav1 = api::meta::v1;

// An answer that is longer is an error.
constexpr size_t kMaxAnswerBytes = size_t{64} << 20;

// Returns a path that begins with a slash and does not end with one, unless it is "/".
std::string Cleaned(absl::string_view path) {
  while (absl::ConsumeSuffix(&path, "/")) {
  }
  return absl::StrCat(absl::StartsWith(path, "/") ? "" : "/", path);
}

std::string CleanedUrl(absl::string_view url) {
  const size_t scheme = url.find("://");
  const size_t host = scheme == absl::string_view::npos ? 0 : scheme + 3;
  const size_t slash = url.find('/', host);
  const absl::string_view path = slash == absl::string_view::npos ? "" : url.substr(slash);
  return absl::StrCat(url.substr(0, slash), Cleaned(path));
}

std::string ServiceKey(absl::string_view namespace_name, absl::string_view service,
                       absl::string_view path) {
  return absl::StrCat(namespace_name, "/", service, Cleaned(path));
}

std::string AddressKey(absl::string_view namespace_name, absl::string_view service, int port) {
  return absl::StrCat(namespace_name, "/", service, ":", port);
}

std::string ServerName(const WebhookTarget& target) {
  return absl::StrCat(target.service, ".", target.namespace_name, ".svc");
}

// Returns "?timeout=10s", rounded up to whole seconds, or "" without a deadline.
std::string TimeoutQuery(const Context& ctx) {
  const absl::Duration left = ctx.TimeLeft();
  if (left == absl::InfiniteDuration() || left <= absl::ZeroDuration()) return "";
  return absl::StrCat("?timeout=", text::GoDuration(absl::Ceil(left, absl::Seconds(1))));
}

// Returns the error of a request that got no answer, with the words of Go.
absl::Status PostError(const Context& ctx, absl::string_view url, const absl::Status& error) {
  const absl::string_view cause = !ctx.done() ? error.message()
                                  : absl::IsDeadlineExceeded(ctx.status())
                                      ? "context deadline exceeded"
                                      : "context canceled";
  return absl::UnavailableError(absl::StrCat("Post ", text::Quoted(url), ": ", cause));
}

absl::StatusOr<std::string> ReadBody(const Context& ctx, httpclient::HttpResponse& response) {
  std::string body;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string piece, response.body->Read(ctx));
    if (piece.empty()) return body;
    body += piece;
    if (body.size() > kMaxAnswerBytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the response is longer than ", kMaxAnswerBytes, " bytes"));
    }
  }
}

// Returns the error of an answer with an error code: that of the Status in it, or a generic one
// (client-go: `Request.transformResponse`).
absl::Status CodeError(const httpclient::HttpResponse& response, absl::string_view body) {
  const absl::StatusOr<metav1::Status> status = codec::DecodeJson<metav1::Status>(body);
  if (status.ok() && status->kind == "Status" && status->api_version == "v1" &&
      status->status != "Success") {
    return absl::UnavailableError(status->message.view());
  }
  const absl::string_view type = response.headers.Get("content-type").value_or("");
  const bool is_text = type.empty() || absl::StartsWithIgnoreCase(type, "text/");
  return absl::UnavailableError(
      errors::GenericServerResponse(
          {.code = response.status,
           .method = "POST",
           .server_message = is_text ? absl::StripAsciiWhitespace(body) : "unknown",
           .is_unexpected = true})
          .message());
}

void Put(std::map<std::string, std::shared_ptr<const WebhookFunction>>& functions, std::string key,
         WebhookFunction function) {
  if (function == nullptr) {
    functions.erase(key);
  } else {
    functions[std::move(key)] = std::make_shared<const WebhookFunction>(std::move(function));
  }
}

}  // namespace

std::string WebhookTarget::Url() const {
  if (!url.empty()) return CleanedUrl(url);
  return absl::StrCat("https://", ServerName(*this), ":", port, Cleaned(path));
}

void WebhookCaller::SetFunction(absl::string_view url, WebhookFunction function) {
  base::MutexLock lock(mutex_);
  Put(functions_, CleanedUrl(url), std::move(function));
}

void WebhookCaller::SetFunction(absl::string_view namespace_name, absl::string_view service,
                                absl::string_view path, WebhookFunction function) {
  base::MutexLock lock(mutex_);
  Put(service_functions_, ServiceKey(namespace_name, service, path), std::move(function));
}

void WebhookCaller::SetServiceAddress(absl::string_view namespace_name, absl::string_view service,
                                      int port, absl::string_view address) {
  std::string key = AddressKey(namespace_name, service, port);
  base::MutexLock lock(mutex_);
  if (address.empty()) {
    addresses_.erase(key);
  } else {
    addresses_[std::move(key)] = std::string(address);
  }
}

std::shared_ptr<const WebhookFunction> WebhookCaller::FindFunction(
    const WebhookTarget& target) const {
  const bool is_url = !target.url.empty();
  const std::string key = is_url ? CleanedUrl(target.url)
                                 : ServiceKey(target.namespace_name, target.service, target.path);
  base::MutexLock lock(mutex_);
  const auto& functions = is_url ? functions_ : service_functions_;
  const auto found = functions.find(key);
  return found == functions.end() ? nullptr : found->second;
}

absl::StatusOr<std::shared_ptr<httpclient::Transport>> WebhookCaller::GetTransport() {
  base::MutexLock lock(mutex_);
  if (transport_ == nullptr) {
    KUBE_ASSIGN_OR_RETURN(transport_, httpclient::MakeHttpTransport());
  }
  return transport_;
}

absl::StatusOr<std::string> WebhookCaller::Send(const Context& ctx, const WebhookTarget& target,
                                                const std::string& url, std::string body) {
  httpclient::ConnectionOptions connection;
  connection.ca_certificates = target.ca_bundle;
  connection.http_version = httpclient::HttpVersion::kHttp1;
  httpclient::HttpRequest request;
  request.method = "POST";
  request.url = url;
  request.headers = {{"content-type", "application/json"},
                     {"accept", "application/json, */*"},
                     {"user-agent", "kube-apiserver-admission"}};
  if (target.url.empty()) {
    connection.tls_server_name = ServerName(target);
    base::MutexLock lock(mutex_);
    const auto found =
        addresses_.find(AddressKey(target.namespace_name, target.service, target.port));
    if (found == addresses_.end()) {
      return PostError(ctx, url,
                       absl::NotFoundError(
                           absl::StrCat("service ", text::Quoted(target.service),
                                        " not found (ApiHandler::SetWebhook, SetServiceAddress)")));
    }
    request.url = absl::StrCat("https://", found->second, Cleaned(target.path), TimeoutQuery(ctx));
    request.headers.Set("host", absl::StrCat(ServerName(target), ":", target.port));
  }
  request.connection = std::make_shared<const httpclient::ConnectionOptions>(std::move(connection));
  request.body = std::make_shared<const std::string>(std::move(body));
  const absl::StatusOr<std::shared_ptr<httpclient::Transport>> transport = GetTransport();
  if (!transport.ok()) return PostError(ctx, url, transport.status());
  absl::StatusOr<httpclient::HttpResponse> response =
      (*transport)->RoundTrip(ctx, std::move(request));
  if (!response.ok()) return PostError(ctx, url, response.status());
  absl::StatusOr<std::string> answer = ReadBody(ctx, *response);
  if (!answer.ok()) return PostError(ctx, url, answer.status());
  if (response->status < 200 || response->status > 206) return CodeError(*response, *answer);
  if (answer->empty()) {
    return absl::UnavailableError(
        absl::StrCat("0-length response with status code: ", response->status,
                     " and content type: ", response->headers.Get("content-type").value_or("")));
  }
  return answer;
}

absl::StatusOr<std::string> WebhookCaller::Call(const Context& ctx, const WebhookTarget& target,
                                                std::string body) {
  const std::string url = absl::StrCat(target.Url(), TimeoutQuery(ctx));
  const std::shared_ptr<const WebhookFunction> function = FindFunction(target);
  if (function == nullptr) return Send(ctx, target, url, std::move(body));
  absl::StatusOr<std::string> answer = (*function)(ctx, body);
  // A client over the network would no longer be there.
  if (ctx.done()) return PostError(ctx, url, ctx.status());
  if (!answer.ok()) return PostError(ctx, url, answer.status());
  return answer;
}

}  // namespace kube::apiserver::internal
