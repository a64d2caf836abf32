#include "net/httpclient/http_transport.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/watch/byte_stream.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/internal/active_transfer.h"
#include "net/httpclient/internal/curl_error.h"
#include "net/httpclient/internal/endpoint.h"
#include "net/httpclient/internal/gzip_stream.h"
#include "net/httpclient/internal/http_engine.h"
#include "net/httpclient/internal/transfer.h"
#include "net/httpclient/internal/transport_metrics.h"
#include "net/io/duplex_stream.h"
#include "net/io/event_loop.h"

namespace kube::httpclient {
namespace {

using httpclient::internal::ActiveTransfer;
using httpclient::internal::ResponseHead;
using httpclient::internal::Transfer;
using httpclient::internal::TransferCounters;

absl::Status CheckRequest(const HttpRequest& request) {
  if (!http::IsHeaderName(request.method)) {
    return absl::InvalidArgumentError(absl::StrCat("send request: invalid HTTP method \"",
                                                   absl::CHexEscape(request.method), "\""));
  }
  for (const http::Header& header : request.headers) {
    if (http::IsHeaderName(header.name) && http::IsHeaderValue(header.value)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("send request: invalid header field \"", absl::CHexEscape(header.name), "\""));
  }
  return absl::OkStatus();
}

// Adds "accept-encoding: gzip" as Go's net/http does: unless the caller has set the header itself,
// asks for a range, or sends HEAD. The bytes of another protocol are never packed.
bool AskForGzip(HttpRequest& request) {
  if (!request.accept_gzip || request.upgrade || request.method == "HEAD" ||
      request.headers.Get("accept-encoding") || request.headers.Get("range")) {
    return false;
  }
  request.headers.Add("accept-encoding", "gzip");
  return true;
}

// The body of a response. Destroying it gives up the transfer. It may outlive the transport.
class Body final : public watch::ByteStream {
 public:
  Body(std::shared_ptr<Transfer> transfer, std::shared_ptr<io::EventLoop> loop)
      : transfer_(std::move(transfer)), loop_(std::move(loop)) {}
  ~Body() override { Close(); }

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    bool resume = false;
    absl::StatusOr<std::string> bytes = transfer_->Read(ctx, resume);
    if (resume) Tell(&ActiveTransfer::Resume);
    return bytes;
  }

  void Recycle(std::string bytes) override { transfer_->Recycle(std::move(bytes)); }

  void Close() override {
    if (transfer_->Abandon()) Tell(&ActiveTransfer::Cancel);
  }

  // Writes to the connection; only after 101.
  absl::Status Write(const Context& ctx, absl::string_view bytes) {
    bool wake = false;
    const absl::Status status = transfer_->outgoing()->Write(ctx, bytes, wake);
    if (wake) Tell(&ActiveTransfer::Send);
    return status;
  }
  absl::Status Flush(const Context& ctx) { return transfer_->outgoing()->Flush(ctx); }

 private:
  // Calls `what` on the I/O thread, unless the transfer has ended by then.
  void Tell(void (ActiveTransfer::*what)()) {
    loop_->Post([transfer = transfer_, what] {
      if (ActiveTransfer* const active = transfer->io()) (active->*what)();
    });
  }

  const std::shared_ptr<Transfer> transfer_;
  const std::shared_ptr<io::EventLoop> loop_;
};

// The body of a response with 101.
class NoBody final : public watch::ByteStream {
 public:
  absl::StatusOr<std::string> Read(const Context&) override { return std::string(); }
  void Close() override {}
};

// A connection whose protocol was switched.
class SwitchedConnection final : public io::DuplexStream {
 public:
  explicit SwitchedConnection(std::unique_ptr<Body> body) : body_(std::move(body)) {}

  absl::StatusOr<std::string> Read(const Context& ctx) override { return body_->Read(ctx); }
  void Recycle(std::string bytes) override { body_->Recycle(std::move(bytes)); }
  void Close() override { body_->Close(); }
  absl::Status Write(const Context& ctx, absl::string_view bytes) override {
    return body_->Write(ctx, bytes);
  }
  absl::Status Flush(const Context& ctx) override { return body_->Flush(ctx); }
  absl::Status CloseWrite() override {
    return absl::UnimplementedError("close one direction of a connection: not supported");
  }

 private:
  const std::unique_ptr<Body> body_;
};

}  // namespace

class HttpTransport::Impl {
 public:
  explicit Impl(const HttpTransportOptions& options)
      : options_(options), engine_(options_, *loop_, metrics_) {}
  ~Impl() { engine_.Stop(); }

  absl::Status Start();
  absl::StatusOr<HttpResponse> RoundTrip(const Context& ctx, HttpRequest request);
  void CloseIdleConnections() { engine_.CloseIdle(); }
  void CloseConnections(const ConnectionOptions& connection) { engine_.Close(connection); }
  absl::Status Shutdown(const Context& ctx);
  HttpTransportStatistics statistics() const;

 private:
  const HttpTransportOptions options_;
  const std::shared_ptr<io::EventLoop> loop_ = std::make_shared<io::EventLoop>();
  const std::shared_ptr<TransferCounters> counters_ = std::make_shared<TransferCounters>();
  httpclient::internal::TransportMetrics metrics_;
  httpclient::internal::HttpEngine engine_;
  base::Event ended_;
  base::Thread thread_;
};

absl::Status HttpTransport::Impl::Start() {
  KUBE_RETURN_IF_ERROR(metrics_.Register(*options_.metrics), "register metrics of transport");
  KUBE_RETURN_IF_ERROR(engine_.Open());
  // The I/O thread waits for sockets, which only the real clock can time.
  base::RuntimeScope real(base::Runtime::Real());
  return thread_.Start(Context(), "rest-transport", [this](const Context&) {
    engine_.Run();
    ended_.Set();
  });
}

absl::StatusOr<HttpResponse> HttpTransport::Impl::RoundTrip(const Context& ctx,
                                                            HttpRequest request) {
  KUBE_RETURN_IF_ERROR(CheckRequest(request));
  KUBE_ASSIGN_OR_RETURN(httpclient::internal::Endpoint endpoint,
                        httpclient::internal::ParseEndpoint(request.url));
  KUBE_RETURN_IF_ERROR(ctx.status());
  const bool gzip = AskForGzip(request);
  const auto transfer = std::make_shared<Transfer>(std::move(request), std::move(endpoint),
                                                   options_.max_buffered_bytes, counters_);
  // From here on every return gives up the request by destroying `body`.
  auto body = std::make_unique<Body>(transfer, loop_);
  if (!engine_.Start(transfer)) {
    return httpclient::internal::ClosedError(/*maybe_sent=*/false);
  }
  KUBE_ASSIGN_OR_RETURN(ResponseHead head, transfer->AwaitHead(ctx));
  HttpResponse response = {
      .status = head.status, .headers = std::move(head.headers), .http_version = head.http_version};
  if (head.status == 101) {
    response.body = std::make_unique<NoBody>();
    response.connection = std::make_unique<SwitchedConnection>(std::move(body));
  } else {
    response.body = std::move(body);
  }
  if (gzip) httpclient::internal::UnpackGzip(response);
  return response;
}

absl::Status HttpTransport::Impl::Shutdown(const Context& ctx) {
  engine_.Shutdown();
  const absl::Status status = ended_.Wait(ctx);
  if (!status.ok()) {
    engine_.Stop();
    KUBE_RETURN_IF_ERROR(ended_.Wait(Context()));
  }
  return status;
}

HttpTransportStatistics HttpTransport::Impl::statistics() const {
  return {.connections = metrics_.connections(),
          .requests = counters_->requests,
          .opened_connections = metrics_.opened(),
          .failed_connections = metrics_.failed(),
          .paused = metrics_.paused(),
          .buffered_bytes = counters_->buffered_bytes};
}

HttpTransport::HttpTransport(Key, std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpTransport::~HttpTransport() = default;

absl::StatusOr<HttpResponse> HttpTransport::RoundTrip(const Context& ctx, HttpRequest request) {
  return impl_->RoundTrip(ctx, std::move(request));
}

void HttpTransport::CloseIdleConnections() { impl_->CloseIdleConnections(); }

void HttpTransport::CloseConnections(const ConnectionOptions& connection) {
  impl_->CloseConnections(connection);
}

absl::Status HttpTransport::Shutdown(const Context& ctx) { return impl_->Shutdown(ctx); }

HttpTransportStatistics HttpTransport::statistics() const { return impl_->statistics(); }

absl::StatusOr<std::shared_ptr<HttpTransport>> MakeHttpTransport(
    const HttpTransportOptions& options) {
  auto impl = std::make_unique<HttpTransport::Impl>(options);
  KUBE_RETURN_IF_ERROR(impl->Start());
  return std::make_shared<HttpTransport>(HttpTransport::Key(), std::move(impl));
}

}  // namespace kube::httpclient
