#include "clientset/portforward/internal/pod_connector.h"

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/object_name.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "clientset/rest/second_attempt.h"
#include "net/http/headers.h"
#include "net/io/duplex_stream.h"
#include "net/websocket/handshake.h"
#include "net/websocket/message_stream.h"
#include "net/websocket/tunnel.h"

namespace kube::portforward::internal {
namespace {

constexpr absl::string_view kProtocol = "portforward.k8s.io";
// The subprotocol of a WebSocket whose messages carry the bytes of SPDY.
constexpr absl::string_view kTunnelPrefix = "SPDY/3.1+";
constexpr absl::string_view kProtocolHeader = "x-stream-protocol-version";

using Connection = std::unique_ptr<io::DuplexStream>;

// Checks that the server has switched to SPDY and to the protocol for ports.
absl::Status CheckSpdyResponse(const http::Headers& headers) {
  if (!headers.HasToken("connection", "upgrade") || !headers.HasToken("upgrade", "spdy/3.1")) {
    return absl::FailedPreconditionError(
        "unable to upgrade connection: the server switches to another protocol than SPDY/3.1");
  }
  const absl::string_view chosen = headers.Get(kProtocolHeader).value_or("");
  if (chosen == kProtocol) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("unable to negotiate protocol: client supports \"", kProtocol,
                   "\", server returned \"", chosen, "\""));
}

class PodConnector {
 public:
  PodConnector(rest::Client client, meta::ObjectName pod, bool try_websocket)
      : client_(std::move(client)), pod_(std::move(pod)), websocket_(try_websocket) {}

  absl::StatusOr<Connection> Connect(const Context& ctx) {
    if (!websocket_) return ConnectBySpdy(ctx);
    bool refused = false;
    absl::StatusOr<Connection> connection = ConnectByWebSocket(ctx, refused);
    if (connection.ok() || !refused || ctx.done()) return connection;
    KUBE_VLOG_CTX(ctx, 4, "server refuses WebSocket, trying SPDY",
                  {"pod", log::KRef(pod_.namespace_name, pod_.name)},
                  {"err", connection.status().message()});
    absl::StatusOr<Connection> by_spdy = ConnectBySpdy(ctx);
    if (!by_spdy.ok()) return rest::WithFirstError(by_spdy.status(), connection.status());
    websocket_ = false;
    return by_spdy;
  }

 private:
  rest::Request RequestWith(absl::string_view verb, http::Headers headers) const {
    rest::Request request;
    request.verb = std::string(verb);
    request.resource = {.version = "v1", .resource = "pods"};
    request.namespace_name = pod_.namespace_name;
    request.name = pod_.name;
    request.subresource = {"portforward"};
    request.headers = std::move(headers);
    request.retry = rest::RetryRule::kStream;
    return request;
  }

  // Sets `refused` if the server can be reached and does not want a WebSocket.
  absl::StatusOr<Connection> ConnectByWebSocket(const Context& ctx, bool& refused) const {
    KUBE_ASSIGN_OR_RETURN(const websocket::ClientHandshake handshake,
                          websocket::MakeClientHandshake({absl::StrCat(kTunnelPrefix, kProtocol)}));
    absl::StatusOr<rest::UpgradedResult> result =
        client_.Upgrade(ctx, RequestWith("GET", handshake.RequestHeaders()));
    if (!result.ok()) {
      refused = rest::IsUpgradeRefused(result.status());
      return result.status();
    }
    if (const absl::Status checked = handshake.CheckResponse(101, result->headers).status();
        !checked.ok()) {
      refused = true;
      return base::Annotate(checked, "unable to upgrade streaming request");
    }
    // SPDY's pings keep the connection in use; those of WebSockets find out whether it is lost.
    return websocket::MakeTunnel(std::make_unique<websocket::MessageStream>(
        std::move(result->connection), websocket::MessageStreamOptions()));
  }

  absl::StatusOr<Connection> ConnectBySpdy(const Context& ctx) const {
    const http::Headers headers = {{"connection", "Upgrade"},
                                   {"upgrade", "SPDY/3.1"},
                                   {std::string(kProtocolHeader), std::string(kProtocol)}};
    KUBE_ASSIGN_OR_RETURN(rest::UpgradedResult result,
                          client_.Upgrade(ctx, RequestWith("POST", headers)));
    KUBE_RETURN_IF_ERROR(CheckSpdyResponse(result.headers));
    return std::move(result.connection);
  }

  const rest::Client client_;
  const meta::ObjectName pod_;
  std::atomic<bool> websocket_;
};

}  // namespace

Connector MakePodConnector(rest::Client client, meta::ObjectName pod, bool try_websocket) {
  // std::function copies what it holds.
  auto connector = std::make_shared<PodConnector>(std::move(client), std::move(pod), try_websocket);
  return [connector](const Context& ctx) { return connector->Connect(ctx); };
}

}  // namespace kube::portforward::internal
