#include "apiserver/auth/websocket_token.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "net/http/headers.h"
#include "net/websocket/handshake.h"

namespace kube::apiserver::internal {
namespace {

constexpr absl::string_view kPrefix = "base64url.bearer.authorization.k8s.io.";
constexpr absl::string_view kProtocol = "sec-websocket-protocol";

}  // namespace

absl::StatusOr<std::optional<std::string>> WebSocketToken(const http::Headers& request) {
  std::optional<std::string> token;
  if (!websocket::IsHandshake(request)) return token;
  bool has_other = false;
  for (const std::string& protocol : websocket::OfferedSubprotocols(request)) {
    absl::string_view encoded = protocol;
    if (!absl::ConsumePrefix(&encoded, kPrefix)) {
      has_other = true;
      continue;
    }
    if (token.has_value()) {
      return absl::InvalidArgumentError("multiple base64.bearer.authorization tokens specified");
    }
    std::string decoded;
    // Padding is not allowed, but absl accepts it.
    if (absl::StrContains(encoded, "=") || !absl::WebSafeBase64Unescape(encoded, &decoded)) {
      return absl::InvalidArgumentError("invalid base64.bearer.authorization token encoding");
    }
    token = std::move(decoded);
  }
  if (token.has_value() && token->empty()) token.reset();
  if (token.has_value() && !has_other) {
    return absl::InvalidArgumentError("missing additional subprotocol");
  }
  return token;
}

http::Headers WithoutWebSocketToken(const http::Headers& request) {
  std::vector<std::string> others;
  bool has_token = false;
  for (std::string& protocol : websocket::OfferedSubprotocols(request)) {
    if (absl::StartsWith(protocol, kPrefix)) {
      has_token = true;
    } else {
      others.push_back(std::move(protocol));
    }
  }
  http::Headers headers = request;
  if (!has_token) return headers;
  headers.Remove(kProtocol);
  if (!others.empty()) headers.Add(kProtocol, absl::StrJoin(others, ", "));
  return headers;
}

}  // namespace kube::apiserver::internal
