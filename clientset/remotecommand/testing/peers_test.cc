#include "clientset/remotecommand/testing/peers.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/remotecommand/protocol.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/io/pipe.h"
#include "net/spdy/connection.h"
#include "net/spdy/frame.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/frame.h"

namespace kube::remotecommand {
namespace {

using base::IsOk;
using testing::HasSubstr;

class NoWebSocketEvents final : public websocket::Connection::Events {
 public:
  void OnMessage(const websocket::Message& message) override { last_ = std::string(message.data); }
  void OnClose(const websocket::Close&) override {}
  const std::string& last() const { return last_; }

 private:
  std::string last_;
};

TEST(WebSocketPeerTest, SaysWhatTheClientDoes) {
  io::Pipe pipe = io::MakePipe();
  WebSocketPeer peer(std::move(pipe.second));
  NoWebSocketEvents events;
  websocket::Connection client({.role = websocket::Role::kClient}, events);
  const auto send = [&](const std::string& message) {
    std::string out;
    ASSERT_THAT(client.SendMessage(websocket::MessageType::kBinary, message, out), IsOk());
    ASSERT_THAT(pipe.first->Write(Context(), out), IsOk());
  };
  send(std::string("\0abc", 4));
  send("\xff" + std::string(1, '\0'));
  EXPECT_EQ(peer.Next(Context()), "stdin abc");
  EXPECT_EQ(peer.Next(Context()), "end stdin");
  peer.Send(Context(), Channel::kStdout, "hello");
  const absl::StatusOr<std::string> bytes = pipe.first->Read(Context());
  ASSERT_THAT(bytes, IsOk());
  ASSERT_THAT(client.Receive(*bytes), IsOk());
  EXPECT_EQ(events.last(), "\1hello");
  pipe.first->Close();
  EXPECT_EQ(peer.Next(Context()), "EOF");
  peer.Drain(Context());
}

class NoSpdyEvents final : public spdy::Connection::Events {
 public:
  void OnStream(spdy::StreamId, const http::Headers&) override {}
  void OnReply(spdy::StreamId, const http::Headers&) override { ++replies_; }
  void OnData(spdy::StreamId, absl::string_view) override {}
  void OnEnd(spdy::StreamId) override {}
  void OnReset(spdy::StreamId, spdy::ResetStatus) override {}
  void OnGoAway(spdy::StreamId, spdy::GoAwayStatus) override {}
  int replies() const { return replies_; }

 private:
  int replies_ = 0;
};

TEST(SpdyPeerTest, SaysWhatTheClientDoes) {
  io::Pipe pipe = io::MakePipe();
  SpdyPeer peer(std::move(pipe.second));
  NoSpdyEvents events;
  spdy::Connection client({.role = spdy::Role::kClient}, events);
  std::string out;
  const absl::StatusOr<spdy::StreamId> id = client.OpenStream({{"streamtype", "stdin"}}, out);
  ASSERT_THAT(id, IsOk());
  ASSERT_THAT(pipe.first->Write(Context(), out), IsOk());
  EXPECT_EQ(peer.Next(Context()), "open stdin");
  const absl::StatusOr<std::string> bytes = pipe.first->Read(Context());
  ASSERT_THAT(bytes, IsOk());
  ASSERT_THAT(client.Receive(*bytes), IsOk());
  EXPECT_EQ(events.replies(), 1);
  out.clear();
  ASSERT_THAT(client.SendData(*id, "abc", out), IsOk());
  ASSERT_THAT(client.Finish(*id, out), IsOk());
  client.Close(out);
  ASSERT_THAT(pipe.first->Write(Context(), out), IsOk());
  EXPECT_EQ(peer.Next(Context()), "stdin abc");
  EXPECT_EQ(peer.Next(Context()), "end stdin");
  EXPECT_EQ(peer.Next(Context()), "reset stdin");
  EXPECT_EQ(peer.Next(Context()), "goaway");
}

TEST(PeerTest, TellsWhyItCannotRead) {
  io::Pipe pipe = io::MakePipe();
  WebSocketPeer peer(std::move(pipe.second));
  CancelScope scope = WithCancel(Context());
  scope.Cancel();
  EXPECT_THAT(peer.Next(scope.context()), HasSubstr("CANCELLED"));
}

}  // namespace
}  // namespace kube::remotecommand
