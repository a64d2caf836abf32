#include "clientset/remotecommand/exec.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/session.h"
#include "clientset/remotecommand/testing/peers.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport.h"
#include "net/httpclient/transport_error.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"
#include "net/websocket/handshake.h"

namespace kube::remotecommand {
namespace {

using base::IsOk;
using base::StatusIs;
using rest::RecordedRequest;
using rest::ScriptedReply;
using rest::StatusReply;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

constexpr char kPath[] = "/api/v1/namespaces/prod/pods/web-0/exec";
constexpr char kName[] = "exec in pod \"web-0\" of \"prod\"";

// A transport that gives a connection to each answer 101 of a script, and its other end to the
// test.
class SwitchingTransport final : public httpclient::Transport {
 public:
  absl::StatusOr<httpclient::HttpResponse> RoundTrip(const Context& ctx,
                                                     httpclient::HttpRequest request) override
      ABSL_LOCKS_EXCLUDED(mutex_) {
    EXPECT_TRUE(request.upgrade);
    const std::string method = request.method;
    KUBE_ASSIGN_OR_RETURN(httpclient::HttpResponse response,
                          script.RoundTrip(ctx, std::move(request)));
    if (response.status != 101) return response;
    io::Pipe pipe = io::MakePipe();
    response.connection = std::move(pipe.first);
    const base::MutexLock lock(mutex_);
    server_ends_[method] = std::move(pipe.second);
    came_.NotifyAll();
    return response;
  }
  void CloseIdleConnections() override {}

  // Returns the server's end of the last connection of a method, or null if `ctx` ends before there
  // is one.
  std::unique_ptr<io::DuplexStream> AwaitServerEnd(const Context& ctx, const std::string& method)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    const base::MutexLock lock(mutex_);
    const absl::Status status = came_.Wait(
        ctx, mutex_,
        [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return server_ends_[method] != nullptr; });
    return status.ok() ? std::move(server_ends_[method]) : nullptr;
  }

  rest::ScriptedTransport script;

 private:
  base::Mutex mutex_;
  base::CondVar came_;
  std::map<std::string, std::unique_ptr<io::DuplexStream>> server_ends_ ABSL_GUARDED_BY(mutex_);
};

class ExecTest : public testing::Test {
 protected:
  // Has the server accept a WebSocket, in the first of the offered versions that it knows.
  void AcceptWebSocket(std::vector<std::string> known = {std::string(kProtocolV5)}) {
    transport_->script.Handle({.method = "GET"}, [known](const RecordedRequest& request) {
      const websocket::HandshakeAnswer answer =
          websocket::AnswerHandshake("GET", request.headers, known);
      return ScriptedReply{.status = answer.status, .headers = answer.headers};
    });
  }
  void AcceptSpdy(absl::string_view protocol) {
    http::Headers headers = {{"connection", "Upgrade"}, {"upgrade", "SPDY/3.1"}};
    if (!protocol.empty()) headers.Add("x-stream-protocol-version", protocol);
    transport_->script.Expect({.method = "POST"}, {.status = 101, .headers = headers});
  }

  absl::StatusOr<std::unique_ptr<Session>> Start(const ExecOptions& options) {
    return StartExec(ctx_, client_, {"prod", "web-0"}, options);
  }

  // Starts a command by SPDY, while a server accepts its streams.
  absl::StatusOr<std::unique_ptr<Session>> StartBySpdy(const ExecOptions& options) {
    base::Thread server;
    KUBE_RETURN_IF_ERROR(server.Start(ctx_, "server", [&](const Context& ctx) {
      std::unique_ptr<io::DuplexStream> end = transport_->AwaitServerEnd(ctx, "POST");
      if (end == nullptr) return;
      SpdyPeer peer(std::move(end));
      for (std::string event = peer.Next(ctx); absl::StartsWith(event, "open ");
           event = peer.Next(ctx)) {
        opened_.push_back(event);
      }
    }));
    absl::StatusOr<std::unique_ptr<Session>> session = Start(options);
    server.RequestStop();
    server.Join();
    return session;
  }

  const Context ctx_ = WithTimeout(Context(), absl::Minutes(1));
  const std::shared_ptr<SwitchingTransport> transport_ = std::make_shared<SwitchingTransport>();
  const rest::Client client_ = rest::MakeScriptedClient(transport_);
  // What the client has opened by SPDY.
  std::vector<std::string> opened_;
};

// What a program does, as in the header.
absl::StatusOr<std::string> List(const Context& ctx, const rest::Client& client) {
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<remotecommand::Session> session,
      remotecommand::StartExec(ctx, client, {"prod", "web-0"}, {.command = {"ls", "-l"}}));
  KUBE_ASSIGN_OR_RETURN(const std::optional<Output> output, session->Read(ctx));
  KUBE_RETURN_IF_ERROR(session->Wait(ctx));
  return output.has_value() ? output->data : "";
}

// behaviour.md: ST-4, ST-7, ST-92
TEST_F(ExecTest, RunsACommandByWebSocket) {
  AcceptWebSocket();
  base::Thread server;
  ASSERT_THAT(server.Start(ctx_, "server",
                           [&](const Context& ctx) {
                             std::unique_ptr<io::DuplexStream> end =
                                 transport_->AwaitServerEnd(ctx, "GET");
                             ASSERT_NE(end, nullptr);
                             WebSocketPeer peer(std::move(end));
                             peer.Send(ctx, Channel::kStdout, "total 0\n");
                             peer.Finish(ctx, absl::OkStatus());
                             peer.Drain(ctx);
                           }),
              IsOk());
  EXPECT_THAT(List(ctx_, client_), base::IsOkAndHolds("total 0\n"));
  server.Join();
  const std::vector<RecordedRequest> requests = transport_->script.requests();
  ASSERT_THAT(requests, SizeIs(1));
  EXPECT_EQ(requests[0].method, "GET");
  EXPECT_EQ(requests[0].path, kPath);
  EXPECT_EQ(requests[0].url,
            "http://localhost/api/v1/namespaces/prod/pods/web-0/exec"
            "?command=ls&command=-l&stderr=true&stdout=true");
  EXPECT_EQ(requests[0].Header("upgrade"), "websocket");
  EXPECT_EQ(requests[0].Header("sec-websocket-protocol"), "v5.channel.k8s.io");
}

// behaviour.md: ST-9, ST-10
TEST_F(ExecTest, Parameters) {
  AcceptWebSocket();
  const struct {
    const char* name;
    ExecOptions options;
    const char* query;
  } rows[] = {
      {"all",
       {.container = "app", .command = {"sh", "-c", "a b"}, .with_stdin = true},
       "command=sh&command=-c&command=a+b&container=app&stderr=true&stdin=true&stdout=true"},
      {"a terminal has no stderr",
       {.command = {"sh"}, .with_stdin = true, .tty = true},
       "command=sh&stdin=true&stdout=true&tty=true"},
      {"stderr alone", {.command = {"sh"}, .with_stdout = false}, "command=sh&stderr=true"},
      {"an argument that is empty",
       {.command = {"echo", "", "a"}},
       "command=echo&command=&command=a&stderr=true&stdout=true"},
  };
  for (const auto& row : rows) {
    ASSERT_THAT(Start(row.options), IsOk()) << row.name;
    const std::string url = transport_->script.requests().back().url;
    EXPECT_EQ(url.substr(url.find('?') + 1), row.query) << row.name;
  }
}

// behaviour.md: ST-9
TEST_F(ExecTest, Attach) {
  AcceptWebSocket();
  ASSERT_THAT(StartAttach(ctx_, client_, {"prod", "web-0"}), IsOk());
  ASSERT_THAT(StartAttach(ctx_, client_, {"prod", "web-0"},
                          {.container = "app", .with_stdin = true, .tty = true}),
              IsOk());
  const std::vector<RecordedRequest> requests = transport_->script.requests();
  EXPECT_EQ(requests[0].url,
            "http://localhost/api/v1/namespaces/prod/pods/web-0/attach?stderr=true&stdout=true");
  EXPECT_EQ(requests[1].url,
            "http://localhost/api/v1/namespaces/prod/pods/web-0/attach"
            "?container=app&stdin=true&stdout=true&tty=true");
}

// behaviour.md: ST-10
TEST_F(ExecTest, WhatIsWrongWithTheOptions) {
  EXPECT_THAT(Start({}), StatusIs(absl::StatusCode::kInvalidArgument,
                                  AllOf(StartsWith(kName), HasSubstr("at least one command"))));
  EXPECT_THAT(
      StartAttach(ctx_, client_, {"prod", "web-0"}, {.with_stdout = false, .with_stderr = false}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "attach to pod \"web-0\" of \"prod\": you must specify at least 1 of stdin, stdout, "
               "stderr"));
  EXPECT_THAT(StartExec(ctx_, client_, {"prod", ""}, {.command = {"ls"}}),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(transport_->script.requests(), SizeIs(0));
}

// behaviour.md: ST-4, ST-7, ST-71, ST-74, ST-92
TEST_F(ExecTest, FallsBackToSpdy) {
  for (const int status : {400, 401, 403, 404, 500, 502}) {
    transport_->script.Expect({.method = "GET"}, StatusReply(status, "", "no"));
    AcceptSpdy(kProtocolV4);
    opened_.clear();
    const auto session = StartBySpdy({.command = {"ls"}, .with_stdin = true});
    ASSERT_THAT(session, IsOk()) << status;
    EXPECT_EQ((*session)->protocol(), kProtocolV4) << status;
    EXPECT_THAT(opened_, ElementsAre("open error", "open stdin", "open stdout", "open stderr"));
  }
  const RecordedRequest request = transport_->script.requests().back();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, kPath);
  EXPECT_EQ(request.Header("upgrade"), "SPDY/3.1");
  EXPECT_THAT(request.headers.GetAll("x-stream-protocol-version"),
              ElementsAre("v5.channel.k8s.io", "v4.channel.k8s.io", "v3.channel.k8s.io",
                          "v2.channel.k8s.io", "channel.k8s.io"));
  EXPECT_THAT(transport_->script.Verify(), IsOk());
}

// behaviour.md: ST-69
TEST_F(ExecTest, FallsBackIfTheServerKnowsNoVersion) {
  // Switches protocols, but to a subprotocol that was not asked for.
  transport_->script.Handle({.method = "GET"}, [](const RecordedRequest& request) {
    http::Headers headers = {
        {"connection", "Upgrade"},
        {"upgrade", "websocket"},
        {"sec-websocket-accept", websocket::AcceptOf(request.Header("sec-websocket-key"))}};
    return ScriptedReply{.status = 101, .headers = headers};
  });
  AcceptSpdy(kProtocolV4);
  EXPECT_THAT(StartBySpdy({.command = {"ls"}}), IsOk());
}

// behaviour.md: ST-71
TEST_F(ExecTest, ASpdyServerThatNamesNoVersionSpeaksTheFirst) {
  AcceptSpdy("");
  const auto session = StartBySpdy({.command = {"ls"}, .transport = TransportPreference::kSpdy});
  ASSERT_THAT(session, IsOk());
  EXPECT_EQ((*session)->protocol(), kProtocolV1);
  EXPECT_THAT(transport_->script.requests(), SizeIs(1));
}

// behaviour.md: ST-72
TEST_F(ExecTest, WrongAnswersToSpdy) {
  const struct {
    const char* name;
    http::Headers headers;
    const char* message;
  } rows[] = {
      {"another protocol", {{"connection", "Upgrade"}, {"upgrade", "h2c"}}, "another protocol"},
      {"an unknown version",
       {{"connection", "Upgrade"},
        {"upgrade", "SPDY/3.1"},
        {"x-stream-protocol-version", "v9.channel.k8s.io"}},
       "got \"v9.channel.k8s.io\""},
  };
  for (const auto& row : rows) {
    transport_->script.Expect({.method = "POST"}, {.status = 101, .headers = row.headers});
    EXPECT_THAT(Start({.command = {"ls"}, .transport = TransportPreference::kSpdy}),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         AllOf(StartsWith(kName), HasSubstr(row.message))))
        << row.name;
  }
}

// behaviour.md: ST-72, ST-74
TEST_F(ExecTest, IfBothWaysAreRefusedTheSecondErrorCounts) {
  transport_->script.Expect({.method = "GET"}, StatusReply(403, "Forbidden", "no get"));
  transport_->script.Expect({.method = "POST"}, StatusReply(404, "NotFound", "no pod"));
  const absl::Status status = Start({.container = "app", .command = {"ls"}}).status();
  EXPECT_TRUE(errors::IsNotFound(status));
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(StartsWith("exec in pod \"web-0\" of \"prod\", container \"app\": "),
            HasSubstr("no pod"), HasSubstr("; before, by WebSocket: "), HasSubstr("no get")));
}

// behaviour.md: ST-74
TEST_F(ExecTest, DoesNotFallBackFromWhatIsNoAnswer) {
  using Kind = httpclient::TransportErrorKind;
  const absl::Status failures[] = {
      httpclient::MakeTransportError({.kind = Kind::kTls}, "unknown authority"),
      httpclient::MakeTransportError({.kind = Kind::kConnect}, "connection refused"),
      httpclient::MakeTransportError({.kind = Kind::kEof}, "EOF"),
  };
  for (const absl::Status& error : failures) {
    // Whatever may be tried again is answered in the same way.
    const auto transport = std::make_shared<SwitchingTransport>();
    transport->script.Always({.method = "GET"}, {.error = error});
    const rest::Client client = rest::MakeScriptedClient(transport);
    EXPECT_THAT(StartExec(WithTimeout(ctx_, absl::Seconds(5)), client, {"prod", "web-0"},
                          {.command = {"ls"}}),
                StatusIs(testing::_, StartsWith(kName)))
        << error;
    for (const RecordedRequest& request : transport->script.requests()) {
      EXPECT_EQ(request.method, "GET") << error;
    }
  }
}

// behaviour.md: ST-74
TEST_F(ExecTest, DoesNotFallBackFromTheEndOfTheContext) {
  transport_->script.Always({.method = "GET"}, {.hang = true});
  EXPECT_THAT(StartExec(WithTimeout(Context(), absl::Milliseconds(20)), client_, {"prod", "web-0"},
                        {.command = {"ls"}}),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_THAT(transport_->script.requests(), SizeIs(1));
}

TEST_F(ExecTest, ACommandThatMayHaveBeenStartedIsNotStartedAgain) {
  transport_->script.Always(
      {.method = "GET"},
      {.error = httpclient::MakeTransportError(
           {.kind = httpclient::TransportErrorKind::kReset, .maybe_sent = true}, "reset")});
  EXPECT_THAT(Start({.command = {"reboot"}}), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(transport_->script.requests(), SizeIs(1));
}

// behaviour.md: ST-7
TEST_F(ExecTest, WebSocketAloneOffersVersion4AndDoesNotFallBack) {
  AcceptWebSocket({std::string(kProtocolV4)});
  const ExecOptions options = {.command = {"ls"}, .transport = TransportPreference::kWebSocket};
  const auto session = Start(options);
  ASSERT_THAT(session, IsOk());
  EXPECT_EQ((*session)->protocol(), kProtocolV4);
  EXPECT_EQ(transport_->script.requests().back().Header("sec-websocket-protocol"),
            "v5.channel.k8s.io, v4.channel.k8s.io");
}

TEST_F(ExecTest, WebSocketAloneReturnsTheFirstError) {
  transport_->script.Expect({.method = "GET"}, StatusReply(403, "Forbidden", "no get"));
  const ExecOptions options = {.command = {"ls"}, .transport = TransportPreference::kWebSocket};
  const absl::Status status = Start(options).status();
  EXPECT_TRUE(errors::IsForbidden(status)) << status;
  EXPECT_THAT(transport_->script.requests(), SizeIs(1));
}

}  // namespace
}  // namespace kube::remotecommand
