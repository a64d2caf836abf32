// Client::Upgrade: what is sent, what counts as refused, and a connection over the network.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/rest/authenticator.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/request.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_stream.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/testing/raw_server.h"
#include "net/httpclient/testing/test_server.h"
#include "net/httpclient/transport_error.h"
#include "net/io/duplex_stream.h"

namespace kube::rest {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using httpclient::RawServer;
using httpclient::Soon;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using Kind = httpclient::TransportErrorKind;

// A connection on which one text can be read.
class ShortConnection final : public io::DuplexStream {
 public:
  absl::StatusOr<std::string> Read(const Context&) override { return std::string("hello"); }
  void Close() override {}
  absl::Status Write(const Context&, absl::string_view) override { return absl::OkStatus(); }
  absl::Status Flush(const Context&) override { return absl::OkStatus(); }
  absl::Status CloseWrite() override { return absl::OkStatus(); }
};

ScriptedReply Switched() {
  return {.status = 101,
          .headers = {{"connection", "Upgrade"}, {"upgrade", "websocket"}},
          .connection = [] { return std::make_unique<ShortConnection>(); }};
}

Request Exec() {
  return {.resource = {"", "v1", "pods"},
          .namespace_name = "prod",
          .name = "web-0",
          .subresource = {"exec"},
          .params = {{"command", {"ls"}}},
          .headers = {{"Connection", "Upgrade"}, {"Upgrade", "websocket"}}};
}

// Provides the tokens "t0", "t1" ..., a new one after each rejection.
class Tokens final : public Authenticator {
 public:
  absl::StatusOr<std::shared_ptr<const Authentication>> Get(const Context&) override {
    return std::make_shared<const Authentication>(Authentication{
        .connection = connection_, .authorization = base::Secret(absl::StrCat("Bearer t", used_))});
  }
  absl::StatusOr<bool> Rejected(const Context&, const Authentication&) override {
    ++used_;
    return true;
  }

 private:
  const std::shared_ptr<const httpclient::ConnectionOptions> connection_ =
      std::make_shared<httpclient::ConnectionOptions>();
  int used_ = 0;
};

absl::Status Lost(Kind kind) { return httpclient::MakeTransportError({.kind = kind}, "failed"); }

TEST(ClientUpgradeTest, ReturnsTheConnection) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({.path = "/api/v1/namespaces/prod/pods/web-0/exec",
                     .query = {{"command", {"ls"}}},
                     .headers = {{"connection", "Upgrade"}, {"upgrade", "websocket"}}},
                    Switched());
  Request request = Exec();
  request.timeout = absl::Seconds(5);
  request.retry = RetryRule::kWatch;
  absl::StatusOr<UpgradedResult> result =
      MakeScriptedClient(transport, {.timeout = absl::Seconds(7)}).Upgrade(Context(), request);
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->headers.Get("upgrade"), "websocket");
  ASSERT_NE(result->connection, nullptr);
  EXPECT_THAT(result->connection->Read(Context()), IsOkAndHolds("hello"));
  const RecordedRequest sent = transport->requests()[0];
  EXPECT_TRUE(sent.upgrade);
  EXPECT_FALSE(sent.long_running);
  // The server must not end the connection after a time.
  EXPECT_EQ(sent.Param("timeout"), "");
}

TEST(ClientUpgradeTest, RequestsAreNoUpgrades) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({});
  ASSERT_THAT(MakeScriptedClient(transport).Stream(Context(), Exec()), IsOk());
  EXPECT_FALSE(transport->requests()[0].upgrade);
}

// ---- Answers other than 101

// behaviour.md: ST-68, ST-72
TEST(ClientUpgradeTest, TheServersErrorIsKept) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, StatusReply(404, "NotFound", "pods \"web-0\" not found"));
  const absl::Status error = MakeScriptedClient(transport).Upgrade(Context(), Exec()).status();
  EXPECT_TRUE(IsUpgradeRefused(error));
  EXPECT_TRUE(IsUpgradeRefused(base::Annotate(error, "run command")));
  EXPECT_TRUE(errors::IsNotFound(error));
  EXPECT_EQ(error.message(),
            "get pods/exec \"web-0\" in \"prod\": unable to upgrade connection: pods \"web-0\" not "
            "found");
}

// behaviour.md: ST-67
TEST(ClientUpgradeTest, EveryOtherAnswerIsARefusal) {
  struct Row {
    int status;
    std::string body;
    std::string message;
  };
  for (const Row& row : std::vector<Row>{{200, "", ""},
                                         {204, "", ""},
                                         {400, "you must specify a protocol", "specify a protocol"},
                                         {403, "<html>", "<html>"},
                                         {500, "", ""},
                                         {502, "bad gateway", "bad gateway"}}) {
    SCOPED_TRACE(row.status);
    auto transport = std::make_shared<ScriptedTransport>();
    transport->Expect(
        {}, {.status = row.status, .headers = {{"content-type", "text/plain"}}, .body = row.body});
    const absl::Status error = MakeScriptedClient(transport).Upgrade(Context(), Exec()).status();
    EXPECT_TRUE(IsUpgradeRefused(error)) << error;
    EXPECT_THAT(std::string(error.message()),
                AllOf(HasSubstr("unable to upgrade connection: "), HasSubstr(row.message)));
  }
}

// A long answer is not read to its end.
// behaviour.md: ST-68
TEST(ClientUpgradeTest, LongAnswersAreCut) {
  auto transport = std::make_shared<ScriptedTransport>();
  const std::shared_ptr<ScriptedStream> body = std::make_shared<ScriptedStream>();
  body->Write(std::string(size_t{64} << 10, 'x'));  // and it never ends
  transport->Expect({}, {.status = 500, .stream = body});
  EXPECT_TRUE(IsUpgradeRefused(MakeScriptedClient(transport).Upgrade(Context(), Exec()).status()));
  EXPECT_TRUE(body->closed());
}

// The answer may come from a node, which must not choose the path to which the credentials go.
// behaviour.md: ST-76
TEST(ClientUpgradeTest, RedirectsAreRefusals) {
  for (const absl::string_view verb : {"GET", "POST"}) {
    auto transport = std::make_shared<ScriptedTransport>();
    transport->Always({}, {.status = 302, .headers = {{"location", "/api/v1/other"}}});
    Request request = Exec();
    request.verb = std::string(verb);
    EXPECT_TRUE(
        IsUpgradeRefused(MakeScriptedClient(transport).Upgrade(Context(), request).status()));
    EXPECT_EQ(transport->requests().size(), 1);
  }
}

TEST(ClientUpgradeTest, TriesOnceMoreWithANewCredential) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, StatusReply(401, "Unauthorized", "expired"));
  transport->Expect({}, Switched());
  transport->Expect({}, StatusReply(401, "Unauthorized", "expired"));
  transport->Expect({}, StatusReply(401, "Unauthorized", "expired again"));
  const Client client = MakeClient({.host = "https://10.0.0.1:6443", .transport = transport},
                                   std::make_shared<Tokens>())
                            .value();
  EXPECT_THAT(client.Upgrade(Context(), Exec()), IsOk());
  const absl::Status error = client.Upgrade(Context(), Exec()).status();
  EXPECT_TRUE(errors::IsUnauthorized(error));
  EXPECT_TRUE(IsUpgradeRefused(error));
  std::vector<std::string> tokens;
  for (const RecordedRequest& request : transport->requests()) {
    EXPECT_TRUE(request.upgrade);
    tokens.push_back(request.Header("authorization"));
  }
  EXPECT_THAT(tokens, ElementsAre("Bearer t0", "Bearer t1", "Bearer t1", "Bearer t2"));
}

TEST(ClientUpgradeTest, TriesAgainAsTheServerAsks) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, {.status = 429, .headers = {{"retry-after", "3"}}});
  transport->Expect({}, Switched());
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([&transport] {
    EXPECT_THAT(MakeScriptedClient(transport).Upgrade(Context(), Exec()), IsOk());
  }),
              IsOk());
}

// ---- Other errors

TEST(ClientUpgradeTest, FailuresAreNoRefusals) {
  for (const Kind kind : {Kind::kResolve, Kind::kConnect, Kind::kTls, Kind::kReset, Kind::kEof,
                          Kind::kLost, Kind::kTimeout, Kind::kProtocol, Kind::kClosed}) {
    SCOPED_TRACE(ToString(kind));
    auto transport = std::make_shared<ScriptedTransport>();
    transport->Expect({}, {.error = Lost(kind)});
    const absl::Status error = MakeScriptedClient(transport).Upgrade(Context(), Exec()).status();
    EXPECT_FALSE(IsUpgradeRefused(error));
    EXPECT_EQ(httpclient::TransportErrorOf(error)->kind, kind);
    EXPECT_THAT(std::string(error.message()), StartsWith("get pods/exec \"web-0\" in \"prod\": "));
    EXPECT_EQ(transport->requests().size(), 1);
  }
  EXPECT_FALSE(IsUpgradeRefused(absl::OkStatus()));
}

TEST(ClientUpgradeTest, AProxysRefusalIsOne) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, {.error = Lost(Kind::kProxy)});
  const absl::Status error = MakeScriptedClient(transport).Upgrade(Context(), Exec()).status();
  EXPECT_TRUE(IsUpgradeRefused(error));
  EXPECT_EQ(httpclient::TransportErrorOf(error)->kind, Kind::kProxy);
}

// behaviour.md: ST-93
TEST(ClientUpgradeTest, TheContextEndsTheWait) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Always({}, {.hang = true});
  base::SimRuntime sim({.seed = 1});
  EXPECT_THAT(sim.Run([&transport] {
    const absl::Status error = MakeScriptedClient(transport)
                                   .Upgrade(WithTimeout(Context(), absl::Seconds(1)), Exec())
                                   .status();
    EXPECT_THAT(error, StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_FALSE(IsUpgradeRefused(error));
  }),
              IsOk());
}

TEST(ClientUpgradeTest, TransportsThatCannot) {
  auto transport = std::make_shared<ScriptedTransport>();
  transport->Expect({}, {.status = 101});
  const absl::Status error = MakeScriptedClient(transport).Upgrade(Context(), Exec()).status();
  EXPECT_THAT(error, StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("the transport")));
  EXPECT_FALSE(IsUpgradeRefused(error));
}

TEST(ClientUpgradeTest, ARequestThatCannotBeIsNotSent) {
  auto transport = std::make_shared<ScriptedTransport>();
  Request request = Exec();
  request.name = "";
  const absl::Status error = MakeScriptedClient(transport).Upgrade(Context(), request).status();
  EXPECT_THAT(error, StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_FALSE(IsUpgradeRefused(error));
  EXPECT_THAT(transport->requests(), IsEmpty());
}

// ---- Over the network

// Switches if the request has the token, and sends back what it gets.
void Serve(RawServer::Connection& connection) {
  const std::string header = connection.ReadUntil("\r\n\r\n");
  if (!absl::StrContains(header, "authorization: Bearer sesame\r\n")) {
    connection.Write("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
    return;
  }
  connection.Write("HTTP/1.1 101 S\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  for (std::string bytes; !(bytes = connection.Read()).empty();) connection.Write(bytes);
}

// behaviour.md: ST-66
TEST(ClientUpgradeNetworkTest, ConnectionsHaveCredentials) {
  RawServer server(Serve, {.tls = true});
  Config config = {.host = server.url(""),
                   .bearer_token = base::Secret("sesame"),
                   .tls = {.ca_data = server.connection().ca_certificates},
                   .proxy_url = ""};
  const Client client = httpclient::TestServer::Value(MakeClient(config));
  absl::StatusOr<UpgradedResult> result = client.Upgrade(Soon(), Exec());
  ASSERT_THAT(result, IsOk());
  ASSERT_THAT(result->connection->Write(Soon(), "text"), IsOk());
  EXPECT_THAT(result->connection->Read(Soon()), IsOkAndHolds("text"));

  config.bearer_token = base::Secret("other");
  EXPECT_TRUE(IsUpgradeRefused(
      httpclient::TestServer::Value(MakeClient(config)).Upgrade(Soon(), Exec()).status()));
  config.tls = {};
  const absl::Status untrusted =
      httpclient::TestServer::Value(MakeClient(config)).Upgrade(Soon(), Exec()).status();
  EXPECT_THAT(untrusted, StatusIs(absl::StatusCode::kUnauthenticated));
  EXPECT_FALSE(IsUpgradeRefused(untrusted));
}

}  // namespace
}  // namespace kube::rest
