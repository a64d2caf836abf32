#include "net/websocket/tunnel.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"
#include "net/websocket/close.h"
#include "net/websocket/connection.h"
#include "net/websocket/frame.h"
#include "net/websocket/message_stream.h"
#include "net/websocket/testing/recorder.h"

namespace kube::websocket {
namespace {

using absl::StatusCode;
using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Context Timeout(absl::Duration timeout) { return WithTimeout(Context(), timeout); }

void Simulate(std::function<void()> program) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run(std::move(program)), IsOk());
}

// The end of a tunnel, and a server that speaks WebSocket.
class Fixture {
 public:
  explicit Fixture(size_t buffer_bytes = size_t{64} << 10)
      : pipe_(io::MakePipe(buffer_bytes)),
        tunnel(MakeTunnel(
            std::make_unique<MessageStream>(std::move(pipe_.first), MessageStreamOptions()))) {}

  void Say(MessageType type, absl::string_view message) {
    std::string out;
    EXPECT_THAT(server_.SendMessage(type, message, out), IsOk());
    EXPECT_THAT(pipe_.second->Write(Context(), out), IsOk());
  }
  void SayClose(const Close& close) {
    std::string out;
    EXPECT_THAT(server_.SendClose(close, out), IsOk());
    EXPECT_THAT(pipe_.second->Write(Context(), out), IsOk());
  }
  std::vector<std::string> Hear() {
    while (true) {
      const absl::StatusOr<std::string> bytes = pipe_.second->Read(Timeout(absl::ZeroDuration()));
      if (!bytes.ok() || bytes->empty()) return recorder_.Take();
      EXPECT_THAT(server_.Receive(*bytes), IsOk());
    }
  }

 private:
  io::Pipe pipe_;
  Recorder recorder_;
  Connection server_{{.role = Role::kServer}, recorder_};

 public:
  const std::unique_ptr<io::DuplexStream> tunnel;
};

absl::Status Send(const Context& ctx, std::unique_ptr<io::DuplexStream> connection,
                  absl::string_view frames) {
  const std::unique_ptr<io::DuplexStream> tunnel = MakeTunnel(std::make_unique<MessageStream>(
      std::move(connection), MessageStreamOptions{.role = Role::kClient}));
  KUBE_RETURN_IF_ERROR(tunnel->Write(ctx, frames));
  return tunnel->Flush(ctx);
}

TEST(TunnelTest, TwoTunnels_AsInTheHeader) {
  Simulate([] {
    io::Pipe pipe = io::MakePipe();
    base::ThreadGroup group{Context()};
    group.Go("server", [&pipe](const Context& ctx) -> absl::Status {
      const std::unique_ptr<io::DuplexStream> tunnel = MakeTunnel(std::make_unique<MessageStream>(
          std::move(pipe.second), MessageStreamOptions{.role = Role::kServer}));
      EXPECT_THAT(tunnel->Read(ctx), IsOkAndHolds("frames"));
      EXPECT_THAT(tunnel->Read(ctx), IsOkAndHolds("")) << "the peer has closed";
      EXPECT_THAT(tunnel->Read(ctx), IsOkAndHolds(""));
      return absl::OkStatus();
    });
    EXPECT_THAT(Send(Context(), std::move(pipe.first), "frames"), IsOk());
    EXPECT_THAT(group.Wait(), IsOk());
  });
}

TEST(TunnelTest, Write_IsOneMessage) {
  Fixture fixture;
  EXPECT_THAT(fixture.tunnel->Write(Context(), "one"), IsOk());
  EXPECT_THAT(fixture.tunnel->Write(Context(), ""), IsOk());
  EXPECT_THAT(fixture.tunnel->Write(Context(), "two"), IsOk());
  EXPECT_THAT(fixture.Hear(), ElementsAre("binary one", "binary two"));
}

// behaviour.md: ST-38
TEST(TunnelTest, Write_LargePiece_IsSeveralMessages) {
  Fixture fixture;
  const size_t most = size_t{32} << 10;
  EXPECT_THAT(fixture.tunnel->Write(Context(), std::string(most, 'x')), IsOk());
  EXPECT_THAT(fixture.Hear(), ElementsAre(absl::StrCat("binary ", std::string(most, 'x'))));
  EXPECT_THAT(fixture.tunnel->Write(Context(), std::string(2 * most + 1, 'x')), IsOk());
  const size_t prefix = absl::string_view("binary ").size();
  EXPECT_THAT(fixture.Hear(),
              ElementsAre(SizeIs(prefix + most), SizeIs(prefix + most), SizeIs(prefix + 1)));
}

TEST(TunnelTest, Write_GivenUp_SendsNoneOfItsMessages) {
  Simulate([] {
    Fixture fixture(/*buffer_bytes=*/1);
    EXPECT_THAT(fixture.tunnel->Write(Context(), "fills the pipe"), IsOk());
    EXPECT_THAT(fixture.tunnel->Write(Timeout(absl::Seconds(1)), std::string(100'000, 'x')),
                StatusIs(StatusCode::kDeadlineExceeded));
    EXPECT_THAT(fixture.Hear(), ElementsAre("binary fills the pipe"));
    EXPECT_THAT(fixture.tunnel->Write(Timeout(absl::Seconds(1)), "next"), IsOk());
    EXPECT_THAT(fixture.Hear(), ElementsAre("binary next"));
  });
}

TEST(TunnelTest, Read_SkipsMessagesWithoutBytes) {
  Simulate([] {
    Fixture fixture;
    fixture.Say(MessageType::kBinary, "");
    fixture.Say(MessageType::kBinary, "bytes");
    EXPECT_THAT(fixture.tunnel->Read(Context()), IsOkAndHolds("bytes"));
    fixture.Say(MessageType::kBinary, "");
    EXPECT_THAT(fixture.tunnel->Read(Timeout(absl::Seconds(1))),
                StatusIs(StatusCode::kDeadlineExceeded));
  });
}

// behaviour.md: ST-38
TEST(TunnelTest, Read_TextMessage_IsDataLossAndThePeerIsTold) {
  Fixture fixture;
  fixture.Say(MessageType::kText, "hello");
  fixture.Say(MessageType::kBinary, "bytes");
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(fixture.tunnel->Read(Context()),
                StatusIs(StatusCode::kDataLoss, "websocket: text message in a tunnel"));
  }
  EXPECT_THAT(fixture.Hear(),
              ElementsAre("close 1003 (unsupported data): text message in a tunnel"));
}

// behaviour.md: ST-38
TEST(TunnelTest, Read_PeerCloses) {
  struct Case {
    absl::string_view name;
    CloseCode code;
    absl::Status end;
  };
  const Case cases[] = {
      {"normal", CloseCode::kNormal, absl::OkStatus()},
      {"going away", CloseCode::kGoingAway, MakeClosedError({.code = CloseCode::kGoingAway})},
      {"internal", CloseCode::kInternalError, MakeClosedError({.code = CloseCode::kInternalError})},
  };
  for (const Case& test : cases) {
    SCOPED_TRACE(test.name);
    Simulate([&test] {
      Fixture fixture;
      fixture.Say(MessageType::kBinary, "last");
      fixture.SayClose({.code = test.code});
      EXPECT_THAT(fixture.tunnel->Read(Context()), IsOkAndHolds("last"));
      const absl::StatusOr<std::string> end = fixture.tunnel->Read(Context());
      EXPECT_EQ(end.status(), test.end);
      EXPECT_EQ(end.value_or(""), "");
      EXPECT_THAT(fixture.tunnel->Write(Context(), "x"), StatusIs(StatusCode::kFailedPrecondition));
    });
  }
}

TEST(TunnelTest, CloseWrite_IsNotPossible) {
  Fixture fixture;
  EXPECT_THAT(fixture.tunnel->CloseWrite(), StatusIs(StatusCode::kUnimplemented));
  EXPECT_THAT(fixture.tunnel->Write(Context(), "goes on"), IsOk());
}

// behaviour.md: ST-38
TEST(TunnelTest, Close_SendsACloseFrame) {
  Fixture fixture;
  fixture.tunnel->Close();
  fixture.tunnel->Close();
  EXPECT_THAT(fixture.Hear(), ElementsAre("close 1000 (normal)"));
  EXPECT_THAT(fixture.tunnel->Read(Context()), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(fixture.tunnel->Write(Context(), "x"), StatusIs(StatusCode::kFailedPrecondition));
  EXPECT_THAT(fixture.tunnel->Flush(Context()), StatusIs(StatusCode::kFailedPrecondition));
}

TEST(TunnelTest, Close_NoRoomForACloseFrame_DoesNotBlock) {
  Fixture fixture(/*buffer_bytes=*/1);
  EXPECT_THAT(fixture.tunnel->Write(Context(), "fills the pipe"), IsOk());
  fixture.tunnel->Close();
  EXPECT_THAT(fixture.Hear(), ElementsAre("binary fills the pipe"));
}

TEST(TunnelTest, Close_WakesCallsThatBlock) {
  Simulate([] {
    Fixture fixture(/*buffer_bytes=*/1);
    EXPECT_THAT(fixture.tunnel->Write(Context(), "fills the pipe"), IsOk());
    base::ThreadGroup group{Context()};
    absl::Status read;
    absl::Status written;
    group.Go("reader", [&](const Context& ctx) {
      read = fixture.tunnel->Read(ctx).status();
      return absl::OkStatus();
    });
    group.Go("writer", [&](const Context& ctx) {
      written = fixture.tunnel->Write(ctx, "blocks");
      return absl::OkStatus();
    });
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then they block
    fixture.tunnel->Close();
    EXPECT_THAT(group.Wait(), IsOk());
    EXPECT_THAT(read, StatusIs(StatusCode::kFailedPrecondition));
    EXPECT_THAT(written, StatusIs(StatusCode::kFailedPrecondition));
    EXPECT_THAT(fixture.Hear(), ElementsAre("binary fills the pipe"));
    EXPECT_THAT(fixture.Hear(), IsEmpty());
  });
}

}  // namespace
}  // namespace kube::websocket
