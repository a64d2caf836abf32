#include "apiserver/testing/stream_world.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apiserver/handler.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"
#include "net/httpserver/in_process_exchange.h"
#include "net/io/duplex_stream.h"
#include "net/spdy/frame.h"
#include "net/spdy/session.h"
#include "net/websocket/frame.h"
#include "net/websocket/message_stream.h"
#include "net/websocket/tunnel.h"

namespace kube::apiserver {
namespace {

constexpr char kToken[] = "stream-world";
constexpr size_t kMaxBufferedBytes = size_t{1} << 24;

HandlerOptions WithUser(HandlerOptions options) {
  options.cluster_objects = false;
  options.tokens[kToken] = {.name = "tester", .uid = "", .groups = {"system:masters"}};
  return options;
}

std::unique_ptr<websocket::MessageStream> ClientOf(std::unique_ptr<io::DuplexStream> connection) {
  websocket::MessageStreamOptions options;
  options.role = websocket::Role::kClient;
  options.ping_interval = absl::ZeroDuration();
  return std::make_unique<websocket::MessageStream>(std::move(connection), options);
}

std::unique_ptr<spdy::Session> SpdyClientOf(std::unique_ptr<io::DuplexStream> connection) {
  spdy::SessionOptions options;
  options.connection.role = spdy::Role::kClient;
  options.ping_interval = absl::ZeroDuration();
  absl::StatusOr<std::unique_ptr<spdy::Session>> session =
      spdy::Session::Start(Context(), std::move(connection), options);
  KUBE_CHECK(session.ok()) << session.status();
  return *std::move(session);
}

}  // namespace

StreamWorld::StreamWorld(HandlerOptions options)
    : handler_(std::make_unique<ApiHandler>(WithUser(std::move(options)))) {
  CreatePod("web", {"app"});
}

void StreamWorld::CreatePod(absl::string_view name, const std::vector<std::string>& containers,
                            absl::string_view node) {
  std::vector<std::string> all;
  for (const std::string& each : containers) {
    all.push_back(absl::StrCat(R"({"name":")", each, R"(","image":"i"})"));
  }
  httpserver::Request request{.method = "POST", .target = "/api/v1/namespaces/default/pods"};
  request.headers = {{"authorization", absl::StrCat("Bearer ", kToken)},
                     {"content-type", "application/json"}};
  request.body = absl::StrCat(R"({"metadata":{"name":")", name, R"("},"spec":{"nodeName":")", node,
                              R"(","containers":[)", absl::StrJoin(all, ","), "]}}");
  httpserver::InProcessExchange exchange(std::move(request), kMaxBufferedBytes);
  handler_->Handle(exchange.ForHandler());
  const auto head = exchange.WaitForHead(Context(), base::MonotonicTime::Infinite());
  KUBE_CHECK(head.ok() && head->status == 201) << "create pod " << name;
}

StreamWorld::Reply StreamWorld::Send(absl::string_view method, absl::string_view target,
                                     http::Headers headers) {
  httpserver::Request request{.method = std::string(method), .target = std::string(target)};
  request.headers = std::move(headers);
  request.wants_upgrade = request.headers.HasToken("connection", "upgrade");
  const std::string protocols(request.headers.Get("sec-websocket-protocol").value_or(""));
  if (!request.headers.Get("authorization").has_value() &&
      !absl::StrContains(protocols, "base64url.bearer")) {
    request.headers.Add("authorization", absl::StrCat("Bearer ", kToken));
  }
  httpserver::InProcessExchange exchange(std::move(request), kMaxBufferedBytes);
  handler_->Handle(exchange.ForHandler());
  auto head = exchange.WaitForHead(Context(), base::MonotonicTime::Infinite());
  Reply reply;
  if (!head.ok()) return reply;
  reply.status = head->status;
  reply.headers = std::move(head->headers);
  if (reply.status == 101) {
    reply.connection = exchange.TakeConnection();
    return reply;
  }
  while (true) {
    const absl::StatusOr<std::string> piece = exchange.Read(Context());
    if (!piece.ok() || piece->empty()) return reply;
    absl::StrAppend(&reply.body, *piece);
  }
}

std::unique_ptr<websocket::MessageStream> StreamWorld::WebSocket(
    absl::string_view subresource, const std::vector<std::string>& protocols) {
  Reply reply = Send("GET", PodPath("web", subresource), WebSocketHeaders(protocols));
  KUBE_CHECK(reply.status == 101) << reply.status << ": " << reply.body;
  return ClientOf(std::move(reply.connection));
}

std::unique_ptr<spdy::Session> StreamWorld::Spdy(absl::string_view subresource,
                                                 const std::vector<std::string>& versions) {
  Reply reply = Send("POST", PodPath("web", subresource), SpdyHeaders(versions));
  KUBE_CHECK(reply.status == 101) << reply.status << ": " << reply.body;
  return SpdyClientOf(std::move(reply.connection));
}

std::unique_ptr<spdy::Session> StreamWorld::Tunnel(absl::string_view subresource) {
  return SpdyClientOf(
      websocket::MakeTunnel(WebSocket(subresource, {"SPDY/3.1+portforward.k8s.io"})));
}

http::Headers StreamWorld::WebSocketHeaders(const std::vector<std::string>& protocols) {
  http::Headers headers = {{"connection", "Upgrade"},
                           {"upgrade", "websocket"},
                           {"sec-websocket-version", "13"},
                           {"sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="}};
  if (!protocols.empty()) headers.Add("sec-websocket-protocol", absl::StrJoin(protocols, ", "));
  return headers;
}

http::Headers StreamWorld::SpdyHeaders(const std::vector<std::string>& versions) {
  http::Headers headers = {{"connection", "Upgrade"}, {"upgrade", "SPDY/3.1"}};
  for (const std::string& each : versions) headers.Add("x-stream-protocol-version", each);
  return headers;
}

std::string PodPath(absl::string_view pod, absl::string_view subresource) {
  return absl::StrCat("/api/v1/namespaces/default/pods/", pod, "/", subresource);
}

std::string NextMessage(websocket::MessageStream& client) {
  const auto message = client.Read(Context());
  if (!message.ok()) return std::string(message.status().message());
  return message->has_value() ? (*message)->data : "closed";
}

std::unique_ptr<spdy::SessionStream> OpenStream(spdy::Session& client,
                                                const http::Headers& headers) {
  absl::StatusOr<std::unique_ptr<spdy::SessionStream>> stream =
      client.OpenStream(Context(), headers);
  KUBE_CHECK(stream.ok()) << stream.status();
  return *std::move(stream);
}

std::string ReadAll(io::DuplexStream& stream) {
  std::string all;
  while (true) {
    const absl::StatusOr<std::string> bytes = stream.Read(Context());
    if (!bytes.ok()) return absl::StrCat(all, "; ", bytes.status().message());
    if (bytes->empty()) return all;
    absl::StrAppend(&all, *bytes);
  }
}

}  // namespace kube::apiserver
