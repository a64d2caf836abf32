#ifndef APISERVER_AUTH_WEBSOCKET_TOKEN_H_
#define APISERVER_AUTH_WEBSOCKET_TOKEN_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "net/http/headers.h"

// Bearer tokens of browsers, which cannot set headers of a WebSocket: a subprotocol that consists
// of a prefix and the token in base64url. (kube-apiserver:
// `pkg/authentication/request/websocket`) Pure and thread-safe.
namespace kube::apiserver::internal {

// Returns the token of a request, or nullopt if it does not ask for a WebSocket or has no token
// there. Returns INVALID_ARGUMENT if it has two tokens, if the token is not base64url, or if no
// other subprotocol is offered, which the server could choose. Errors do not contain the token.
absl::StatusOr<std::optional<std::string>> WebSocketToken(const http::Headers& request);

// Returns the headers of a request without the subprotocol that is a token.
http::Headers WithoutWebSocketToken(const http::Headers& request);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_AUTH_WEBSOCKET_TOKEN_H_
