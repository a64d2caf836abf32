#include "envtest/in_process_transport.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/rest/config.h"
#include "clientset/rest/http_message.h"
#include "clientset/rest/transport_error.h"
#include "envtest/server/handler.h"
#include "envtest/server/user.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/internal/stream.h"

namespace kube::envtest {
namespace {

using httpserver::internal::ResponseHead;
using httpserver::internal::Stream;
using httpserver::internal::StreamEnvironment;
using rest::TransportErrorKind;

constexpr size_t kReadBytes = 64 * 1024;

// The reader's end of a stream: wakes him when there is something.
class Pipe : public std::enable_shared_from_this<Pipe> {
 public:
  // The handler's end.
  std::shared_ptr<Stream> Open(httpserver::Request request, size_t max_buffered_bytes) {
    StreamEnvironment environment;
    environment.max_buffered_bytes = max_buffered_bytes;
    environment.slow_readers = &slow_readers_;
    environment.wake = [pipe = weak_from_this()] {
      if (const auto kept = pipe.lock()) kept->Wake();
    };
    stream_ = std::make_shared<Stream>(std::move(request), std::move(environment));
    return stream_;
  }

  ~Pipe() { Give(absl::CancelledError("the client has given the request up")); }

  // Blocks until the header is there.
  absl::StatusOr<ResponseHead> Head(const Context& ctx, base::MonotonicTime deadline) {
    while (true) {
      const Stream::Phase phase = stream_->phase();
      if (phase == Stream::Phase::kAborted) return Broken();
      while (std::optional<ResponseHead> head = stream_->TakeHead()) {
        if (head->status >= 200) return *std::move(head);
      }
      KUBE_RETURN_IF_ERROR(Wait(ctx, deadline));
    }
  }

  // As ByteStream.
  absl::StatusOr<std::string> Read(const Context& ctx) {
    while (true) {
      std::string bytes(std::min(kReadBytes, stream_->buffered_bytes()), '\0');
      bytes.resize(stream_->Read(bytes.data(), bytes.size()));
      if (!bytes.empty()) return bytes;
      if (closed_) return std::string();
      switch (stream_->phase()) {
        case Stream::Phase::kReady:
          continue;
        case Stream::Phase::kFinished:
          stream_->Close(absl::CancelledError("the answer is complete"));
          return std::string();
        case Stream::Phase::kAborted:
          return Broken();
        case Stream::Phase::kWaiting:
          KUBE_RETURN_IF_ERROR(Wait(ctx, base::MonotonicTime::Infinite()));
      }
    }
  }

  // Ends the exchange, and a Read that blocks.
  void Close() {
    closed_ = true;
    Give(absl::CancelledError("the client has closed"));
    Wake();
  }

 private:
  void Give(const absl::Status& why) {
    if (stream_ != nullptr) stream_->Close(why);
  }

  static absl::Status Broken() {
    return rest::MakeTransportError({.kind = TransportErrorKind::kReset},
                                    "the server broke the response off");
  }

  void Wake() {
    base::MutexLock lock(mutex_);
    awake_ = true;
    changed_.NotifyAll();
  }

  // Until woken, which may have happened since the phase was looked at.
  absl::Status Wait(const Context& ctx, base::MonotonicTime deadline) {
    base::MutexLock lock(mutex_);
    const bool woken = changed_.WaitUntil(
        ctx, mutex_, deadline,
        [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return std::exchange(awake_, false); });
    if (woken) return absl::OkStatus();
    if (ctx.done()) return ctx.status();
    return rest::MakeTransportError({.kind = TransportErrorKind::kTimeout},
                                    "no response in header_timeout");
  }

  std::shared_ptr<Stream> stream_;  // of Open
  std::atomic<int64_t> slow_readers_ = 0;
  std::atomic<bool> closed_ = false;
  base::Mutex mutex_;
  base::CondVar changed_;
  bool awake_ ABSL_GUARDED_BY(mutex_) = false;
};

class Body final : public watch::ByteStream {
 public:
  explicit Body(std::shared_ptr<Pipe> pipe) : pipe_(std::move(pipe)) {}
  ~Body() override { pipe_->Close(); }

  absl::StatusOr<std::string> Read(const Context& ctx) override { return pipe_->Read(ctx); }
  void Close() override { pipe_->Close(); }

 private:
  const std::shared_ptr<Pipe> pipe_;
};

// INVALID_ARGUMENT for a URL without scheme and host.
absl::StatusOr<httpserver::Request> ToServer(rest::HttpRequest request) {
  absl::string_view url = request.url;
  const size_t slashes = url.find("://");
  if (slashes == absl::string_view::npos || slashes == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("send request: the URL \"", url, "\" has no scheme"));
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
  out.http_version = 2;
  out.peer_address = "127.0.0.1:0";
  return out;
}

}  // namespace

InProcessTransport::InProcessTransport(httpserver::Handler& handler,
                                       InProcessTransportOptions options)
    : handler_(handler), options_(std::move(options)) {}

absl::StatusOr<rest::HttpResponse> InProcessTransport::RoundTrip(const Context& ctx,
                                                                 rest::HttpRequest request) {
  if (ctx.done()) return ctx.status();
  const absl::Duration header_timeout = request.header_timeout;
  KUBE_ASSIGN_OR_RETURN(httpserver::Request received, ToServer(std::move(request)));
  received.client_certificate = options_.client_certificate;

  const auto pipe = std::make_shared<Pipe>();
  auto body = std::make_unique<Body>(pipe);
  handler_.Handle(httpserver::internal::ForHandler(
      pipe->Open(std::move(received), options_.max_buffered_bytes)));
  KUBE_ASSIGN_OR_RETURN(ResponseHead head,
                        pipe->Head(ctx, base::Runtime::Current().Now() + header_timeout));
  if (head.content_length.has_value() && !head.headers.Get("content-length").has_value()) {
    head.headers.Set("content-length", absl::StrCat(*head.content_length));
  }
  return rest::HttpResponse{.status = head.status,
                            .headers = std::move(head.headers),
                            .body = std::move(body),
                            .http_version = 2};
}

User AdminUser() { return {.name = "admin", .uid = "admin-uid", .groups = {"system:masters"}}; }

rest::Config InProcessConfig(ApiHandler& server, User user) {
  const std::string token = base::RandomString(32);
  server.AddToken(token, std::move(user));
  // Of this machine: credentials go nowhere else without TLS.
  return {.host = "http://localhost",
          .bearer_token = base::Secret(token),
          .proxy_url = "",
          .transport = std::make_shared<InProcessTransport>(server)};
}

}  // namespace kube::envtest
