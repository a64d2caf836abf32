#include "apiserver/encoding/cbor_exchange.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/scheme/negotiate.h"
#include "apimachinery/unstructured/cbor.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"

namespace kube::apiserver::internal {
namespace {

using httpserver::Exchange;
using unstructured::Value;

constexpr char kJson[] = "application/json";
constexpr char kCbor[] = "application/cbor";
constexpr char kCborSequence[] = "application/cbor-seq";
constexpr char kApplyYaml[] = "application/apply-patch+yaml";
constexpr char kApplyCbor[] = "application/apply-patch+cbor";

// Returns the media type of a Content-Type header, or "" if it is not one.
std::string MediaTypeIn(const http::Headers& headers) {
  const absl::StatusOr<scheme::MediaType> type =
      scheme::ParseMediaType(headers.Get("content-type").value_or(""));
  return type.ok() ? type->media_type : std::string();
}

// Does not judge the parameters of a clause: that is left to the handler.
class AnyTransform final : public scheme::EndpointRestrictions {
 public:
  bool AllowsMediaTypeTransform(const scheme::SerializerInfo&,
                                const schema::GroupVersionKind*) const override {
    return true;
  }
};

// Returns whether the client prefers CBOR to what the server has besides.
bool PrefersCbor(absl::string_view accept) {
  if (!absl::StrContains(accept, kCbor)) return false;
  std::vector<scheme::SerializerInfo> supported(scheme::SupportedMediaTypes().begin(),
                                                scheme::SupportedMediaTypes().end());
  supported.push_back(
      {.media_type = kCbor, .type = "application", .subtype = "cbor", .streams = true});
  const std::optional<scheme::NegotiatedOutput> output =
      scheme::NegotiateMediaTypeOptions(accept, supported, AnyTransform());
  return output.has_value() && output->accepted.media_type == kCbor;
}

// Makes the body JSON, which has one of the two types of CBOR.
void DecodeBody(absl::string_view type, httpserver::Request& request) {
  request.headers.Set("content-type", type == kCbor ? kJson : kApplyYaml);
  const absl::StatusOr<Value> value = unstructured::ParseCbor(request.body);
  if (!value.ok()) return;
  absl::StatusOr<std::string> json = unstructured::EncodeJson(*value);
  if (json.ok()) request.body = *std::move(json);
}

// Returns JSON as CBOR, or nullopt if it is not JSON, such as a body that a fault has cut.
std::optional<std::string> CborOf(absl::string_view json) {
  const absl::StatusOr<Value> value = unstructured::ParseJson(json);
  if (!value.ok()) return std::nullopt;
  absl::StatusOr<std::string> cbor = unstructured::EncodeCbor(*value);
  if (!cbor.ok()) return std::nullopt;
  return *std::move(cbor);
}

class CborExchange final : public Exchange {
 public:
  CborExchange(std::shared_ptr<Exchange> next, httpserver::Request request, bool answers_cbor)
      : next_(std::move(next)), request_(std::move(request)), answers_cbor_(answers_cbor) {}

  const httpserver::Request& request() const override { return request_; }
  const Context& context() const override { return next_->context(); }
  bool can_answer() const override { return next_->can_answer(); }
  void Inform(int status, http::Headers headers) override {
    next_->Inform(status, std::move(headers));
  }

  void Respond(httpserver::Response response) override {
    if (answers_cbor_ && MediaTypeIn(response.headers) == kJson) {
      if (std::optional<std::string> cbor = CborOf(response.body); cbor.has_value()) {
        response.headers.Set("content-type", kCbor);
        response.body = *std::move(cbor);
      }
    }
    next_->Respond(std::move(response));
  }

  void Start(int status, http::Headers headers) override {
    if (answers_cbor_ && MediaTypeIn(headers) == kJson) {
      headers.Set("content-type", kCborSequence);
      base::MutexLock lock(mutex_);
      is_sequence_ = true;
    }
    next_->Start(status, std::move(headers));
  }

  // Pieces of one answer come from one thread at a time, so that converted ones stay in order.
  bool Write(std::string piece) override {
    {
      base::MutexLock lock(mutex_);
      if (is_sequence_) piece = TakeEvents(piece);
    }
    return piece.empty() ? next_->can_answer() : next_->Write(std::move(piece));
  }

  void Finish(http::Headers trailers) override { next_->Finish(std::move(trailers)); }
  absl::StatusOr<std::unique_ptr<io::DuplexStream>> SwitchProtocols(
      http::Headers headers) override {
    return next_->SwitchProtocols(std::move(headers));
  }
  void Abort() override { next_->Abort(); }
  size_t buffered_bytes() const override { return next_->buffered_bytes(); }
  bool PauseUntilDrained(size_t limit, std::function<void()> drained) override {
    return next_->PauseUntilDrained(limit, std::move(drained));
  }

 private:
  // Adds a piece to the line that is incomplete, and returns the complete lines as CBOR.
  std::string TakeEvents(absl::string_view piece) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    line_.append(piece.data(), piece.size());
    std::string events;
    size_t begin = 0;
    for (size_t end = line_.find('\n'); end != std::string::npos; end = line_.find('\n', begin)) {
      const absl::string_view line = absl::string_view(line_).substr(begin, end - begin);
      if (std::optional<std::string> cbor = CborOf(line); cbor.has_value()) events += *cbor;
      begin = end + 1;
    }
    line_.erase(0, begin);
    return events;
  }

  const std::shared_ptr<Exchange> next_;
  const httpserver::Request request_;
  const bool answers_cbor_;
  base::Mutex mutex_;
  bool is_sequence_ ABSL_GUARDED_BY(mutex_) = false;
  std::string line_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

std::shared_ptr<Exchange> WithCbor(std::shared_ptr<Exchange> exchange) {
  const absl::string_view path = exchange->request().path();
  if (!absl::StartsWith(path, "/api/") && !absl::StartsWith(path, "/apis/")) return exchange;
  const std::string accept(exchange->request().headers.Get("accept").value_or(""));
  const bool answers_cbor = PrefersCbor(accept);
  const std::string type = MediaTypeIn(exchange->request().headers);
  const bool sends_cbor = type == kCbor || type == kApplyCbor;
  if (!answers_cbor && !sends_cbor) return exchange;
  httpserver::Request request = exchange->request();
  if (sends_cbor) DecodeBody(type, request);
  if (answers_cbor) {
    request.headers.Set("accept",
                        absl::StrReplaceAll(accept, {{kCborSequence, kJson}, {kCbor, kJson}}));
  }
  return std::make_shared<CborExchange>(std::move(exchange), std::move(request), answers_cbor);
}

}  // namespace kube::apiserver::internal
