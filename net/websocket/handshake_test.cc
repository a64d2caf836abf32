#include "net/websocket/handshake.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"

namespace kube::websocket {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The example of section 1.3 of RFC 6455.
constexpr absl::string_view kKey = "dGhlIHNhbXBsZSBub25jZQ==";
constexpr absl::string_view kAccept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

ClientHandshake Offer(std::vector<std::string> subprotocols) {
  return MakeClientHandshake(std::move(subprotocols)).value();
}

std::string KeyOf(const ClientHandshake& handshake) {
  return std::string(handshake.RequestHeaders().Get("Sec-WebSocket-Key").value_or("none"));
}

TEST(HandshakeTest, AcceptIsThatOfTheRfc) { EXPECT_EQ(AcceptOf(kKey), kAccept); }

// ---- The client

// behaviour.md: ST-66
TEST(ClientHandshakeTest, RequestHasTheHeadersOfTheProtocol) {
  const ClientHandshake handshake = Offer({"v5.channel.k8s.io", "v4.channel.k8s.io"});
  const http::Headers headers = handshake.RequestHeaders();
  EXPECT_EQ(headers,
            (http::Headers{{"Connection", "Upgrade"},
                           {"Upgrade", "websocket"},
                           {"Sec-WebSocket-Version", "13"},
                           {"Sec-WebSocket-Key", KeyOf(handshake)},
                           {"Sec-WebSocket-Protocol", "v5.channel.k8s.io, v4.channel.k8s.io"}}));
  EXPECT_TRUE(IsHandshake(headers));
}

TEST(ClientHandshakeTest, WithoutSubprotocolsThereIsNoSuchHeader) {
  EXPECT_FALSE(Offer({}).RequestHeaders().Get("Sec-WebSocket-Protocol").has_value());
}

// behaviour.md: ST-66
TEST(ClientHandshakeTest, KeysAreRandomAndFromTheRuntime) {
  const auto keys = [](uint64_t seed) {
    base::FakeClock clock(absl::UnixEpoch(), seed);
    const base::RuntimeScope scope(clock);
    return std::vector<std::string>{KeyOf(Offer({})), KeyOf(Offer({}))};
  };
  EXPECT_EQ(keys(1), keys(1));
  EXPECT_NE(keys(1), keys(2));
  EXPECT_NE(keys(1)[0], keys(1)[1]);
  EXPECT_THAT(keys(1)[0], SizeIs(kKey.size()));
}

// behaviour.md: ST-37
TEST(ClientHandshakeTest, InvalidSubprotocolsAreNotOffered) {
  struct Row {
    std::string name;
    std::vector<std::string> subprotocols;
  };
  for (const Row& row : std::vector<Row>{
           {"empty", {"a", ""}},
           {"comma", {"a,b"}},
           {"blank", {"a b"}},
           {"line break", {"a\r\nX: y"}},
           {"not ASCII", {"é"}},
           {"twice", {"a", "b", "a"}},
       }) {
    EXPECT_THAT(MakeClientHandshake(row.subprotocols),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("offer subprotocols")))
        << row.name;
  }
  // It is no token, as the RFC wants, but Kubernetes uses it.
  EXPECT_THAT(MakeClientHandshake({"SPDY/3.1+portforward.k8s.io"}), IsOk());
}

// A 101 answer that a row changes: a value of "-" removes the header, and {accept} stands for the
// right one.
struct Answer {
  std::string name;
  http::Headers changes;
  // What CheckResponse returns, or the error.
  std::string chosen = "";
  std::string error = "";
  std::vector<std::string> offered = {"v5.channel.k8s.io", "v4.channel.k8s.io"};
  absl::StatusCode code = absl::StatusCode::kDataLoss;
};

http::Headers Changed(http::Headers headers, const http::Headers& changes) {
  for (const http::Header& change : changes) headers.Remove(change.name);
  for (const http::Header& change : changes) {
    if (change.value != "-") headers.Add(change.name, change.value);
  }
  return headers;
}

// behaviour.md: ST-67, ST-69
TEST(ClientHandshakeTest, AnswersAreChecked) {
  const std::string bad = "websocket: bad handshake: ";
  for (
      const Answer& row : std::vector<Answer>{
          {"first subprotocol",
           {{"Sec-WebSocket-Protocol", "v5.channel.k8s.io"}},
           "v5.channel.k8s.io"},
          {"second subprotocol",
           {{"Sec-WebSocket-Protocol", "v4.channel.k8s.io"}},
           "v4.channel.k8s.io"},
          {"case of tokens",
           {{"Upgrade", "WebSocket"},
            {"Connection", "UPGRADE"},
            {"Sec-WebSocket-Protocol", "v5.channel.k8s.io"}},
           "v5.channel.k8s.io"},
          {"token lists",
           {{"Upgrade", "x, websocket"},
            {"Connection", "keep-alive,Upgrade ,x"},
            {"Sec-WebSocket-Protocol", "v5.channel.k8s.io"}},
           "v5.channel.k8s.io"},
          {"nothing offered, nothing chosen", {{"Sec-WebSocket-Protocol", "-"}}, "", "", {}},
          {"empty extensions",
           {{"Sec-WebSocket-Extensions", ""}, {"Sec-WebSocket-Protocol", "v5.channel.k8s.io"}},
           "v5.channel.k8s.io"},
          {"no upgrade header",
           {{"Upgrade", "-"}},
           "",
           bad + "'websocket' token not found in 'Upgrade' header"},
          {"another protocol",
           {{"Upgrade", "SPDY/3.1"}},
           "",
           bad + "'websocket' token not found in 'Upgrade' header"},
          {"no connection header",
           {{"Connection", "-"}},
           "",
           bad + "'upgrade' token not found in 'Connection' header"},
          {"part of a token",
           {{"Connection", "upgraded"}},
           "",
           bad + "'upgrade' token not found in 'Connection' header"},
          {"no accept",
           {{"Sec-WebSocket-Accept", "-"}},
           "",
           bad + "'Sec-WebSocket-Accept' header does not fit the key"},
          {"accept of another key",
           {{"Sec-WebSocket-Accept", std::string(kAccept)}},
           "",
           bad + "'Sec-WebSocket-Accept' header does not fit the key"},
          {"extension",
           {{"Sec-WebSocket-Extensions", "permessage-deflate"}},
           "",
           bad + "an extension that was not offered"},
          {"two subprotocols",
           {{"Sec-WebSocket-Protocol", "v5.channel.k8s.io"},
            {"Sec-WebSocket-Protocol", "v4.channel.k8s.io"}},
           "",
           bad + "several 'Sec-WebSocket-Protocol' headers"},
          {"no subprotocol",
           {{"Sec-WebSocket-Protocol", "-"}},
           "",
           R"(invalid protocol, expected one of ["v5.channel.k8s.io" "v4.channel.k8s.io"], got "")",
           {"v5.channel.k8s.io", "v4.channel.k8s.io"},
           absl::StatusCode::kFailedPrecondition},
          {"another subprotocol",
           {{"Sec-WebSocket-Protocol", "v3.channel.k8s.io"}},
           "",
           R"(invalid protocol, expected one of ["v5.channel.k8s.io"], got "v3.channel.k8s.io")",
           {"v5.channel.k8s.io"},
           absl::StatusCode::kFailedPrecondition},
          {"case of subprotocols",
           {{"Sec-WebSocket-Protocol", "V5.channel.k8s.io"}},
           "",
           R"(invalid protocol, expected one of ["v5.channel.k8s.io"], got "V5.channel.k8s.io")",
           {"v5.channel.k8s.io"},
           absl::StatusCode::kFailedPrecondition},
          {"a subprotocol although nothing was offered",
           {{"Sec-WebSocket-Protocol", "a"}},
           "",
           R"(invalid protocol, expected one of [], got "a")",
           {},
           absl::StatusCode::kFailedPrecondition},
      }) {
    SCOPED_TRACE(row.name);
    const ClientHandshake handshake = Offer(row.offered);
    const http::Headers right = {{"Upgrade", "websocket"},
                                 {"Connection", "Upgrade"},
                                 {"Sec-WebSocket-Accept", AcceptOf(KeyOf(handshake))}};
    const absl::StatusOr<std::string> chosen =
        handshake.CheckResponse(101, Changed(right, row.changes));
    if (row.error.empty()) {
      EXPECT_THAT(chosen, IsOkAndHolds(row.chosen));
    } else {
      EXPECT_THAT(chosen, StatusIs(row.code, row.error));
    }
  }
}

TEST(ClientHandshakeTest, AcceptMustOccurOnce) {
  const ClientHandshake handshake = Offer({});
  const std::string accept = AcceptOf(KeyOf(handshake));
  EXPECT_THAT(handshake.CheckResponse(101, {{"Upgrade", "websocket"},
                                            {"Connection", "Upgrade"},
                                            {"Sec-WebSocket-Accept", accept},
                                            {"Sec-WebSocket-Accept", accept}}),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("does not fit the key")));
}

// behaviour.md: ST-67
TEST(ClientHandshakeTest, OtherStatusesAreRefusals) {
  struct Row {
    int status;
    std::string message;
  };
  for (const Row& row : std::vector<Row>{
           {200, "websocket: bad handshake (200 OK)"},
           {302, "websocket: bad handshake (302 Found)"},
           {403, "websocket: bad handshake (403 Forbidden)"},
           {599, "websocket: bad handshake (599)"},
       }) {
    EXPECT_THAT(Offer({}).CheckResponse(row.status, {}),
                StatusIs(absl::StatusCode::kFailedPrecondition, row.message));
  }
}

// ---- The server

http::Headers Request(const http::Headers& changes = {}) {
  return Changed({{"Upgrade", "websocket"},
                  {"Connection", "Upgrade"},
                  {"Sec-WebSocket-Version", "13"},
                  {"Sec-WebSocket-Key", std::string(kKey)}},
                 changes);
}

TEST(ServerHandshakeTest, RequestsAreToldFromOrdinaryOnes) {
  struct Row {
    std::string name;
    http::Headers changes;
    bool is = true;
  };
  for (const Row& row : std::vector<Row>{
           {"usual", {}},
           {"case", {{"Upgrade", "WebSocket"}, {"Connection", "uPGRADE"}}},
           {"lists", {{"Upgrade", "h2c,websocket"}, {"Connection", "keep-alive, Upgrade"}}},
           {"several lines", {{"Connection", "keep-alive"}, {"Connection", "upgrade"}}},
           {"no upgrade", {{"Upgrade", "-"}}, false},
           {"no connection", {{"Connection", "-"}}, false},
           {"SPDY", {{"Upgrade", "SPDY/3.1"}}, false},
           {"ordinary", {{"Upgrade", "-"}, {"Connection", "keep-alive"}}, false},
       }) {
    EXPECT_EQ(IsHandshake(Request(row.changes)), row.is) << row.name;
  }
}

TEST(ServerHandshakeTest, OfferedSubprotocolsKeepTheirOrder) {
  EXPECT_THAT(OfferedSubprotocols(Request()), IsEmpty());
  EXPECT_THAT(OfferedSubprotocols(Request({{"Sec-WebSocket-Protocol", "b, a,,\tc "},
                                           {"Sec-WebSocket-Protocol", "d"},
                                           {"Sec-WebSocket-Protocol", ""}})),
              ElementsAre("b", "a", "c", "d"));
}

TEST(ServerHandshakeTest, AnswerHasTheHeadersOfTheProtocol) {
  const HandshakeAnswer answer =
      AnswerHandshake("GET", Request({{"Sec-WebSocket-Protocol", "v5.channel.k8s.io"}}),
                      {"v4.channel.k8s.io", "v5.channel.k8s.io"});
  EXPECT_EQ(answer.status, 101);
  EXPECT_EQ(answer.subprotocol, "v5.channel.k8s.io");
  EXPECT_EQ(answer.reason, "");
  EXPECT_EQ(answer.headers, (http::Headers{{"Upgrade", "websocket"},
                                           {"Connection", "Upgrade"},
                                           {"Sec-WebSocket-Accept", std::string(kAccept)},
                                           {"Sec-WebSocket-Protocol", "v5.channel.k8s.io"}}));
}

// behaviour.md: ST-70
TEST(ServerHandshakeTest, FirstSubprotocolOfTheClientThatIsKnownIsChosen) {
  struct Row {
    std::string name;
    std::string offered;  // "-": no header
    std::vector<std::string> known;
    std::string chosen;
    int status = 101;
  };
  for (const Row& row : std::vector<Row>{
           {"the client prefers", "b, a", {"a", "b"}, "b"},
           {"the first is unknown", "x, a", {"a", "b"}, "a"},
           {"none is known", "x, y", {"a", "b"}, "", 403},
           {"none although that is welcome", "x", {"", "a"}, "", 403},
           {"none is offered", "-", {"a"}, "", 403},
           {"none is offered, which is welcome", "-", {"", "a"}, ""},
           {"an empty list", "", {"", "a"}, ""},
           {"case", "A", {"a"}, "", 403},
       }) {
    SCOPED_TRACE(row.name);
    const HandshakeAnswer answer =
        AnswerHandshake("GET", Request({{"Sec-WebSocket-Protocol", row.offered}}), row.known);
    EXPECT_EQ(answer.status, row.status);
    EXPECT_EQ(answer.subprotocol, row.chosen);
    EXPECT_EQ(answer.headers.Get("Sec-WebSocket-Protocol").value_or(""), row.chosen);
    EXPECT_EQ(answer.headers.Get("Sec-WebSocket-Accept").has_value(), row.status == 101);
  }
}

TEST(ServerHandshakeTest, InvalidRequestsAreRefused) {
  struct Row {
    std::string name;
    http::Headers changes;
    int status;
    std::string reason;
    std::string method = "GET";
  };
  const std::string version = "unsupported version: 13 not found in 'Sec-WebSocket-Version' header";
  const std::string key = "'Sec-WebSocket-Key' header must be Base64 encoded value of 16 bytes";
  for (const Row& row : std::vector<Row>{
           {"method", {}, 405, "request method is not GET", "POST"},
           {"no version", {{"Sec-WebSocket-Version", "-"}}, 400, version},
           {"older version", {{"Sec-WebSocket-Version", "8"}}, 400, version},
           {"several versions", {{"Sec-WebSocket-Version", "13, 8"}}, 400, version},
           {"no key", {{"Sec-WebSocket-Key", "-"}}, 400, key},
           {"short key", {{"Sec-WebSocket-Key", "c2hvcnQ="}}, 400, key},
           {"not base64", {{"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ"}}, 400, key},
           {"two keys",
            {{"Sec-WebSocket-Key", std::string(kKey)}, {"Sec-WebSocket-Key", std::string(kKey)}},
            400,
            key},
           {"subprotocol",
            {{"Sec-WebSocket-Protocol", "x, y"}},
            403,
            R"(requested protocol(s) are not supported: ["x" "y"]; supports ["" "a"])"},
       }) {
    SCOPED_TRACE(row.name);
    const HandshakeAnswer answer = AnswerHandshake(row.method, Request(row.changes), {"", "a"});
    EXPECT_EQ(answer.status, row.status);
    EXPECT_EQ(answer.reason, row.reason);
    EXPECT_EQ(answer.subprotocol, "");
    const bool about_version = row.reason == version;
    EXPECT_EQ(answer.headers,
              about_version ? (http::Headers{{"Sec-WebSocket-Version", "13"}}) : http::Headers());
  }
}

// ---- Both

// What a server answers to a client that offers "a" and "b".
absl::StatusOr<std::string> Shake(const std::vector<std::string>& known) {
  KUBE_ASSIGN_OR_RETURN(const ClientHandshake handshake, MakeClientHandshake({"a", "b"}));
  const http::Headers request = handshake.RequestHeaders();
  const HandshakeAnswer answer = AnswerHandshake("GET", request, known);
  const int status = answer.status;
  const http::Headers& response = answer.headers;
  KUBE_ASSIGN_OR_RETURN(const std::string chosen, handshake.CheckResponse(status, response));
  return chosen;
}

TEST(HandshakeTest, ClientAndServerUnderstandEachOther) {
  EXPECT_THAT(Shake({"a", "b", "c"}), IsOkAndHolds(std::string("a")));
  EXPECT_THAT(Shake({"c", "b"}), IsOkAndHolds(std::string("b")));
  EXPECT_THAT(Shake({"c"}), StatusIs(absl::StatusCode::kFailedPrecondition,
                                     "websocket: bad handshake (403 Forbidden)"));
}

}  // namespace
}  // namespace kube::websocket
