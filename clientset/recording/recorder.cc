#include "clientset/recording/recorder.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/watch/byte_stream.h"
#include "clientset/recording/exchange.h"
#include "clientset/recording/internal/json_splitter.h"
#include "clientset/recording/internal/lines.h"
#include "clientset/recording/internal/redactor.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"

namespace kube::recording {
namespace {

using httpclient::HttpRequest;
using httpclient::HttpResponse;
using internal::PathKind;

constexpr char kJson[] = "application/json";
constexpr size_t kSaltLength = 40;

RedactionOptions WithSalt(RedactionOptions options) {
  if (options.salt.empty()) options.salt = base::RandomString(kSaltLength);
  return options;
}

// Returns whether a body is JSON, or may be: a server-side apply is JSON that is called YAML.
bool IsJson(const http::Headers& headers) {
  const absl::string_view type = headers.Get("content-type").value_or("");
  return (absl::StrContains(type, "json") || absl::StrContains(type, "yaml")) &&
         headers.Get("content-encoding").value_or("").empty();
}

// What the transports of a Recorder share.
struct State {
  State(std::shared_ptr<Sink> to, const RecorderOptions& options)
      : sink(std::move(to)),
        redactor(WithSalt(options.redaction)),
        max_body_bytes(options.max_body_bytes),
        start(base::Now()) {}

  const std::shared_ptr<Sink> sink;
  const internal::Redactor redactor;
  const int64_t max_body_bytes;
  const base::MonotonicTime start;
  std::atomic<int64_t> last_number = 0;
};

// Writes the lines of one exchange. Its methods are called by one thread at a time.
class ExchangeWriter {
 public:
  ExchangeWriter(std::shared_ptr<State> state, const HttpRequest& request)
      : state_(std::move(state)),
        number_(state_->last_number.fetch_add(1) + 1),
        start_(base::Now()),
        kind_(state_->redactor.KindOf(request.url)) {
    Exchange exchange;
    exchange.number = number_;
    exchange.time = base::WallNow();
    // Zero if the clocks differ: the Recorder was made outside a simulation.
    exchange.start = std::max(start_ - state_->start, absl::ZeroDuration());
    exchange.method = request.method;
    exchange.url = state_->redactor.RedactUrl(request.url);
    exchange.headers = state_->redactor.RedactHeaders(request.headers);
    if (request.body != nullptr) {
      exchange.body = state_->redactor.RedactBody(*request.body, kind_, IsJson(request.headers));
    }
    state_->sink->Write(internal::RequestLine(exchange));
  }

  void Response(const HttpResponse& response) {
    is_json_ = IsJson(response.headers);
    const ResponseHead head = {.at = Elapsed(),
                               .status = response.status,
                               .headers = state_->redactor.RedactHeaders(response.headers),
                               .http_version = response.http_version};
    state_->sink->Write(internal::ResponseLine(number_, head));
  }

  void Body(absl::string_view bytes) {
    if (ended_) return;
    size_ += static_cast<int64_t>(bytes.size());
    if (size_ > state_->max_body_bytes) {
      WriteEnd(ExchangeEnd::kTruncated, absl::OkStatus());
      return;
    }
    // Credentials must be seen as a whole, and so must a body that is replaced as a whole.
    if (state_->redactor.off() || (!is_json_ && kind_ == PathKind::kPlain)) {
      WritePart(std::string(bytes));
      return;
    }
    splitter_.Add(bytes);
    if (!is_json_ || kind_ == PathKind::kOpaque) return;
    while (const std::optional<std::string> document = splitter_.Next()) {
      WritePart(state_->redactor.RedactBody(*document, kind_, is_json_));
    }
  }

  void End(ExchangeEnd end, const absl::Status& error) {
    if (ended_) return;
    if (splitter_.size() > 0) {
      WritePart(state_->redactor.RedactBody(splitter_.Rest(), kind_, is_json_));
    }
    WriteEnd(end, error);
  }

 private:
  absl::Duration Elapsed() const { return std::max(base::Now() - start_, absl::ZeroDuration()); }

  void WritePart(std::string bytes) {
    state_->sink->Write(internal::BodyLine(number_, {.at = Elapsed(), .bytes = std::move(bytes)}));
  }

  void WriteEnd(ExchangeEnd end, const absl::Status& error) {
    ended_ = true;
    state_->sink->Write(internal::EndLine(number_, end, Elapsed(), error));
  }

  const std::shared_ptr<State> state_;
  const int64_t number_;
  const base::MonotonicTime start_;
  const PathKind kind_;
  bool is_json_ = false;
  bool ended_ = false;
  int64_t size_ = 0;
  internal::JsonSplitter splitter_;
};

// A body that is recorded while it is read. Close may come from another thread and is not recorded:
// the end is that of the next Read, or of the destructor.
class RecordedBody final : public watch::ByteStream {
 public:
  RecordedBody(std::unique_ptr<watch::ByteStream> next, ExchangeWriter writer)
      : next_(std::move(next)), writer_(std::move(writer)) {}
  ~RecordedBody() override { writer_.End(ExchangeEnd::kAbandoned, absl::OkStatus()); }

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    absl::StatusOr<std::string> bytes = next_->Read(ctx);
    if (!bytes.ok()) {
      if (closed_.load()) {
        writer_.End(ExchangeEnd::kAbandoned, absl::OkStatus());
      } else if (!ctx.done()) {
        writer_.End(ExchangeEnd::kFailed, bytes.status());
      }
    } else if (bytes->empty()) {
      writer_.End(ExchangeEnd::kComplete, absl::OkStatus());
    } else {
      writer_.Body(*bytes);
    }
    return bytes;
  }

  void Recycle(std::string bytes) override { next_->Recycle(std::move(bytes)); }

  void Close() override {
    closed_.store(true);
    next_->Close();
  }

 private:
  const std::unique_ptr<watch::ByteStream> next_;
  std::atomic<bool> closed_ = false;
  ExchangeWriter writer_;
};

class RecordingTransport final : public httpclient::Transport {
 public:
  RecordingTransport(std::shared_ptr<State> state, std::shared_ptr<httpclient::Transport> next)
      : state_(std::move(state)), next_(std::move(next)) {}

  absl::StatusOr<HttpResponse> RoundTrip(const Context& ctx, HttpRequest request) override {
    if (request.upgrade) return next_->RoundTrip(ctx, std::move(request));
    ExchangeWriter writer(state_, request);
    absl::StatusOr<HttpResponse> response = next_->RoundTrip(ctx, std::move(request));
    if (!response.ok()) {
      if (ctx.done()) {
        writer.End(ExchangeEnd::kAbandoned, absl::OkStatus());
      } else {
        writer.End(ExchangeEnd::kFailed, response.status());
      }
      return response;
    }
    writer.Response(*response);
    response->body = std::make_unique<RecordedBody>(std::move(response->body), std::move(writer));
    return response;
  }

  void CloseIdleConnections() override { next_->CloseIdleConnections(); }
  void CloseConnections(const httpclient::ConnectionOptions& connection) override {
    next_->CloseConnections(connection);
  }

 private:
  const std::shared_ptr<State> state_;
  const std::shared_ptr<httpclient::Transport> next_;
};

}  // namespace

Recorder::Recorder(std::shared_ptr<Sink> sink, const RecorderOptions& options) {
  sink->Write(internal::RecordingLine(/*redacted=*/!options.redaction.off));
  wrap_ = [state = std::make_shared<State>(std::move(sink), options)](
              std::shared_ptr<httpclient::Transport> next) {
    return std::make_shared<RecordingTransport>(state, std::move(next));
  };
}

rest::Config Recorder::Record(rest::Config config) const {
  if (config.content_type.empty()) config.content_type = kJson;
  rest::Wrap(config, wrap_);
  return config;
}

std::shared_ptr<httpclient::Transport> Recorder::Wrap(
    std::shared_ptr<httpclient::Transport> next) const {
  return wrap_(std::move(next));
}

}  // namespace kube::recording
