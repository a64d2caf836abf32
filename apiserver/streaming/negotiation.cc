#include "apiserver/streaming/negotiation.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "apimachinery/remotecommand/protocol.h"
#include "apiserver/auth/websocket_token.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/websocket/handshake.h"

namespace kube::apiserver::internal {
namespace {

constexpr absl::string_view kSpdy = "SPDY/3.1";
constexpr absl::string_view kTunnelPrefix = "SPDY/3.1+";
constexpr absl::string_view kTunnelSuffix = ".k8s.io";
constexpr absl::string_view kPortForward = "portforward.k8s.io";
constexpr absl::string_view kVersionHeader = "x-stream-protocol-version";
constexpr absl::string_view kAcceptedHeader = "x-accepted-stream-protocol-versions";

bool Contains(absl::Span<const std::string> texts, absl::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

Negotiation Refuse(httpserver::Response response) {
  Negotiation refused;
  refused.refusal = std::move(response);
  return refused;
}

Negotiation AcceptWebSocket(const httpserver::Request& request, Carrier carrier,
                            const std::vector<std::string>& known) {
  const http::Headers headers = WithoutWebSocketToken(request.headers);
  websocket::HandshakeAnswer answer = websocket::AnswerHandshake(request.method, headers, known);
  if (answer.status != 101) {
    httpserver::Response response = PlainRefusal(answer.status, answer.reason);
    for (const http::Header& each : answer.headers) response.headers.Add(each.name, each.value);
    return Refuse(std::move(response));
  }
  Negotiation accepted;
  accepted.carrier = carrier;
  accepted.protocol = std::string(
      absl::StripPrefix(answer.subprotocol, carrier == Carrier::kTunnel ? kTunnelPrefix : ""));
  accepted.headers = std::move(answer.headers);
  return accepted;
}

// Returns the elements of all lines of the header.
std::vector<std::string> OfferedVersions(const http::Headers& headers) {
  std::vector<std::string> versions;
  for (const absl::string_view line : headers.GetAll(kVersionHeader)) {
    for (const absl::string_view element : absl::StrSplit(line, ',')) {
      const absl::string_view version = absl::StripAsciiWhitespace(element);
      if (!version.empty()) versions.emplace_back(version);
    }
  }
  return versions;
}

Negotiation NothingInCommon(const std::vector<std::string>& offered,
                            const std::vector<std::string>& known) {
  httpserver::Response response = PlainRefusal(
      403, absl::StrCat("unable to upgrade: unable to negotiate protocol: client supports [",
                        absl::StrJoin(offered, " "), "], server accepts [",
                        absl::StrJoin(known, " "), "]\n"));
  for (const std::string& each : known) response.headers.Add(kAcceptedHeader, each);
  return Refuse(std::move(response));
}

// As `httpstream.Handshake` and `spdy.UpgradeResponse` of k8s.io/streaming.
Negotiation AcceptSpdy(const httpserver::Request& request, const std::vector<std::string>& known) {
  const auto bad_request = [](absl::string_view text) {
    return Refuse(PlainRefusal(400, absl::StrCat("unable to upgrade: ", text, "\n")));
  };
  if (!request.headers.Get(kVersionHeader).has_value()) {
    return bad_request(absl::StrCat("header X-Stream-Protocol-Version does not exist in request ",
                                    "with ", request.headers.size(), " headers"));
  }
  const std::vector<std::string> offered = OfferedVersions(request.headers);
  if (offered.empty()) {
    return bad_request("header X-Stream-Protocol-Version contains no valid protocols");
  }
  const auto chosen = std::find_if(offered.begin(), offered.end(),
                                   [&](const std::string& each) { return Contains(known, each); });
  if (chosen == offered.end()) return NothingInCommon(offered, known);
  // Upstream shows all headers, and with them the client's token.
  const absl::string_view upgrade = request.headers.Get("upgrade").value_or("");
  if (!absl::StrContains(absl::AsciiStrToLower(upgrade), absl::AsciiStrToLower(kSpdy))) {
    return bad_request(
        absl::StrCat("missing upgrade headers in request: upgrade is \"", upgrade, "\""));
  }
  Negotiation accepted;
  accepted.carrier = Carrier::kSpdy;
  accepted.protocol = *chosen;
  accepted.headers = {{"connection", "Upgrade"}, {"upgrade", std::string(kSpdy)}};
  accepted.headers.Add(kVersionHeader, *chosen);
  return accepted;
}

bool IsTunnel(absl::string_view subprotocol) {
  return absl::StartsWith(subprotocol, kTunnelPrefix) && absl::EndsWith(subprotocol, kTunnelSuffix);
}

// Returns the protocols that the client wants to have in a tunnel, without the prefix.
std::vector<std::string> OfferedTunnels(const http::Headers& headers) {
  std::vector<std::string> tunnels;
  for (const std::string& each : websocket::OfferedSubprotocols(headers)) {
    if (IsTunnel(each)) tunnels.emplace_back(absl::StripPrefix(each, kTunnelPrefix));
  }
  return tunnels;
}

}  // namespace

httpserver::Response PlainRefusal(int code, absl::string_view text) {
  return {.status = code,
          .headers = {{"content-type", "text/plain; charset=utf-8"}},
          .body = std::string(text)};
}

Negotiation NegotiateCommand(const httpserver::Request& request) {
  using remotecommand::kProtocolBase64;
  using remotecommand::kProtocolV1;
  using remotecommand::kProtocolV2;
  using remotecommand::kProtocolV3;
  using remotecommand::kProtocolV4;
  using remotecommand::kProtocolV4Base64;
  using remotecommand::kProtocolV5;
  const auto texts = [](std::initializer_list<absl::string_view> views) {
    return std::vector<std::string>(views.begin(), views.end());
  };
  if (!websocket::IsHandshake(request.headers)) {
    return AcceptSpdy(request, texts({kProtocolV4, kProtocolV3, kProtocolV2, kProtocolV1}));
  }
  if (Contains(websocket::OfferedSubprotocols(request.headers), kProtocolV5)) {
    return AcceptWebSocket(request, Carrier::kWebSocket, texts({kProtocolV5}));
  }
  return AcceptWebSocket(request, Carrier::kWebSocket,
                         texts({"", kProtocolV1, kProtocolBase64, kProtocolV4, kProtocolV4Base64}));
}

Negotiation NegotiatePorts(const httpserver::Request& request) {
  const std::vector<std::string> known = {std::string(kPortForward)};
  if (!websocket::IsHandshake(request.headers)) return AcceptSpdy(request, known);
  const std::vector<std::string> tunnels = OfferedTunnels(request.headers);
  if (tunnels.empty()) {
    return AcceptWebSocket(request, Carrier::kWebSocket,
                           {"", std::string(remotecommand::kProtocolV4),
                            std::string(remotecommand::kProtocolV4Base64)});
  }
  if (!Contains(tunnels, kPortForward)) return NothingInCommon(tunnels, known);
  return AcceptWebSocket(request, Carrier::kTunnel, {absl::StrCat(kTunnelPrefix, kPortForward)});
}

bool WantsPortChannels(const httpserver::Request& request) {
  return websocket::IsHandshake(request.headers) && OfferedTunnels(request.headers).empty();
}

}  // namespace kube::apiserver::internal
