#include "clientset/remotecommand/internal/channel_session.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/session.h"
#include "clientset/remotecommand/testing/peers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/pipe.h"
#include "net/spdy/frame.h"
#include "net/spdy/frame_writer.h"
#include "tests/dice.h"

// What a session does with the time, with threads that block each other, and with SPDY's streams.
namespace kube::remotecommand::internal {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;
using testing::StartsWith;

constexpr absl::StatusCode kAborted = absl::StatusCode::kAborted;
constexpr absl::StatusCode kDeadlineExceeded = absl::StatusCode::kDeadlineExceeded;
constexpr absl::StatusCode kUnavailable = absl::StatusCode::kUnavailable;

constexpr absl::Duration kLong = absl::Minutes(10);

void Simulate(const std::function<void(uint64_t)>& body, uint64_t seeds = 20) {
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    base::SimRuntime sim({.seed = seed});
    ASSERT_THAT(sim.Run([&] { body(seed); }), IsOk());
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

ChannelSessionOptions Options(Carrier carrier = Carrier::kWebSocket) {
  ChannelSessionOptions options = {.name = "exec", .carrier = carrier};
  options.channels = {.with_stdin = true, .with_stdout = true, .with_stderr = true};
  if (carrier == Carrier::kSpdy) options.channels.protocol = std::string(kProtocolV4);
  return options;
}

using Serve = std::function<void(const Context&, WebSocketPeer&)>;

// Runs a server and a user of a session over a WebSocket, in virtual time.
void WithServer(const Serve& serve, const std::function<void(Session&)>& use) {
  Simulate([&](uint64_t) {
    io::Pipe pipe = io::MakePipe();
    WebSocketPeer peer(std::move(pipe.second));
    base::Thread server;
    ASSERT_THAT(server.Start(Context(), "server", [&](const Context& ctx) { serve(ctx, peer); }),
                IsOk());
    const absl::StatusOr<std::unique_ptr<Session>> session =
        OpenSession(Context(), std::move(pipe.first), Options());
    ASSERT_THAT(session, IsOk());
    use(**session);
    (*session)->Close();
    server.Join();
  });
}

void Sleep(const Context& ctx, absl::Duration duration) {
  EXPECT_THAT(base::SleepFor(ctx, duration), IsOk());
}

// ---- Pings

// behaviour.md: ST-2, ST-13, ST-90
TEST(ChannelSessionTest, PingsAreSentWhileAThreadReads) {
  WithServer(
      [](const Context& ctx, WebSocketPeer& peer) {
        for (int i = 1; i <= 24; ++i) EXPECT_EQ(peer.Next(ctx), absl::StrCat("ping ", i));
        peer.Send(ctx, Channel::kStdout, "after two minutes");
        peer.Drain(ctx);
      },
      [](Session& session) {
        const base::MonotonicTime begin = base::Now();
        const auto output = session.Read(Context());
        ASSERT_THAT(output, IsOk());
        EXPECT_EQ((*output)->data, "after two minutes");
        EXPECT_EQ(base::Now() - begin, absl::Minutes(2));
      });
}

// behaviour.md: ST-2, ST-13
TEST(ChannelSessionTest, ASilentServerIsLostAfter61Seconds) {
  WithServer([](const Context& ctx, WebSocketPeer&) { Sleep(ctx, kLong); },
             [](Session& session) {
               const base::MonotonicTime begin = base::Now();
               EXPECT_THAT(session.Wait(Context()),
                           StatusIs(kUnavailable,
                                    "exec: the connection was lost: no answer to pings for 1m1s"));
               EXPECT_LE(base::Now() - begin, absl::Seconds(62));
               EXPECT_GE(base::Now() - begin, absl::Seconds(61));
             });
}

TEST(ChannelSessionTest, ShortReadsNoticeALossToo) {
  WithServer([](const Context& ctx, WebSocketPeer&) { Sleep(ctx, kLong); },
             [](Session& session) {
               for (int i = 0; i < 60; ++i) {
                 EXPECT_THAT(session.Wait(WithTimeout(Context(), absl::Seconds(1))),
                             StatusIs(kDeadlineExceeded));
               }
               EXPECT_THAT(session.Wait(WithTimeout(Context(), absl::Seconds(2))),
                           StatusIs(kUnavailable));
             });
}

// behaviour.md: ST-13
TEST(ChannelSessionTest, OutputIsASignOfLifeWithoutPongs) {
  WithServer(
      [](const Context& ctx, WebSocketPeer& peer) {
        peer.set_answers(false);
        for (int i = 0; i < 10; ++i) {
          Sleep(ctx, absl::Minutes(1));
          peer.Send(ctx, Channel::kStdout, "a");
        }
        peer.Finish(ctx, absl::OkStatus());
        peer.Drain(ctx);
      },
      [](Session& session) { EXPECT_THAT(session.Wait(Context()), IsOk()); });
}

// ---- Stalls, which end a session of client-go after 61 seconds

// behaviour.md: ST-2, ST-15
TEST(ChannelSessionTest, ASlowConsumerDoesNotEndTheSession) {
  WithServer(
      [](const Context& ctx, WebSocketPeer& peer) {
        for (int i = 0; i < 20; ++i) peer.Send(ctx, Channel::kStdout, std::string(10'000, 'a'));
        peer.Finish(ctx, absl::OkStatus());
        peer.Drain(ctx);
      },
      [](Session& session) {
        size_t bytes = 0;
        while (true) {
          const auto output = session.Read(Context());
          ASSERT_THAT(output, IsOk());
          if (!output->has_value()) break;
          bytes += (*output)->data.size();
          Sleep(Context(), kLong);
        }
        EXPECT_EQ(bytes, 200'000u);
        EXPECT_THAT(session.Wait(Context()), IsOk());
      });
}

// behaviour.md: ST-15
TEST(ChannelSessionTest, TimeWithoutAReaderDoesNotCount) {
  WithServer(
      [](const Context& ctx, WebSocketPeer& peer) {
        Sleep(ctx, kLong + absl::Seconds(50));
        peer.Send(ctx, Channel::kStdout, "late");
        peer.Drain(ctx);
      },
      [](Session& session) {
        Sleep(Context(), kLong);
        const auto output = session.Read(Context());
        ASSERT_THAT(output, IsOk());
        EXPECT_EQ((*output)->data, "late");
      });
}

// behaviour.md: ST-15
TEST(ChannelSessionTest, ACommandThatReadsLateDoesNotEndTheSession) {
  WithServer(
      [](const Context& ctx, WebSocketPeer& peer) {
        // As the server of Kubernetes, it reads nothing, and answers nothing, until the command
        // reads.
        Sleep(ctx, kLong);
        EXPECT_EQ(peer.Next(ctx), "stdin abc");
        peer.Send(ctx, Channel::kStdout, "at last");
        peer.Finish(ctx, absl::OkStatus());
        peer.Drain(ctx);
      },
      [](Session& session) {
        EXPECT_THAT(session.WriteStdin(Context(), "abc"), IsOk());
        EXPECT_THAT(session.Wait(Context()), IsOk());
      });
}

TEST(ChannelSessionTest, AServerThatHasTakenTheInputMayBeLost) {
  WithServer(
      [](const Context& ctx, WebSocketPeer& peer) {
        EXPECT_EQ(peer.Next(ctx), "stdin abc");
        EXPECT_EQ(peer.Next(ctx), "ping 1");
        Sleep(ctx, kLong);
      },
      [](Session& session) {
        EXPECT_THAT(session.WriteStdin(Context(), "abc"), IsOk());
        const base::MonotonicTime begin = base::Now();
        EXPECT_THAT(session.Wait(Context()), StatusIs(kUnavailable, HasSubstr("was lost")));
        EXPECT_LE(base::Now() - begin, absl::Seconds(67));
      });
}

// ---- Threads that block each other

TEST(ChannelSessionTest, OutputComesWhileStdinBlocks) {
  WithServer(
      [](const Context& ctx, WebSocketPeer& peer) {
        for (int i = 0; i < 50; ++i) {
          peer.Send(ctx, Channel::kStdout, std::string(10'000, 'a'));
          Sleep(ctx, absl::Seconds(10));
        }
        peer.Finish(ctx, MakeExitError(1));
        Sleep(ctx, absl::Seconds(10));
      },
      [](Session& session) {
        base::Thread writer;
        ASSERT_THAT(
            writer.Start(Context(), "writer",
                         [&](const Context& ctx) {
                           EXPECT_FALSE(session.WriteStdin(ctx, std::string(1'000'000, 'b')).ok());
                         }),
            IsOk());
        EXPECT_EQ(ExitCodeOf(session.Wait(Context())), 1);
        writer.Join();
      });
}

// behaviour.md: ST-14
TEST(ChannelSessionTest, AWriteThatIsGivenUpDoesNotEndTheSession) {
  WithServer(
      [](const Context& ctx, WebSocketPeer& peer) {
        Sleep(ctx, absl::Minutes(1));
        size_t bytes = 0;
        for (std::string event = peer.Next(ctx); event != "end stdin"; event = peer.Next(ctx)) {
          if (absl::StartsWith(event, "ping")) continue;
          ASSERT_TRUE(absl::StartsWith(event, "stdin b")) << event;
          bytes += event.size() - 6;
        }
        EXPECT_EQ(bytes % 32'768, 0u) << "messages are sent as a whole or not at all";
        peer.Finish(ctx, absl::OkStatus());
        peer.Drain(ctx);
      },
      [](Session& session) {
        EXPECT_THAT(session.WriteStdin(WithTimeout(Context(), absl::Seconds(1)),
                                       std::string(32'768 * 20, 'b')),
                    StatusIs(kDeadlineExceeded, StartsWith("exec: write stdin")));
        // The end waits for the next write, which is a ping.
        EXPECT_THAT(session.CloseStdin(WithTimeout(Context(), absl::Seconds(1))),
                    StatusIs(kDeadlineExceeded));
        EXPECT_THAT(session.Wait(Context()), IsOk());
      });
}

// behaviour.md: ST-14
TEST(ChannelSessionTest, AWriterThatWaitsForItsTurnObeysItsContext) {
  WithServer([](const Context& ctx, WebSocketPeer&) { Sleep(ctx, absl::Minutes(1)); },
             [](Session& session) {
               base::Thread writer;
               ASSERT_THAT(writer.Start(Context(), "writer",
                                        [&](const Context& ctx) {
                                          EXPECT_THAT(
                                              session.WriteStdin(ctx, std::string(300'000, 'b')),
                                              StatusIs(absl::StatusCode::kCancelled));
                                        }),
                           IsOk());
               Sleep(Context(), absl::Seconds(1));
               EXPECT_THAT(session.WriteStdin(WithTimeout(Context(), absl::Seconds(1)), "a"),
                           StatusIs(kDeadlineExceeded));
               writer.RequestStop();
               writer.Join();
             });
}

TEST(ChannelSessionTest, AllWritersThatWaitForTheirTurnAreWoken) {
  WithServer([](const Context& ctx, WebSocketPeer&) { Sleep(ctx, absl::Minutes(1)); },
             [](Session& session) {
               base::Thread writers[4];
               for (base::Thread& writer : writers) {
                 ASSERT_THAT(writer.Start(Context(), "writer",
                                          [&](const Context& ctx) {
                                            EXPECT_THAT(
                                                session.WriteStdin(ctx, std::string(300'000, 'b')),
                                                StatusIs(absl::StatusCode::kCancelled));
                                          }),
                             IsOk());
               }
               Sleep(Context(), absl::Seconds(1));
               session.Close();
               for (base::Thread& writer : writers) writer.Join();
             });
}

// ---- SPDY

// What it asks for must not fill the memory.
// behaviour.md: ST-14
TEST(ChannelSessionTest, AServerThatPingsAndDoesNotReadIsGivenUp) {
  const auto body = [](uint64_t) {
    io::Pipe pipe = io::MakePipe(1000);
    SpdyPeer peer(std::move(pipe.second));
    base::Thread server;
    ASSERT_THAT(server.Start(Context(), "server",
                             [&](const Context& ctx) {
                               for (int i = 0; i < 4; ++i) {
                                 EXPECT_THAT(peer.Next(ctx), StartsWith("open "));
                               }
                               std::string pings;
                               for (int i = 0; i < 1000; ++i) {
                                 spdy::AppendFrame(spdy::PingFrame{.id = 2}, pings);
                               }
                               for (int i = 0; i < 40; ++i) peer.SendBytes(ctx, pings);
                               peer.Drain(ctx);
                             }),
                IsOk());
    const auto session = OpenSession(Context(), std::move(pipe.first), Options(Carrier::kSpdy));
    ASSERT_THAT(session, IsOk());
    EXPECT_THAT((*session)->Wait(Context()), StatusIs(absl::StatusCode::kResourceExhausted));
    (*session)->Close();
    server.Join();
  };
  Simulate(body, /*seeds=*/3);
}

void OpenBySpdy(const std::function<void(const Context&, SpdyPeer&)>& serve,
                const std::function<void(const absl::Status&)>& check) {
  Simulate([&](uint64_t) {
    io::Pipe pipe = io::MakePipe();
    SpdyPeer peer(std::move(pipe.second));
    peer.set_accepts(false);
    base::Thread server;
    ASSERT_THAT(server.Start(Context(), "server", [&](const Context& ctx) { serve(ctx, peer); }),
                IsOk());
    check(OpenSession(WithTimeout(Context(), absl::Minutes(1)), std::move(pipe.first),
                      Options(Carrier::kSpdy))
              .status());
    server.Join();
  });
}

// behaviour.md: ST-2
TEST(ChannelSessionTest, StreamsMustBeAcceptedIn30Seconds) {
  OpenBySpdy([](const Context& ctx, SpdyPeer& peer) { peer.Drain(ctx); },
             [](const absl::Status& status) {
               EXPECT_THAT(status,
                           StatusIs(kDeadlineExceeded,
                                    "exec: the server has not accepted the streams in 30s"));
               EXPECT_GE(base::Now().since_epoch(), absl::Seconds(30));
               EXPECT_LE(base::Now().since_epoch(), absl::Seconds(31));
             });
}

TEST(ChannelSessionTest, AStreamMayBeRefused) {
  OpenBySpdy(
      [](const Context& ctx, SpdyPeer& peer) {
        EXPECT_EQ(peer.Next(ctx), "open error");
        EXPECT_EQ(peer.Next(ctx), "open stdin");
        peer.Reset(ctx, Channel::kStdin);
        peer.Drain(ctx);
      },
      [](const absl::Status& status) {
        EXPECT_THAT(status, StatusIs(kAborted, "exec: the server has refused the stream stdin"));
      });
}

TEST(ChannelSessionTest, AConnectionMayBeLostBeforeStreamsAreAccepted) {
  OpenBySpdy([](const Context&, SpdyPeer& peer) { peer.CloseConnection(); },
             [](const absl::Status& status) {
               EXPECT_THAT(status, StatusIs(kUnavailable, StartsWith("exec: ")));
             });
}

TEST(ChannelSessionTest, OutputBeforeAllStreamsAreAcceptedIsLimited) {
  OpenBySpdy(
      [](const Context& ctx, SpdyPeer& peer) {
        for (int i = 0; i < 4; ++i) EXPECT_THAT(peer.Next(ctx), StartsWith("open "));
        peer.Accept(ctx, Channel::kStdout);
        for (int i = 0; i < 100; ++i) peer.Send(ctx, Channel::kStdout, std::string(30'000, 'a'));
        peer.Drain(ctx);
      },
      [](const absl::Status& status) {
        EXPECT_THAT(status, StatusIs(absl::StatusCode::kResourceExhausted));
      });
}

// ---- Both carriers

// Has a command copy its input to its output, in pieces of random sizes.
template <typename ServerPeer>
void Copy(Carrier carrier, uint64_t seed) {
  io::Pipe pipe = io::MakePipe(size_t{1} << 14);
  ServerPeer peer(std::move(pipe.second));
  base::Thread server;
  ASSERT_THAT(server.Start(Context(), "server",
                           [&](const Context& ctx) {
                             for (std::string event = peer.Next(ctx); event != "end stdin";
                                  event = peer.Next(ctx)) {
                               ASSERT_NE(event, "EOF");
                               absl::string_view data = event;
                               if (!absl::ConsumePrefix(&data, "stdin ")) continue;
                               peer.Send(ctx, Channel::kStdout, data);
                             }
                             peer.Finish(ctx, absl::OkStatus());
                             peer.Drain(ctx);
                           }),
              IsOk());
  const auto session = OpenSession(Context(), std::move(pipe.first), Options(carrier));
  ASSERT_THAT(session, IsOk());
  std::string input;
  oracle::Dice dice(seed);
  for (int i = 0; i < 200'000; ++i) input.push_back(static_cast<char>(dice.Next()));
  base::Thread writer;
  ASSERT_THAT(writer.Start(Context(), "writer",
                           [&](const Context& ctx) {
                             absl::string_view rest = input;
                             while (!rest.empty()) {
                               const size_t size = std::min(dice.Below(80'000) + 1, rest.size());
                               EXPECT_THAT((*session)->WriteStdin(ctx, rest.substr(0, size)),
                                           IsOk());
                               rest.remove_prefix(size);
                             }
                             EXPECT_THAT((*session)->CloseStdin(ctx), IsOk());
                           }),
              IsOk());
  std::string text;
  while (true) {
    const auto output = (*session)->Read(Context());
    ASSERT_THAT(output, IsOk());
    if (!output->has_value()) break;
    absl::StrAppend(&text, (*output)->data);
  }
  EXPECT_TRUE(text == input) << text.size() << " bytes of " << input.size();
  EXPECT_THAT((*session)->Wait(Context()), IsOk());
  writer.Join();
  server.Join();
}

TEST(ChannelSessionTest, CopiesByWebSocket) {
  Simulate([](uint64_t seed) { Copy<WebSocketPeer>(Carrier::kWebSocket, seed); });
}

TEST(ChannelSessionTest, CopiesBySpdy) {
  Simulate([](uint64_t seed) { Copy<SpdyPeer>(Carrier::kSpdy, seed); });
}

}  // namespace
}  // namespace kube::remotecommand::internal
