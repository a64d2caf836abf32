#include "apiserver/auth/websocket_token.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;
using testing::Eq;

// "token" and a byte whose encoding has characters of base64url.
constexpr char kToken[] = "base64url.bearer.authorization.k8s.io.dG9rZW7_";

http::Headers Request(std::string protocols) {
  return {{"connection", "Upgrade"},
          {"upgrade", "websocket"},
          {"sec-websocket-protocol", std::move(protocols)}};
}

// behaviour.md: ST-79
TEST(WebSocketToken, IsASubprotocol) {
  const std::string token = "token\xff";
  EXPECT_THAT(WebSocketToken(Request(std::string("v4.channel.k8s.io, ") + kToken)),
              IsOkAndHolds(Eq(std::optional<std::string>(token))));
  EXPECT_THAT(WebSocketToken(Request(std::string(kToken) + ",v4.channel.k8s.io")),
              IsOkAndHolds(Eq(std::optional<std::string>(token))));
}

TEST(WebSocketToken, IsNotThereInOtherRequests) {
  EXPECT_THAT(WebSocketToken(Request("v4.channel.k8s.io")), IsOkAndHolds(Eq(std::nullopt)));
  EXPECT_THAT(WebSocketToken({}), IsOkAndHolds(Eq(std::nullopt)));
  EXPECT_THAT(WebSocketToken({{"sec-websocket-protocol", std::string("a, ") + kToken}}),
              IsOkAndHolds(Eq(std::nullopt)))
      << "it asks for no WebSocket";
  EXPECT_THAT(WebSocketToken(Request("a, base64url.bearer.authorization.k8s.io.")),
              IsOkAndHolds(Eq(std::nullopt)));
}

// behaviour.md: ST-79
TEST(WebSocketToken, IsRefused) {
  struct Case {
    const char* name;
    std::string protocols;
    const char* message;
  };
  const Case cases[] = {
      {"two tokens", std::string("a, ") + kToken + ", " + kToken,
       "multiple base64.bearer.authorization tokens specified"},
      {"not base64url", "a, base64url.bearer.authorization.k8s.io.?",
       "invalid base64.bearer.authorization token encoding"},
      {"padding", "a, base64url.bearer.authorization.k8s.io.dG9rZQ==",
       "invalid base64.bearer.authorization token encoding"},
      {"nothing else to choose", kToken, "missing additional subprotocol"},
  };
  for (const Case& each : cases) {
    EXPECT_THAT(WebSocketToken(Request(each.protocols)),
                StatusIs(absl::StatusCode::kInvalidArgument, each.message))
        << each.name;
  }
}

// behaviour.md: ST-79
TEST(WebSocketToken, IsTakenOut) {
  EXPECT_EQ(WithoutWebSocketToken(Request(std::string("a,") + kToken + ", b"))
                .Get("sec-websocket-protocol"),
            "a, b");
  EXPECT_EQ(WithoutWebSocketToken(Request("a,b")), Request("a,b"));
  EXPECT_EQ(WithoutWebSocketToken(Request(kToken)).Get("sec-websocket-protocol"), std::nullopt);
}

}  // namespace
}  // namespace kube::apiserver::internal
