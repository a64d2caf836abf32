#include "envtest/in_process_transport.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/watch/byte_stream.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/rest/config.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport_error.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/in_process_exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::envtest {
namespace {

using httpclient::TransportErrorKind;
using httpserver::InProcessExchange;

// Converts errors of the exchange to those of a connection.
absl::Status ToTransportError(const Context& ctx, const absl::Status& error) {
  // UNAVAILABLE: the handler has closed a connection that has switched protocols.
  if (absl::IsAborted(error) || absl::IsUnavailable(error)) {
    return httpclient::MakeTransportError({.kind = TransportErrorKind::kReset}, error.message());
  }
  if (absl::IsDeadlineExceeded(error) && !ctx.done()) {
    return httpclient::MakeTransportError({.kind = TransportErrorKind::kTimeout},
                                          "timeout awaiting response headers");
  }
  return error;
}

class Body final : public watch::ByteStream {
 public:
  Body(httpserver::Request request, size_t max_buffered_bytes)
      : exchange_(std::move(request), max_buffered_bytes) {}

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    absl::StatusOr<std::string> bytes = exchange_.Read(ctx);
    if (!bytes.ok()) return ToTransportError(ctx, bytes.status());
    return bytes;
  }
  void Close() override { exchange_.Close(); }

  InProcessExchange& exchange() { return exchange_; }

 private:
  InProcessExchange exchange_;
};

// The body of a response whose connection has switched protocols.
class EmptyBody final : public watch::ByteStream {
 public:
  absl::StatusOr<std::string> Read(const Context&) override { return std::string(); }
  void Close() override {}
};

// The client's end of a connection that has switched protocols.
class Connection final : public io::DuplexStream {
 public:
  explicit Connection(std::unique_ptr<io::DuplexStream> inner) : inner_(std::move(inner)) {}

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    absl::StatusOr<std::string> bytes = inner_->Read(ctx);
    if (!bytes.ok()) return ToTransportError(ctx, bytes.status());
    return bytes;
  }
  void Recycle(std::string bytes) override { inner_->Recycle(std::move(bytes)); }
  absl::Status Write(const Context& ctx, absl::string_view bytes) override {
    return ToTransportError(ctx, inner_->Write(ctx, bytes));
  }
  absl::Status Flush(const Context& ctx) override {
    return ToTransportError(ctx, inner_->Flush(ctx));
  }
  absl::Status CloseWrite() override { return inner_->CloseWrite(); }
  void Close() override { inner_->Close(); }

 private:
  const std::unique_ptr<io::DuplexStream> inner_;
};

// Returns INVALID_ARGUMENT for a URL without scheme or host.
absl::StatusOr<httpserver::Request> ToServer(httpclient::HttpRequest request) {
  absl::string_view url = request.url;
  const size_t slashes = url.find("://");
  if (slashes == absl::string_view::npos || slashes == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("send request: unsupported protocol scheme in URL \"", url, "\""));
  }
  httpserver::Request out;
  out.tls = absl::StartsWith(url, "https://");
  url.remove_prefix(slashes + 3);
  const size_t end = std::min(url.find_first_of("/?#"), url.size());
  const absl::string_view authority = url.substr(0, end);
  url.remove_prefix(end);
  out.method = std::move(request.method);
  out.target = absl::StrCat(absl::StartsWith(url, "/") ? "" : "/", url.substr(0, url.find('#')));
  out.headers = std::move(request.headers);
  if (!out.headers.Get("host").has_value()) out.headers.Set("host", authority);
  if (request.body != nullptr) out.body = *request.body;
  if (request.upgrade && !out.headers.Get("connection").has_value()) {
    out.headers.Set("connection", "Upgrade");
  }
  out.http_version = request.upgrade ? 1 : 2;
  out.wants_upgrade = request.upgrade && out.body.empty() &&
                      out.headers.HasToken("connection", "upgrade") &&
                      !out.headers.Get("upgrade").value_or("").empty();
  out.peer_address = "127.0.0.1:0";
  return out;
}

}  // namespace

InProcessTransport::InProcessTransport(httpserver::Handler& handler,
                                       InProcessTransportOptions options)
    : handler_(handler), options_(std::move(options)) {}

absl::StatusOr<httpclient::HttpResponse> InProcessTransport::RoundTrip(
    const Context& ctx, httpclient::HttpRequest request) {
  if (ctx.done()) return ctx.status();
  const absl::Duration header_timeout = request.header_timeout;
  const int http_version = request.upgrade ? 1 : 2;
  KUBE_ASSIGN_OR_RETURN(httpserver::Request received, ToServer(std::move(request)));
  received.client_certificate = options_.client_certificate;

  auto body = std::make_unique<Body>(std::move(received), options_.max_buffered_bytes);
  handler_.Handle(body->exchange().ForHandler());
  absl::StatusOr<InProcessExchange::Head> head =
      body->exchange().WaitForHead(ctx, base::Now() + header_timeout);
  if (!head.ok()) return ToTransportError(ctx, head.status());
  if (std::unique_ptr<io::DuplexStream> connection = body->exchange().TakeConnection()) {
    return httpclient::HttpResponse{
        .status = head->status,
        .headers = std::move(head->headers),
        .body = std::make_unique<EmptyBody>(),
        .connection = std::make_unique<Connection>(std::move(connection)),
        .http_version = http_version};
  }
  if (head->content_length.has_value() && !head->headers.Get("content-length").has_value()) {
    head->headers.Set("content-length", absl::StrCat(*head->content_length));
  }
  return httpclient::HttpResponse{.status = head->status,
                                  .headers = std::move(head->headers),
                                  .body = std::move(body),
                                  .connection = {},
                                  .http_version = http_version};
}

apiserver::User AdminUser() {
  return {.name = "admin", .uid = "admin-uid", .groups = {"system:masters"}};
}

rest::Config InProcessConfig(apiserver::ApiHandler& server, apiserver::User user) {
  const std::string token = base::RandomString(32);
  server.AddToken(token, std::move(user));
  // A local address: without TLS, credentials are sent only to this machine.
  return {.host = "http://localhost",
          .bearer_token = base::Secret(token),
          .proxy_url = "",
          .transport = std::make_shared<InProcessTransport>(server)};
}

}  // namespace kube::envtest
