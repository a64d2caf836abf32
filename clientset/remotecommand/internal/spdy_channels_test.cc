#include "clientset/remotecommand/internal/spdy_channels.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/internal/channels.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/spdy/connection.h"
#include "net/spdy/frame.h"

namespace kube::remotecommand::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr absl::string_view kSuccess = R"({"metadata":{},"status":"Success"})";
constexpr char kGoAway[] = "\x80\x03\x00\x07\x00\x00\x00\x08\x00\x00\x00\x03\x00\x00\x00\x00";

class Recorder final : public Channels::Events {
 public:
  void OnOutput(Channel channel, absl::string_view data) override {
    events_.push_back(absl::StrCat(StreamTypeOf(channel), " ", data));
  }
  void OnEnd(const absl::Status& outcome) override {
    events_.push_back(absl::StrCat("end ", outcome.ToString()));
  }
  void OnPong(uint64_t number) override { events_.push_back(absl::StrCat("pong ", number)); }

  std::vector<std::string> Take() { return std::exchange(events_, {}); }

 private:
  std::vector<std::string> events_;
};

// A server that the test moves. What it sends waits in `out` until Link::Deliver.
class Server final : private spdy::Connection::Events {
 public:
  Server() : connection_({.role = spdy::Role::kServer}, *this) {}

  void Receive(absl::string_view bytes) {
    EXPECT_THAT(connection_.Receive(bytes), IsOk());
    connection_.Produce(out);
  }
  void Accept(Channel channel) { EXPECT_THAT(connection_.Reply(ids_.at(channel), out), IsOk()); }
  void AcceptAll() {
    for (const auto& [channel, id] : ids_) EXPECT_THAT(connection_.Reply(id, out), IsOk());
  }
  void Send(Channel channel, absl::string_view data) {
    EXPECT_THAT(connection_.SendData(ids_.at(channel), data, out), IsOk());
  }
  void End(Channel channel) { EXPECT_THAT(connection_.Finish(ids_.at(channel), out), IsOk()); }
  void Reset(Channel channel) { connection_.Reset(ids_.at(channel), out); }
  void OpenStream() { EXPECT_THAT(connection_.OpenStream({{"a", "b"}}, out), IsOk()); }
  void Close() { connection_.Close(out); }

  std::vector<std::string> Take() { return std::exchange(events_, {}); }

  std::string out;

 private:
  void OnStream(spdy::StreamId id, const http::Headers& headers) override {
    EXPECT_EQ(headers.size(), 1u);
    const std::string type(headers.Get("streamtype").value_or(""));
    if (const auto channel = ChannelOf(type)) ids_[*channel] = id;
    types_[id] = type;
    events_.push_back("open " + type);
  }
  void OnReply(spdy::StreamId, const http::Headers&) override {}
  void OnData(spdy::StreamId id, absl::string_view data) override {
    events_.push_back(absl::StrCat(types_[id], " ", data));
  }
  void OnEnd(spdy::StreamId id) override { events_.push_back("end " + types_[id]); }
  void OnReset(spdy::StreamId id, spdy::ResetStatus status) override {
    const std::string name = types_.contains(id) ? types_[id] : "a stream of the server";
    events_.push_back(absl::StrCat("reset ", name, " ", static_cast<uint32_t>(status)));
  }
  void OnGoAway(spdy::StreamId, spdy::GoAwayStatus) override { events_.push_back("goaway"); }

  spdy::Connection connection_;
  std::map<Channel, spdy::StreamId> ids_;
  std::map<spdy::StreamId, std::string> types_;
  std::vector<std::string> events_;
};

ChannelsOptions Options(absl::string_view protocol = kProtocolV4) {
  return {.protocol = std::string(protocol),
          .with_stdin = true,
          .with_stdout = true,
          .with_stderr = true};
}

// Both sides.
struct Link {
  explicit Link(const ChannelsOptions& options = Options()) : channels(options, recorder) {
    EXPECT_THAT(channels.Open(out), IsOk());
    ToServer();
  }

  void ToServer() {
    channels.Produce(out);
    server.Receive(std::exchange(out, std::string()));
  }
  absl::Status ToClient() { return channels.Receive(std::exchange(server.out, std::string())); }

  Recorder recorder;
  SpdyChannels channels;
  Server server;
  std::string out;
};

// behaviour.md: ST-1, ST-10, ST-12, ST-91
TEST(SpdyChannelsTest, OpensStreamsInTheOrderOfClientGo) {
  const ChannelsOptions terminal = {.with_stdin = true, .with_stdout = true, .tty = true};
  ChannelsOptions old_terminal = terminal;
  old_terminal.protocol = std::string(kProtocolV2);
  const struct {
    const char* name;
    ChannelsOptions options;
    std::vector<std::string> opened;
  } rows[] = {
      {"all", Options(), {"open error", "open stdin", "open stdout", "open stderr"}},
      {"stdout alone", {.with_stdout = true}, {"open error", "open stdout"}},
      {"a terminal", terminal, {"open error", "open stdin", "open stdout", "open resize"}},
      {"a terminal in version 2", old_terminal, {"open error", "open stdin", "open stdout"}},
  };
  for (const auto& row : rows) {
    Link link(row.options);
    EXPECT_EQ(link.server.Take(), row.opened) << row.name;
  }
}

// behaviour.md: ST-12
TEST(SpdyChannelsTest, WaitsUntilAllStreamsAreAccepted) {
  Link link;
  std::string out;
  for (const Channel channel :
       {Channel::kError, Channel::kStderr, Channel::kStdout, Channel::kStdin}) {
    EXPECT_FALSE(link.channels.opened());
    EXPECT_THAT(link.channels.Send(Channel::kStdin, "a", out),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_THAT(link.channels.CloseStdin(out), StatusIs(absl::StatusCode::kFailedPrecondition));
    link.server.Accept(channel);
    EXPECT_THAT(link.ToClient(), IsOk());
  }
  EXPECT_TRUE(link.channels.opened());
  EXPECT_THAT(out, IsEmpty());
}

TEST(SpdyChannelsTest, ARefusedStreamIsAFailure) {
  Link link;
  link.server.Reset(Channel::kStdout);
  EXPECT_THAT(link.ToClient(),
              StatusIs(absl::StatusCode::kAborted, "the server has refused the stream stdout"));
  EXPECT_THAT(link.recorder.Take(), IsEmpty());
}

// behaviour.md: ST-8, ST-20, ST-26
TEST(SpdyChannelsTest, HowACommandEnds) {
  using Steps = std::function<void(Server&)>;
  const Steps success = [](Server& server) { server.Send(Channel::kError, kSuccess); };
  const struct {
    const char* name;
    ChannelsOptions options;
    Steps steps;
    std::vector<std::string> events;
  } rows[] = {
      {"a kubelet: the outcome, and all streams are reset",
       Options(),
       [&](Server& server) {
         server.Send(Channel::kStdout, "a");
         success(server);
         server.Close();
       },
       {"stdout a", "end OK"}},
      {"streams that end one by one",
       Options(),
       [&](Server& server) {
         success(server);
         server.End(Channel::kError);
         server.End(Channel::kStderr);
         server.End(Channel::kStdout);
       },
       {"end OK"}},
      {"not before all outputs have ended",
       Options(),
       [&](Server& server) {
         success(server);
         server.End(Channel::kError);
         server.End(Channel::kStdout);
         server.End(Channel::kStdin);
       },
       {}},
      {"not before the error stream has ended",
       Options(),
       [&](Server& server) {
         success(server);
         server.End(Channel::kStderr);
         server.End(Channel::kStdout);
       },
       {}},
      {"only stdin",
       {.protocol = std::string(kProtocolV4), .with_stdin = true},
       [&](Server& server) {
         success(server);
         server.End(Channel::kError);
       },
       {"end OK"}},
      {"an empty error stream that ends",
       Options(),
       [](Server& server) {
         for (const Channel channel : {Channel::kStdout, Channel::kStderr, Channel::kError}) {
           server.End(channel);
         }
       },
       {"end OK"}},
      {"version 3: a text",
       Options(kProtocolV3),
       [](Server& server) {
         server.Send(Channel::kError, "no such file");
         server.Close();
       },
       {"end UNKNOWN: error executing remote command: no such file"}},
      {"version 3: a reset cannot be told from success",
       Options(kProtocolV3),
       [](Server& server) { server.Close(); },
       {"end OK"}},
      {"version 1: the outputs end",
       Options(kProtocolV1),
       [](Server& server) {
         server.End(Channel::kStdout);
         server.End(Channel::kStderr);
       },
       {"end OK"}},
      {"version 1: not when the empty error stream is reset",
       Options(kProtocolV1),
       [](Server& server) {
         server.End(Channel::kStdin);
         server.Reset(Channel::kError);
         server.Send(Channel::kStdout, "a");
         server.End(Channel::kStdout);
       },
       {"stdout a"}},
      {"version 1: a kubelet closes the connection",
       Options(kProtocolV1),
       [](Server& server) {
         server.End(Channel::kStdin);
         server.Reset(Channel::kError);
         server.Send(Channel::kStdout, "a");
         server.Close();
       },
       {"stdout a", "end OK"}},
      {"version 1: only stdin, which is still read",
       {.protocol = std::string(kProtocolV1), .with_stdin = true},
       [](Server& server) {
         server.End(Channel::kStdin);
         server.Reset(Channel::kError);
       },
       {}},
      {"version 1: only stdin, which is not read any more",
       {.protocol = std::string(kProtocolV1), .with_stdin = true},
       [](Server& server) {
         server.End(Channel::kStdin);
         server.Reset(Channel::kError);
         // A kubelet says goodbye without a reset of a stream that it has ended.
         absl::StrAppend(&server.out, absl::string_view(kGoAway, sizeof(kGoAway) - 1));
       },
       {"end OK"}},
      {"version 1: an error ends it",
       Options(kProtocolV1),
       [](Server& server) {
         server.Send(Channel::kError, "no such file");
         server.End(Channel::kError);
       },
       {"end UNKNOWN: error executing remote command: no such file"}},
  };
  for (const auto& row : rows) {
    Link link(row.options);
    link.server.AcceptAll();
    row.steps(link.server);
    EXPECT_THAT(link.ToClient(), IsOk()) << row.name;
    EXPECT_EQ(link.recorder.Take(), row.events) << row.name;
  }
}

// behaviour.md: ST-86
TEST(SpdyChannelsTest, AResetWithoutAnOutcomeIsAFailure) {
  Link link;
  link.server.AcceptAll();
  link.server.Send(Channel::kStdout, "a");
  link.server.Close();
  EXPECT_THAT(link.ToClient(), StatusIs(absl::StatusCode::kAborted, HasSubstr("output may be")));
  EXPECT_THAT(link.recorder.Take(), ElementsAre("stdout a"));
}

TEST(SpdyChannelsTest, ALostConnection) {
  Link link;
  link.server.AcceptAll();
  ASSERT_THAT(link.ToClient(), IsOk());
  EXPECT_THAT(link.channels.EndOfInput(absl::OkStatus()),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("before the server told")));
  Link told;
  told.server.AcceptAll();
  told.server.Send(Channel::kError, kSuccess);
  ASSERT_THAT(told.ToClient(), IsOk());
  EXPECT_THAT(told.channels.EndOfInput(absl::UnavailableError("reset")), IsOk());
  EXPECT_THAT(told.recorder.Take(), ElementsAre("end OK"));
}

TEST(SpdyChannelsTest, BytesThatAreNotSpdy) {
  Link link;
  constexpr char kVersion2[] = "\x80\x02\x00\x01\x00\x00\x00";
  EXPECT_THAT(link.channels.Receive(absl::string_view(kVersion2, sizeof(kVersion2))),
              StatusIs(absl::StatusCode::kDataLoss));
}

TEST(SpdyChannelsTest, Sends) {
  const ChannelsOptions terminal = {
      .protocol = std::string(kProtocolV4), .with_stdin = true, .with_stdout = true, .tty = true};
  Link link(terminal);
  link.server.AcceptAll();
  ASSERT_THAT(link.ToClient(), IsOk());
  link.server.Take();
  EXPECT_THAT(link.channels.Send(Channel::kStdin, "abc", link.out), IsOk());
  EXPECT_THAT(link.channels.Send(Channel::kResize, EncodeTerminalSize({80, 24}), link.out), IsOk());
  EXPECT_THAT(link.channels.CloseStdin(link.out), IsOk());
  EXPECT_THAT(link.channels.CloseStdin(link.out), IsOk());
  link.ToServer();
  EXPECT_THAT(link.server.Take(),
              ElementsAre("stdin abc", "resize {\"Width\":80,\"Height\":24}\n", "end stdin"));
  link.channels.Close(link.out);
  link.ToServer();
  EXPECT_THAT(link.server.Take(), ElementsAre("reset error 5", "reset stdin 5", "reset stdout 5",
                                              "reset resize 5", "goaway"));
}

// behaviour.md: ST-8
TEST(SpdyChannelsTest, Version1CannotEndStdin) {
  Link link(Options(kProtocolV1));
  link.server.AcceptAll();
  ASSERT_THAT(link.ToClient(), IsOk());
  EXPECT_THAT(link.channels.CloseStdin(link.out), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(SpdyChannelsTest, StdinThatAServerOfVersion1EndsIsStillRead) {
  Link link(Options(kProtocolV1));
  link.server.AcceptAll();
  link.server.End(Channel::kStdin);
  link.server.Reset(Channel::kError);
  ASSERT_THAT(link.ToClient(), IsOk());
  link.server.Take();
  EXPECT_THAT(link.channels.Send(Channel::kStdin, "a", link.out), IsOk());
  link.ToServer();
  EXPECT_THAT(link.server.Take(), ElementsAre("stdin a"));
}

// client-go closes its side, too, so that a server that waits for it can go on.
// behaviour.md: ST-19
TEST(SpdyChannelsTest, StdinThatTheServerEndsIsEnded) {
  Link link;
  link.server.AcceptAll();
  link.server.End(Channel::kStdin);
  ASSERT_THAT(link.ToClient(), IsOk());
  link.server.Take();
  link.ToServer();
  EXPECT_THAT(link.server.Take(), ElementsAre("end stdin"));
  EXPECT_THAT(link.channels.Send(Channel::kStdin, "a", link.out),
              StatusIs(absl::StatusCode::kFailedPrecondition, "stdin was closed"));
  EXPECT_THAT(link.channels.CloseStdin(link.out), IsOk());
  EXPECT_THAT(link.out, IsEmpty());
}

// behaviour.md: ST-19
TEST(SpdyChannelsTest, StdinThatTheServerResetsIsClosed) {
  Link link;
  link.server.AcceptAll();
  link.server.Reset(Channel::kStdin);
  ASSERT_THAT(link.ToClient(), IsOk());
  EXPECT_THAT(link.channels.Send(Channel::kStdin, "a", link.out),
              StatusIs(absl::StatusCode::kFailedPrecondition, "stdin was closed"));
}

TEST(SpdyChannelsTest, Pings) {
  Link link;
  const uint64_t first = link.channels.SendPing(link.out);
  const uint64_t second = link.channels.SendPing(link.out);
  EXPECT_LT(first, second);
  link.ToServer();
  ASSERT_THAT(link.ToClient(), IsOk());
  EXPECT_THAT(link.recorder.Take(),
              ElementsAre(absl::StrCat("pong ", first), absl::StrCat("pong ", second)));
}

TEST(SpdyChannelsTest, StreamsOfTheServerAreRefused) {
  Link link;
  link.server.Take();
  link.server.OpenStream();
  ASSERT_THAT(link.ToClient(), IsOk());
  link.ToServer();
  EXPECT_THAT(link.server.Take(), ElementsAre("reset a stream of the server 3"));
  for (int i = 0; i < 5000; ++i) link.server.OpenStream();
  EXPECT_THAT(link.ToClient(), StatusIs(absl::StatusCode::kResourceExhausted));
}

}  // namespace
}  // namespace kube::remotecommand::internal
