#ifndef NET_WEBSOCKET_HANDSHAKE_H_
#define NET_WEBSOCKET_HANDSHAKE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "net/http/headers.h"

// The opening handshake (RFC 6455, section 4): a GET of HTTP/1.1 that asks for the protocol, and
// its answer 101 Switching Protocols. Pure functions and values; HTTP itself is somebody else's.
//
// Subprotocols are compared as they are, with regard to case, and are any text without commas,
// blanks and control characters. The RFC wants tokens, but Kubernetes uses "SPDY/3.1+…".
namespace kube::websocket {

// A client's handshake.
//
//   KUBE_ASSIGN_OR_RETURN(const ClientHandshake handshake, MakeClientHandshake({"a", "b"}));
//   const http::Headers request = handshake.RequestHeaders();
//   ...
//   KUBE_ASSIGN_OR_RETURN(const std::string chosen, handshake.CheckResponse(status, response));
//
// Immutable.
class ClientHandshake {
 public:
  // Returns the lines that are added to the header of the request: Connection, Upgrade and
  // Sec-WebSocket-Version, -Key and -Protocol. Extensions are not offered.
  http::Headers RequestHeaders() const;

  // Checks the header of the answer and returns the subprotocol that the server has chosen, or ""
  // if none was offered. The WebSocket begins with the next byte.
  //
  // Returns FAILED_PRECONDITION if the server does not switch protocols, with a message such as
  // "websocket: bad handshake (403 Forbidden)" (the body has the cause), or if it chooses no
  // subprotocol or another one than those offered; and DATA_LOSS if the answer is not that of a
  // WebSocket server to this request. As in client-go, a server must choose a subprotocol if some
  // were offered.
  absl::StatusOr<std::string> CheckResponse(int status, const http::Headers& headers) const;

 private:
  friend absl::StatusOr<ClientHandshake> MakeClientHandshake(std::vector<std::string> subprotocols);
  ClientHandshake(std::vector<std::string> subprotocols, std::string key);

  std::vector<std::string> subprotocols_;
  std::string key_;
};

// Makes a handshake with a random key that offers the subprotocols, the preferred one first.
// Returns INVALID_ARGUMENT if one is empty, occurs twice or contains a character that it must not.
absl::StatusOr<ClientHandshake> MakeClientHandshake(std::vector<std::string> subprotocols = {});

// Returns whether a request asks for a WebSocket; otherwise it is an ordinary one.
bool IsHandshake(const http::Headers& request);

// Returns the subprotocols that a request offers, the preferred one first.
std::vector<std::string> OfferedSubprotocols(const http::Headers& request);

// A server's answer to a handshake.
struct HandshakeAnswer {
  // 101, or the code of an error.
  int status = 101;
  // The lines that are added to the header of the answer.
  http::Headers headers = {};
  // The subprotocol that was chosen, or "".
  std::string subprotocol = {};
  // Why the request is refused; "" if it is not.
  std::string reason = {};
};

// Answers a request whose IsHandshake as golang.org/x/net/websocket and the handshake function of
// Kubernetes do: 405 if the method is not GET, 400 if the version is not 13 or the key is not one,
// and 403 if the server knows none of the subprotocols. Otherwise the server chooses the first of
// the client's list that it knows. `known` contains "" if clients without a subprotocol are
// welcome.
HandshakeAnswer AnswerHandshake(absl::string_view method, const http::Headers& request,
                                absl::Span<const std::string> known);

// Returns the Sec-WebSocket-Accept with which a server proves that it has read the key.
std::string AcceptOf(absl::string_view key);

}  // namespace kube::websocket

#endif  // NET_WEBSOCKET_HANDSHAKE_H_
