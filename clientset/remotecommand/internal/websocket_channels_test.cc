#include "clientset/remotecommand/internal/websocket_channels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/internal/channels.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/frame.h"

namespace kube::remotecommand::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using websocket::Opcode;

class Recorder final : public Channels::Events {
 public:
  void OnOutput(Channel channel, absl::string_view data) override {
    const std::string begin = absl::StrCat(StreamTypeOf(channel), " ");
    if (!events_.empty() && events_.back().rfind(begin, 0) == 0) {
      absl::StrAppend(&events_.back(), data);
    } else {
      events_.push_back(absl::StrCat(begin, data));
    }
  }
  void OnEnd(const absl::Status& outcome) override {
    events_.push_back(absl::StrCat("end ", outcome.ToString()));
  }
  void OnPong(uint64_t number) override { events_.push_back(absl::StrCat("pong ", number)); }

  const std::vector<std::string>& events() const { return events_; }

 private:
  std::vector<std::string> events_;
};

// What a server reads of the client's bytes.
class Server final : private websocket::Connection::Events {
 public:
  explicit Server(absl::string_view bytes)
      : connection_({.role = websocket::Role::kServer}, *this) {
    EXPECT_THAT(connection_.Receive(bytes), IsOk());
  }
  const std::vector<std::string>& events() const { return events_; }

 private:
  void OnMessage(const websocket::Message& message) override {
    EXPECT_EQ(message.type, websocket::MessageType::kBinary);
    const auto channel = static_cast<uint8_t>(message.data.at(0));
    events_.push_back(absl::StrCat(int{channel}, " ", message.data.substr(1)));
  }
  void OnClose(const websocket::Close& close) override {
    events_.push_back(websocket::ToString(close));
  }
  void OnPing(absl::string_view payload) override {
    events_.push_back(absl::StrCat("ping ", payload));
  }
  void OnPong(absl::string_view payload) override {
    events_.push_back(absl::StrCat("pong ", payload));
  }

  websocket::Connection connection_;
  std::vector<std::string> events_;
};

// ---- What a server sends

std::string Frame(Opcode opcode, absl::string_view payload, bool fin = true) {
  std::string out;
  websocket::AppendFrame({.opcode = opcode, .fin = fin}, payload, out);
  return out;
}

std::string Message(uint8_t channel, absl::string_view data) {
  const char number = static_cast<char>(channel);
  return Frame(Opcode::kBinary, absl::StrCat(absl::string_view(&number, 1), data));
}

std::string Close(uint16_t code) {
  const char payload[] = {static_cast<char>(code >> 8), static_cast<char>(code & 255)};
  return Frame(Opcode::kClose, absl::string_view(payload, 2));
}

const ChannelsOptions& All() {
  static const ChannelsOptions options = {
      .with_stdin = true, .with_stdout = true, .with_stderr = true, .tty = true};
  return options;
}

// behaviour.md: ST-1, ST-6, ST-16, ST-27
TEST(WebSocketChannelsTest, Receives) {
  const std::string success = Message(3, R"({"metadata":{},"status":"Success"})");
  const struct {
    const char* name;
    std::string bytes;
    std::vector<std::string> events;
  } rows[] = {
      {"outputs",
       Message(1, "a") + Message(2, "b") + Message(1, "c"),
       {"stdout a", "stderr b", "stdout c"}},
      {"an empty message says that the connection is established", Message(1, ""), {}},
      {"a message without a channel", Frame(Opcode::kBinary, "") + Message(1, "a"), {"stdout a"}},
      {"channels that a client does not read", Message(0, "a") + Message(4, "b"), {}},
      {"unknown channels", Message(5, "a") + Message(255, "b") + Message(1, "c"), {"stdout c"}},
      {"a fragmented message",
       Frame(Opcode::kBinary, "\1ab", false) + Frame(Opcode::kPing, "") +
           Frame(Opcode::kContinuation, "\2c"),
       {"stdout ab\2c"}},
      {"a message whose first fragment is empty",
       Frame(Opcode::kBinary, "", false) + Frame(Opcode::kContinuation, "\2c"),
       {"stderr c"}},
      {"success", Message(1, "a") + success + Close(1000), {"stdout a", "end OK"}},
      {"a regular end without an outcome", Close(1000), {"end OK"}},
      {"an exit code",
       Message(3, R"({"status":"Failure","reason":"NonZeroExitCode",
                      "details":{"causes":[{"reason":"ExitCode","message":"3"}]}})") +
           Close(1000),
       {"end UNKNOWN: command terminated with exit code 3 [kubernetes.io/ExitCode='3']"}},
      {"an outcome in two messages",
       Message(3, R"({"status":)") + Message(3, R"("Success"})") + Close(1000),
       {"end OK"}},
      {"another close code after the outcome", success + Close(1001), {"end OK"}},
      {"nothing after the end", success + Close(1000) + Message(1, "a"), {"end OK"}},
  };
  for (const auto& row : rows) {
    for (const size_t piece : {size_t{1}, size_t{3}, row.bytes.size()}) {
      Recorder recorder;
      WebSocketChannels channels(All(), recorder);
      absl::string_view bytes = row.bytes;
      while (!bytes.empty()) {
        EXPECT_THAT(channels.Receive(bytes.substr(0, piece)), IsOk()) << row.name;
        bytes.remove_prefix(std::min(piece, bytes.size()));
      }
      EXPECT_EQ(recorder.events(), row.events) << row.name << ", in pieces of " << piece;
    }
  }
}

// behaviour.md: ST-16, ST-78
TEST(WebSocketChannelsTest, FailuresAndWhatTheServerIsTold) {
  const struct {
    const char* name;
    std::string bytes;
    absl::StatusCode code;
    const char* message;
    const char* told;
  } rows[] = {
      {"a text message", Frame(Opcode::kText, "\1a"), absl::StatusCode::kDataLoss,
       "websocket: unexpected message type: 1",
       "close 1003 (unsupported data): unexpected message type: 1"},
      {"another close code", Message(1, "a") + Close(1001), absl::StatusCode::kUnavailable,
       "websocket: close 1001 (going away)", "close 1001 (going away)"},
      {"a close frame without a code", Frame(Opcode::kClose, ""), absl::StatusCode::kUnavailable,
       "websocket: close 1005 (no status)", "close 1005 (no status)"},
  };
  for (const auto& row : rows) {
    Recorder recorder;
    WebSocketChannels channels(All(), recorder);
    EXPECT_THAT(channels.Receive(row.bytes), StatusIs(row.code, row.message)) << row.name;
    std::string out;
    channels.Close(out);
    EXPECT_THAT(Server(out).events(), ElementsAre(row.told)) << row.name;
    EXPECT_FALSE(channels.ended()) << row.name;
  }
}

// behaviour.md: ST-77
TEST(WebSocketChannelsTest, AMaskedFrameIsAnError) {
  Recorder recorder;
  WebSocketChannels channels(All(), recorder);
  std::string bytes;
  websocket::AppendFrame({.opcode = Opcode::kBinary, .mask = websocket::MaskKey()}, "\1a", bytes);
  EXPECT_THAT(channels.Receive(bytes), StatusIs(absl::StatusCode::kDataLoss));
  std::string out;
  channels.Produce(out);
  EXPECT_THAT(Server(out).events(), ElementsAre(HasSubstr("close 1002 (protocol error)")));
}

// behaviour.md: ST-1, ST-6, ST-17
TEST(WebSocketChannelsTest, Sends) {
  Recorder recorder;
  WebSocketChannels channels(All(), recorder);
  std::string out;
  EXPECT_THAT(channels.Open(out), IsOk());
  EXPECT_TRUE(channels.opened());
  EXPECT_THAT(channels.Send(Channel::kStdin, "abc", out), IsOk());
  EXPECT_THAT(channels.Send(Channel::kResize, EncodeTerminalSize({80, 24}), out), IsOk());
  EXPECT_THAT(channels.CloseStdin(out), IsOk());
  channels.Close(out);
  EXPECT_THAT(Server(out).events(),
              ElementsAre("0 abc", "4 {\"Width\":80,\"Height\":24}\n",
                          "255 " + std::string(1, '\0'), "close 1000 (normal)"));
  EXPECT_THAT(channels.Send(Channel::kStdin, "abc", out),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

// behaviour.md: ST-8, ST-35
TEST(WebSocketChannelsTest, Version4CannotEndStdin) {
  ChannelsOptions options = All();
  options.protocol = std::string(kProtocolV4);
  Recorder recorder;
  WebSocketChannels channels(options, recorder);
  std::string out;
  EXPECT_THAT(channels.CloseStdin(out), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(out, IsEmpty());
}

TEST(WebSocketChannelsTest, Pings) {
  Recorder recorder;
  WebSocketChannels channels(All(), recorder);
  std::string out;
  EXPECT_EQ(channels.SendPing(out), 1u);
  EXPECT_EQ(channels.SendPing(out), 2u);
  EXPECT_THAT(Server(out).events(), ElementsAre("ping 1", "ping 2"));
  EXPECT_THAT(channels.Receive(Frame(Opcode::kPong, "2") + Frame(Opcode::kPong, "") +
                               Frame(Opcode::kPong, "99") + Frame(Opcode::kPong, "1")),
              IsOk());
  EXPECT_THAT(recorder.events(), ElementsAre("pong 2", "pong 1"));
}

TEST(WebSocketChannelsTest, AnswersPingsAndClose) {
  Recorder recorder;
  WebSocketChannels channels(All(), recorder);
  std::string out;
  EXPECT_THAT(channels.Receive(Frame(Opcode::kPing, "abc")), IsOk());
  channels.Produce(out);
  EXPECT_THAT(channels.Receive(Close(1000)), IsOk());
  channels.Produce(out);
  channels.Close(out);
  EXPECT_THAT(Server(out).events(), ElementsAre("pong abc", "close 1000 (normal)"));
}

}  // namespace
}  // namespace kube::remotecommand::internal
