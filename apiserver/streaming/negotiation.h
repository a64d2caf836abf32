#ifndef APISERVER_STREAMING_NEGOTIATION_H_
#define APISERVER_STREAMING_NEGOTIATION_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"

// Chooses the protocol that a client and the server speak after an upgrade, or refuses the upgrade
// with the texts of kube-apiserver and of the kubelet behind it. Pure and thread-safe.
namespace kube::apiserver::internal {

// What carries the streams of a session.
enum class Carrier {
  kWebSocket,  // channels of a WebSocket, each a number
  kSpdy,       // streams of SPDY/3.1
  kTunnel,     // streams of SPDY/3.1 in the messages of a WebSocket
};

struct Negotiation {
  // The response, if there is no common protocol; the other members are then not set.
  std::optional<httpserver::Response> refusal = {};
  Carrier carrier = Carrier::kWebSocket;
  // Such as "v5.channel.k8s.io"; without the prefix of a tunnel. May be empty for a WebSocket.
  std::string protocol = {};
  // All headers of the response with code 101.
  http::Headers headers = {};
};

// Chooses the protocol of exec and attach. The request must want an upgrade.
//
// A WebSocket that offers version 5 gets it. Others get the versions 4 and 1, in which stdin cannot
// be ended alone. SPDY has the versions 4 to 1.
Negotiation NegotiateCommand(const httpserver::Request& request);

// Chooses the protocol of port-forward.
Negotiation NegotiatePorts(const httpserver::Request& request);

// Returns whether the request wants to become a WebSocket with channels for each port, of which the
// query must name at least one.
bool WantsPortChannels(const httpserver::Request& request);

// Returns a refusal with a plain text, as a kubelet sends it.
httpserver::Response PlainRefusal(int code, absl::string_view text);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_STREAMING_NEGOTIATION_H_
