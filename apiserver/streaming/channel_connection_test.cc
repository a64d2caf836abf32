#include "apiserver/streaming/channel_connection.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/frame.h"
#include "net/websocket/message_stream.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using websocket::MessageStream;
using websocket::MessageType;

// The server's side with five channels, of which the client may write to 0 and 4, and a client.
class World {
 public:
  explicit World(bool base64 = false, bool half_close = true)
      : World(io::MakePipe(), base64, half_close) {}

  ChannelConnection& server() { return server_; }
  MessageStream& client() { return *client_; }

  void Send(absl::string_view message) {
    EXPECT_THAT(client_->Write(Context(), MessageType::kBinary, message), IsOk());
  }
  // Returns the next message to the client; "closed" if the server has closed the connection.
  std::string Receive() {
    const auto message = client_->Read(Context());
    EXPECT_THAT(message, IsOk());
    if (!message.ok() || !message->has_value()) return "closed";
    return (*message)->data;
  }
  // The client goes without a word.
  void Vanish() { client_.reset(); }

 private:
  World(io::Pipe pipe, bool base64, bool half_close)
      : server_(std::move(pipe.first), {.readable = {true, false, false, false, true},
                                        .base64 = base64,
                                        .half_close = half_close}),
        client_(std::make_unique<MessageStream>(
            std::move(pipe.second),
            websocket::MessageStreamOptions{.role = websocket::Role::kClient})) {
    EXPECT_THAT(server_.Start(Context()), IsOk());
  }

  ChannelConnection server_;
  std::unique_ptr<MessageStream> client_;
};

std::string Message(char channel, absl::string_view data) {
  return std::string(1, channel) + std::string(data);
}

// Runs a test in virtual time.
void Simulate(void (*test)()) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run(test), IsOk());
}

// behaviour.md: ST-6
TEST(ChannelConnection, GivesMessagesToTheirChannels) {
  World world;
  world.Send(Message(0, "one "));
  world.Send(Message(4, "size"));
  EXPECT_THAT(world.server().Read(Context(), 4), IsOkAndHolds("size"));
  world.Send(Message(0, "two"));
  world.Send(Message(4, "next"));
  EXPECT_THAT(world.server().Read(Context(), 4), IsOkAndHolds("next"));
  EXPECT_THAT(world.server().Read(Context(), 0), IsOkAndHolds("one two"));
  EXPECT_THAT(world.server().Read(WithTimeout(Context(), absl::ZeroDuration()), 0),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
}

// behaviour.md: ST-17, ST-29
TEST(ChannelConnection, DropsWhatBelongsToNoChannel) {
  World world;
  for (const std::string& message :
       {std::string(), Message(1, "to stdout"), Message(5, "unknown"), Message(0, "")}) {
    world.Send(message);
  }
  world.Send(Message(0, "x"));
  EXPECT_THAT(world.server().Read(Context(), 0), IsOkAndHolds("x"));
}

// behaviour.md: ST-17
TEST(ChannelConnection, EndsOneChannelAlone) {
  World world;
  world.Send(Message(0, "last"));
  world.Send("\xff" + std::string(1, '\0'));
  world.Send(Message(0, "too late"));
  world.Send(Message(4, "size"));
  EXPECT_THAT(world.server().Read(Context(), 4), IsOkAndHolds("size"));
  EXPECT_THAT(world.server().Read(Context(), 0), IsOkAndHolds("last"));
  EXPECT_THAT(world.server().Read(Context(), 0), IsOkAndHolds(""));
  EXPECT_THAT(world.server().Read(Context(), 0), IsOkAndHolds(""));
  EXPECT_FALSE(world.server().context().done());
}

// behaviour.md: ST-17
TEST(ChannelConnection, EndsWhenAChannelIsClosedWrongly) {
  for (const std::string& message :
       {std::string("\xff"), std::string("\xff\0\0", 3), std::string("\xff\x05")}) {
    World world;
    world.Send(message);
    EXPECT_THAT(world.server().Read(Context(), 0), StatusIs(absl::StatusCode::kCancelled));
    EXPECT_THAT(base::WaitUntilDone(world.server().context()),
                StatusIs(absl::StatusCode::kCancelled));
  }
}

// behaviour.md: ST-35
TEST(ChannelConnection, HasNoSignalInOldVersions) {
  World world(/*base64=*/false, /*half_close=*/false);
  world.Send("\xff" + std::string(1, '\0'));
  world.Send(Message(0, "x"));
  EXPECT_THAT(world.server().Read(Context(), 0), IsOkAndHolds("x"));
  // There, stdin ends with the connection.
  EXPECT_THAT(world.client().WriteClose(Context()), IsOk());
  EXPECT_THAT(world.server().Read(Context(), 0), IsOkAndHolds(""));
  EXPECT_THAT(world.server().Read(Context(), 4), IsOkAndHolds(""));
}

TEST(ChannelConnection, EndsAllChannelsWithAnyCloseFrame) {
  for (const websocket::CloseCode code :
       {websocket::CloseCode::kNormal, websocket::CloseCode::kGoingAway,
        websocket::CloseCode::kNoStatus}) {
    World world;
    world.Send(Message(0, "last"));
    EXPECT_THAT(world.client().WriteClose(Context(), {.code = code}), IsOk());
    EXPECT_THAT(world.server().Read(Context(), 0), IsOkAndHolds("last")) << code;
    EXPECT_THAT(world.server().Read(Context(), 0), IsOkAndHolds("")) << code;
    EXPECT_THAT(base::WaitUntilDone(world.server().context()),
                StatusIs(absl::StatusCode::kCancelled));
  }
}

// behaviour.md: ST-6
TEST(ChannelConnection, SpeaksBase64) {
  World world(/*base64=*/true, /*half_close=*/false);
  world.Send("0Zm9vCg==");
  world.Send("0not base64");
  world.Send("!Zm9vCg==");
  world.Send("4YmFy");
  EXPECT_THAT(world.server().Read(Context(), 4), IsOkAndHolds("bar"));
  EXPECT_THAT(world.server().Read(Context(), 0), IsOkAndHolds("foo\n"));
  EXPECT_THAT(world.server().Write(Context(), 1, "foo\n"), IsOk());
  EXPECT_THAT(world.server().Write(Context(), 3, ""), IsOk());
  const auto message = world.client().Read(Context());
  ASSERT_THAT(message, IsOk());
  EXPECT_EQ((*message)->type, MessageType::kText);
  EXPECT_EQ((*message)->data, "1Zm9vCg==");
  EXPECT_EQ(world.Receive(), "3");
}

TEST(ChannelConnection, SendsMessagesOfAKubeletsSize) {
  World world;
  const std::string text(70'000, 'x');
  base::Thread writer;
  ASSERT_THAT(writer.Start(Context(), "writer",
                           [&](const Context&) {
                             EXPECT_THAT(world.server().Write(Context(), 1, text), IsOk());
                           }),
              IsOk());
  EXPECT_EQ(world.Receive(), Message(1, text.substr(0, 32'768)));
  EXPECT_EQ(world.Receive(), Message(1, text.substr(0, 32'768)));
  EXPECT_EQ(world.Receive(), Message(1, text.substr(0, 4'464)));
  writer.Join();
}

// behaviour.md: ST-28, ST-78
TEST(ChannelConnection, FinishesAfterWhatWasWritten) {
  World world;
  base::Thread server;
  ASSERT_THAT(server.Start(Context(), "server",
                           [&](const Context&) {
                             EXPECT_THAT(world.server().Write(Context(), 1, "out"), IsOk());
                             EXPECT_THAT(world.server().Write(Context(), 3, "status"), IsOk());
                             world.server().Finish(Context());
                           }),
              IsOk());
  world.Send(Message(0, "nobody reads this"));
  EXPECT_EQ(world.Receive(), Message(1, "out"));
  EXPECT_EQ(world.Receive(), Message(3, "status"));
  EXPECT_EQ(world.Receive(), "closed");
  server.Join();
}

// behaviour.md: ST-28
TEST(ChannelConnection, FinishWaitsForASlowClient) {
  Simulate([] {
    World world;
    base::Event finished;
    base::Thread server;
    ASSERT_THAT(server.Start(Context(), "server",
                             [&](const Context&) {
                               EXPECT_THAT(world.server().Write(Context(), 3, "status"), IsOk());
                               world.server().Finish(Context());
                               finished.Set();
                             }),
                IsOk());
    EXPECT_THAT(base::SleepFor(Context(), absl::Hours(1)), IsOk());
    EXPECT_FALSE(finished.IsSet()) << "what the client has not taken would be lost";
    EXPECT_EQ(world.Receive(), Message(3, "status"));
    EXPECT_EQ(world.Receive(), "closed");
    server.Join();
  });
}

TEST(ChannelConnection, FinishReadsWhatTheClientWritesFirst) {
  Simulate([] {
    World world;
    base::Thread server;
    ASSERT_THAT(server.Start(Context(), "server",
                             [&](const Context&) {
                               EXPECT_THAT(world.server().Write(Context(), 3, "status"), IsOk());
                               world.server().Finish(Context());
                             }),
                IsOk());
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then it waits
    // More than fits between the two.
    for (int i = 0; i < 20; ++i) world.Send(Message(0, std::string(30'000, 'x')));
    EXPECT_EQ(world.Receive(), Message(3, "status"));
    EXPECT_EQ(world.Receive(), "closed");
    server.Join();
    EXPECT_EQ(base::Now().since_epoch(), absl::Seconds(1)) << "nobody waited for a timeout";
  });
}

// behaviour.md: ST-29
TEST(ChannelConnection, DropsWhatNobodyWillRead) {
  Simulate([] {
    World world;
    world.Send(Message(0, std::string(70'000, 'x')));
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then it is full
    world.server().Drop(0);
    world.Send(Message(0, std::string(70'000, 'x')));
    world.Send(Message(4, "size"));
    EXPECT_THAT(world.server().Read(Context(), 4), IsOkAndHolds("size"));
  });
}

TEST(ChannelConnection, NoticesThatTheClientHasGone) {
  World world;
  base::Event gone;
  const DoneCallback callback = world.server().context().OnDone([&] { gone.Set(); });
  world.Vanish();
  EXPECT_THAT(gone.Wait(Context()), IsOk());
  EXPECT_THAT(world.server().Read(Context(), 0), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_FALSE(world.server().Write(Context(), 1, "x").ok());
  world.server().Finish(Context());
}

TEST(ChannelConnection, SlowsTheClientDown) {
  World world;
  const std::string piece(30'000, 'x');
  // Three messages exceed 64 KiB, so that the fourth is not read, and the pipe fills.
  base::Thread client;
  base::Event sent_all;
  ASSERT_THAT(client.Start(Context(), "client",
                           [&](const Context&) {
                             for (int i = 0; i < 20; ++i) world.Send(Message(0, piece));
                             sent_all.Set();
                           }),
              IsOk());
  size_t received = 0;
  EXPECT_FALSE(sent_all.IsSet());
  while (received < 20 * piece.size()) {
    const auto bytes = world.server().Read(Context(), 0);
    ASSERT_THAT(bytes, IsOk());
    EXPECT_LE(bytes->size(), 4 * piece.size()) << "the limit, and one message";
    received += bytes->size();
  }
  EXPECT_THAT(sent_all.Wait(Context()), IsOk());
}

TEST(ChannelConnection, HasChannelsThatAreStreams) {
  World world;
  const std::unique_ptr<io::DuplexStream> stream = world.server().Channel(0);
  world.Send(Message(0, "in"));
  EXPECT_THAT(stream->Read(Context()), IsOkAndHolds("in"));
  EXPECT_THAT(stream->Write(Context(), "out"), IsOk());
  EXPECT_EQ(world.Receive(), Message(0, "out"));
  EXPECT_THAT(stream->CloseWrite(), StatusIs(absl::StatusCode::kUnimplemented));
  stream->Close();
  EXPECT_THAT(stream->Read(Context()), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(stream->Write(Context(), "x"), StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace kube::apiserver::internal
