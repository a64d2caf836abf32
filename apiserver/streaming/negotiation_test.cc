#include "apiserver/streaming/negotiation.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

httpserver::Request WebSocket(const std::string& protocols, const std::string& method = "GET") {
  httpserver::Request request{.method = method, .target = "/"};
  request.headers = {{"connection", "Upgrade"},
                     {"upgrade", "websocket"},
                     {"sec-websocket-version", "13"},
                     {"sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="}};
  if (!protocols.empty()) request.headers.Add("sec-websocket-protocol", protocols);
  request.wants_upgrade = true;
  return request;
}

httpserver::Request Spdy(const std::vector<std::string>& versions,
                         const std::string& upgrade = "SPDY/3.1") {
  httpserver::Request request{.method = "POST", .target = "/"};
  request.headers = {{"connection", "Upgrade"}, {"upgrade", upgrade}};
  for (const std::string& each : versions) {
    request.headers.Add("X-Stream-Protocol-Version", each);
  }
  request.wants_upgrade = true;
  return request;
}

// behaviour.md: ST-7, ST-70, ST-95
TEST(NegotiateCommand, ChoosesTheFirstOfTheClient) {
  struct Case {
    const char* name;
    httpserver::Request request;
    Carrier carrier;
    const char* protocol;
  };
  const Case cases[] = {
      {"client-go, kubectl", WebSocket("v5.channel.k8s.io"), Carrier::kWebSocket,
       "v5.channel.k8s.io"},
      {"kube-rs", WebSocket("v5.channel.k8s.io, v4.channel.k8s.io"), Carrier::kWebSocket,
       "v5.channel.k8s.io"},
      {"version 5, though not preferred", WebSocket("v4.channel.k8s.io, v5.channel.k8s.io"),
       Carrier::kWebSocket, "v5.channel.k8s.io"},
      {"Python", WebSocket("v4.channel.k8s.io"), Carrier::kWebSocket, "v4.channel.k8s.io"},
      {"a browser", WebSocket("v4.base64.channel.k8s.io, base64.channel.k8s.io"),
       Carrier::kWebSocket, "v4.base64.channel.k8s.io"},
      {"version 1", WebSocket("channel.k8s.io"), Carrier::kWebSocket, "channel.k8s.io"},
      {"an unknown one first", WebSocket("v9.channel.k8s.io, base64.channel.k8s.io"),
       Carrier::kWebSocket, "base64.channel.k8s.io"},
      {"no subprotocol", WebSocket(""), Carrier::kWebSocket, ""},
      {"client-go by SPDY",
       Spdy({"v5.channel.k8s.io", "v4.channel.k8s.io", "v3.channel.k8s.io", "channel.k8s.io"}),
       Carrier::kSpdy, "v4.channel.k8s.io"},
      {"SPDY, a list", Spdy({"v2.channel.k8s.io , v4.channel.k8s.io"}), Carrier::kSpdy,
       "v2.channel.k8s.io"},
      {"SPDY, version 1", Spdy({"channel.k8s.io"}, "spdy/3.1"), Carrier::kSpdy, "channel.k8s.io"},
  };
  for (const Case& each : cases) {
    const Negotiation chosen = NegotiateCommand(each.request);
    ASSERT_FALSE(chosen.refusal.has_value()) << each.name << ": " << chosen.refusal->body;
    EXPECT_EQ(chosen.carrier, each.carrier) << each.name;
    EXPECT_EQ(chosen.protocol, each.protocol) << each.name;
    const absl::string_view header =
        each.carrier == Carrier::kSpdy ? "x-stream-protocol-version" : "sec-websocket-protocol";
    EXPECT_EQ(chosen.headers.Get(header).value_or(""), each.protocol) << each.name;
    EXPECT_TRUE(chosen.headers.HasToken("connection", "upgrade")) << each.name;
  }
}

// behaviour.md: ST-70, ST-71, ST-72
TEST(NegotiateCommand, RefusesInUpstreamsWords) {
  httpserver::Request old_version = WebSocket("v5.channel.k8s.io");
  old_version.headers.Set("sec-websocket-version", "8");
  httpserver::Request no_key = WebSocket("v4.channel.k8s.io");
  no_key.headers.Set("sec-websocket-key", "short");
  struct Case {
    const char* name;
    httpserver::Request request;
    int code;
    const char* text;
  };
  const Case cases[] = {
      {"unknown subprotocols", WebSocket("v2.channel.k8s.io, v3.channel.k8s.io"), 403,
       "requested protocol(s) are not supported"},
      {"a POST", WebSocket("v5.channel.k8s.io", "POST"), 405, "request method is not GET"},
      {"another version of WebSockets", old_version, 400, "unsupported version"},
      {"no key", no_key, 400, "Sec-WebSocket-Key"},
      {"SPDY without a version", Spdy({}), 400,
       "unable to upgrade: header X-Stream-Protocol-Version does not exist in request with 2 "
       "headers\n"},
      {"SPDY with an empty version", Spdy({" , "}), 400, "no valid protocols"},
      {"SPDY with unknown versions", Spdy({"v5.channel.k8s.io", "v9"}), 403,
       "unable to upgrade: unable to negotiate protocol: client supports [v5.channel.k8s.io v9], "
       "server accepts [v4.channel.k8s.io v3.channel.k8s.io v2.channel.k8s.io channel.k8s.io]\n"},
      {"another protocol", Spdy({"v4.channel.k8s.io"}, "h2c"), 400,
       "unable to upgrade: missing upgrade headers in request: upgrade is \"h2c\"\n"},
  };
  for (const Case& each : cases) {
    const Negotiation refused = NegotiateCommand(each.request);
    ASSERT_TRUE(refused.refusal.has_value()) << each.name;
    EXPECT_EQ(refused.refusal->status, each.code) << each.name;
    EXPECT_THAT(refused.refusal->body, HasSubstr(each.text)) << each.name;
  }
}

// behaviour.md: ST-71
TEST(NegotiateCommand, SaysWhatItAccepts) {
  const Negotiation refused = NegotiateCommand(Spdy({"v9"}));
  EXPECT_THAT(
      refused.refusal->headers.GetAll("x-accepted-stream-protocol-versions"),
      ElementsAre("v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"));
}

// behaviour.md: ST-79
TEST(NegotiateCommand, NeverShowsTheToken) {
  const char kToken[] = "base64url.bearer.authorization.k8s.io.c2VjcmV0";
  const Negotiation accepted =
      NegotiateCommand(WebSocket(std::string(kToken) + ", v4.channel.k8s.io"));
  EXPECT_EQ(accepted.protocol, "v4.channel.k8s.io");
  const Negotiation refused = NegotiateCommand(WebSocket(std::string(kToken) + ", v9"));
  ASSERT_TRUE(refused.refusal.has_value());
  EXPECT_THAT(refused.refusal->body, Not(HasSubstr("c2VjcmV0")));
}

// behaviour.md: ST-37
TEST(NegotiatePorts, ChoosesTheCarrier) {
  const Negotiation tunnel = NegotiatePorts(WebSocket("SPDY/3.1+portforward.k8s.io"));
  ASSERT_FALSE(tunnel.refusal.has_value()) << tunnel.refusal->body;
  EXPECT_EQ(tunnel.carrier, Carrier::kTunnel);
  EXPECT_EQ(tunnel.protocol, "portforward.k8s.io");
  EXPECT_EQ(tunnel.headers.Get("sec-websocket-protocol"), "SPDY/3.1+portforward.k8s.io");

  const Negotiation spdy = NegotiatePorts(Spdy({"portforward.k8s.io"}));
  ASSERT_FALSE(spdy.refusal.has_value()) << spdy.refusal->body;
  EXPECT_EQ(spdy.carrier, Carrier::kSpdy);
  EXPECT_EQ(spdy.headers.Get("x-stream-protocol-version"), "portforward.k8s.io");

  for (const char* protocol : {"v4.channel.k8s.io", "v4.base64.channel.k8s.io", ""}) {
    const Negotiation channels = NegotiatePorts(WebSocket(protocol));
    ASSERT_FALSE(channels.refusal.has_value()) << channels.refusal->body;
    EXPECT_EQ(channels.carrier, Carrier::kWebSocket);
    EXPECT_EQ(channels.protocol, protocol);
  }
}

// behaviour.md: ST-39
TEST(NegotiatePorts, RefusesInUpstreamsWords) {
  struct Case {
    const char* name;
    httpserver::Request request;
    int code;
    const char* text;
  };
  const Case cases[] = {
      {"an unknown tunnel", WebSocket("SPDY/3.1+v2.portforward.k8s.io"), 403,
       "client supports [v2.portforward.k8s.io], server accepts [portforward.k8s.io]"},
      {"a tunnel by POST", WebSocket("SPDY/3.1+portforward.k8s.io", "POST"), 405, "not GET"},
      {"another version", Spdy({"v2.portforward.k8s.io"}), 403, "server accepts"},
      {"version 1 of channels", WebSocket("channel.k8s.io"), 403, "not supported"},
  };
  for (const Case& each : cases) {
    const Negotiation refused = NegotiatePorts(each.request);
    ASSERT_TRUE(refused.refusal.has_value()) << each.name;
    EXPECT_EQ(refused.refusal->status, each.code) << each.name;
    EXPECT_THAT(refused.refusal->body, HasSubstr(each.text)) << each.name;
  }
}

// behaviour.md: ST-95
TEST(WantsPortChannels, AsksWhetherTheQueryNamesPorts) {
  EXPECT_TRUE(WantsPortChannels(WebSocket("v4.channel.k8s.io")));
  EXPECT_FALSE(WantsPortChannels(WebSocket("SPDY/3.1+portforward.k8s.io")));
  EXPECT_FALSE(WantsPortChannels(Spdy({"portforward.k8s.io"})));
}

}  // namespace
}  // namespace kube::apiserver::internal
