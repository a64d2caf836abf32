#include "clientset/dynamic/cbor_transport.h"

#include <atomic>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/unstructured/cbor.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/dynamic/internal/cbor_body.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"

namespace kube::dynamic {
namespace {

using httpclient::HttpRequest;
using httpclient::HttpResponse;
using unstructured::Value;

constexpr char kJson[] = "application/json";
constexpr char kCbor[] = "application/cbor";
constexpr char kCborSequence[] = "application/cbor-seq";
constexpr char kApplyYaml[] = "application/apply-patch+yaml";
constexpr char kApplyCbor[] = "application/apply-patch+cbor";
// As client-go asks.
constexpr char kAccept[] = "application/json;q=0.9,application/cbor;q=1";
// What typed clients ask for that speak JSON, and what client-go's ask for that speak CBOR.
constexpr char kTypedJson[] = "application/json, */*";
constexpr char kTypedAccept[] = "application/cbor, */*";

constexpr int kUnsupportedMediaType = 415;

// Returns the content type without parameters, in lower case.
std::string MediaType(const http::Headers& headers) {
  const absl::string_view type = headers.Get("content-type").value_or("");
  return absl::AsciiStrToLower(absl::StripAsciiWhitespace(type.substr(0, type.find(';'))));
}

// Makes the body CBOR if it is an object in JSON. Returns whether it has.
absl::StatusOr<bool> EncodeBody(HttpRequest& request) {
  if (request.body == nullptr) return false;
  const std::string type = MediaType(request.headers);
  const bool is_apply = type == kApplyYaml;
  if (!is_apply && type != kJson) return false;
  const absl::StatusOr<Value> value = unstructured::ParseJson(*request.body);
  // An apply may also be YAML.
  if (!value.ok()) return false;
  KUBE_ASSIGN_OR_RETURN(std::string cbor, unstructured::EncodeCbor(*value));
  request.body = std::make_shared<const std::string>(std::move(cbor));
  request.headers.Set("content-type", is_apply ? kApplyCbor : kCbor);
  return true;
}

class CborTransport final : public httpclient::Transport {
 public:
  CborTransport(std::shared_ptr<httpclient::Transport> next, const CborTransportOptions& options)
      : next_(std::move(next)), options_(options) {}

  absl::StatusOr<HttpResponse> RoundTrip(const Context& ctx, HttpRequest request) override {
    const absl::string_view accept = request.headers.Get("accept").value_or("");
    const bool is_typed = options_.typed && accept == kTypedJson;
    if (accept != kJson && !is_typed) return next_->RoundTrip(ctx, std::move(request));
    request.headers.Set("accept", is_typed ? kTypedAccept : kAccept);
    bool sent = false;
    if (options_.send && !refused_.load()) {
      KUBE_ASSIGN_OR_RETURN(sent, EncodeBody(request));
    }
    KUBE_ASSIGN_OR_RETURN(HttpResponse response, next_->RoundTrip(ctx, std::move(request)));
    if (sent && response.status == kUnsupportedMediaType) refused_.store(true);
    const std::string type = MediaType(response.headers);
    if (type == kCbor || type == kCborSequence) {
      response.body =
          internal::MakeCborBody(std::move(response.body), /*sequence=*/type == kCborSequence);
      response.headers.Set("content-type", kJson);
      response.headers.Remove("content-length");
    }
    return response;
  }

  void CloseIdleConnections() override { next_->CloseIdleConnections(); }
  void CloseConnections(const httpclient::ConnectionOptions& connection) override {
    next_->CloseConnections(connection);
  }

 private:
  const std::shared_ptr<httpclient::Transport> next_;
  const CborTransportOptions options_;
  // Whether the server has refused a body in CBOR.
  std::atomic<bool> refused_ = false;
};

}  // namespace

std::shared_ptr<httpclient::Transport> MakeCborTransport(
    std::shared_ptr<httpclient::Transport> next, const CborTransportOptions& options) {
  return std::make_shared<CborTransport>(std::move(next), options);
}

}  // namespace kube::dynamic
