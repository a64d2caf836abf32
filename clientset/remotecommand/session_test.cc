#include "clientset/remotecommand/session.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/internal/channel_session.h"
#include "clientset/remotecommand/testing/peers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/pipe.h"
#include "net/websocket/close.h"

namespace kube::remotecommand {
namespace {

using base::IsOk;
using base::StatusIs;
using internal::Carrier;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr absl::StatusCode kCancelled = absl::StatusCode::kCancelled;
constexpr absl::StatusCode kDeadlineExceeded = absl::StatusCode::kDeadlineExceeded;
constexpr absl::StatusCode kFailedPrecondition = absl::StatusCode::kFailedPrecondition;
constexpr absl::StatusCode kUnavailable = absl::StatusCode::kUnavailable;

constexpr char kName[] = "exec in pod \"web-0\" of \"prod\"";

// Runs a test in virtual time, with threads in several orders.
void Simulate(const std::function<void()>& body) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    base::SimRuntime sim({.seed = seed});
    ASSERT_THAT(sim.Run([&] { body(); }), IsOk());
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

internal::ChannelSessionOptions Options(Carrier carrier) {
  internal::ChannelSessionOptions options = {.name = kName, .carrier = carrier};
  options.channels = {.with_stdin = true, .with_stdout = true, .with_stderr = true};
  if (carrier == Carrier::kSpdy) options.channels.protocol = std::string(kProtocolV4);
  return options;
}

// Runs `serve` as the server of a session, and `use` as its user.
template <typename ServerPeer>
void WithSession(Carrier carrier, const std::function<void(const Context&, ServerPeer&)>& serve,
                 const std::function<void(Session&)>& use) {
  io::Pipe pipe = io::MakePipe();
  ServerPeer peer(std::move(pipe.second));
  base::Thread server;
  ASSERT_THAT(server.Start(Context(), "server", [&](const Context& ctx) { serve(ctx, peer); }),
              IsOk());
  const absl::StatusOr<std::unique_ptr<Session>> session =
      internal::OpenSession(Context(), std::move(pipe.first), Options(carrier));
  ASSERT_THAT(session, IsOk());
  use(**session);
  (*session)->Close();
  server.Join();
}

void ByWebSocket(const std::function<void(const Context&, WebSocketPeer&)>& serve,
                 const std::function<void(Session&)>& use) {
  Simulate([&] { WithSession<WebSocketPeer>(Carrier::kWebSocket, serve, use); });
}

void BySpdy(const std::function<void(const Context&, SpdyPeer&)>& serve,
            const std::function<void(Session&)>& use) {
  Simulate([&] {
    WithSession<SpdyPeer>(
        Carrier::kSpdy,
        [&](const Context& ctx, SpdyPeer& peer) {
          for (const char* type : {"error", "stdin", "stdout", "stderr"}) {
            EXPECT_EQ(peer.Next(ctx), absl::StrCat("open ", type));
          }
          serve(ctx, peer);
        },
        use);
  });
}

std::string ToText(const absl::StatusOr<std::optional<Output>>& output) {
  if (!output.ok()) return output.status().ToString();
  if (!output->has_value()) return "end";
  return absl::StrCat(StreamTypeOf((*output)->channel), " ", (*output)->data);
}

// What a program does, as in the header.
absl::Status Talk(const Context& ctx, Session& session, std::string& text) {
  KUBE_RETURN_IF_ERROR(session.WriteStdin(ctx, "hello\n"));
  KUBE_RETURN_IF_ERROR(session.CloseStdin(ctx));
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<Output> output, session.Read(ctx));
    if (!output.has_value()) break;
    absl::StrAppend(&text, output->data);
  }
  return session.Wait(ctx);
}

TEST(SessionTest, TalksByWebSocket) {
  ByWebSocket(
      [](const Context& ctx, WebSocketPeer& peer) {
        EXPECT_EQ(peer.Next(ctx), "stdin hello\n");
        EXPECT_EQ(peer.Next(ctx), "end stdin");
        peer.Send(ctx, Channel::kStdout, "");
        peer.Send(ctx, Channel::kStdout, "HELLO");
        peer.Send(ctx, Channel::kStderr, " there");
        peer.Finish(ctx, absl::OkStatus());
        EXPECT_EQ(peer.Next(ctx), "close 1000 (normal)");
        EXPECT_EQ(peer.Next(ctx), "EOF");
      },
      [](Session& session) {
        std::string text;
        EXPECT_THAT(Talk(Context(), session, text), IsOk());
        EXPECT_EQ(text, "HELLO there");
        EXPECT_EQ(session.protocol(), kProtocolV5);
      });
}

TEST(SessionTest, TalksBySpdy) {
  BySpdy(
      [](const Context& ctx, SpdyPeer& peer) {
        EXPECT_EQ(peer.Next(ctx), "stdin hello\n");
        EXPECT_EQ(peer.Next(ctx), "end stdin");
        peer.Send(ctx, Channel::kStdout, "HELLO");
        peer.Send(ctx, Channel::kStderr, " there");
        peer.Finish(ctx, MakeExitError(7));
        EXPECT_EQ(peer.Next(ctx), "goaway");
        EXPECT_EQ(peer.Next(ctx), "EOF");
      },
      [](Session& session) {
        std::string text;
        const absl::Status outcome = Talk(Context(), session, text);
        EXPECT_EQ(ExitCodeOf(outcome), 7);
        EXPECT_EQ(outcome.message(), absl::StrCat(kName, ": command terminated with exit code 7"));
        EXPECT_EQ(text, "HELLO there");
        EXPECT_EQ(session.protocol(), kProtocolV4);
      });
}

TEST(SessionTest, OutputComesInTheOrderOfArrival) {
  ByWebSocket(
      [](const Context& ctx, WebSocketPeer& peer) {
        for (int i = 0; i < 3; ++i) {
          peer.Send(ctx, Channel::kStdout, absl::StrCat("out", i));
          peer.Send(ctx, Channel::kStderr, absl::StrCat("err", i));
        }
        peer.Finish(ctx, absl::OkStatus());
        peer.Drain(ctx);
      },
      [](Session& session) {
        for (int i = 0; i < 3; ++i) {
          EXPECT_EQ(ToText(session.Read(Context())), absl::StrCat("stdout out", i));
          EXPECT_EQ(ToText(session.Read(Context())), absl::StrCat("stderr err", i));
        }
        EXPECT_EQ(ToText(session.Read(Context())), "end");
        EXPECT_EQ(ToText(session.Read(Context())), "end");
      });
}

TEST(SessionTest, WaitDropsOutput) {
  ByWebSocket(
      [](const Context& ctx, WebSocketPeer& peer) {
        for (int i = 0; i < 20; ++i) peer.Send(ctx, Channel::kStdout, std::string(10'000, 'a'));
        peer.Finish(ctx, MakeExitError(3));
        peer.Drain(ctx);
      },
      [](Session& session) {
        EXPECT_EQ(ExitCodeOf(session.Wait(Context())), 3);
        EXPECT_EQ(ExitCodeOf(session.Wait(Context())), 3) << "it may be asked again";
      });
}

// behaviour.md: ST-24
TEST(SessionTest, ErrorsOfTheServerAreOutcomes) {
  ByWebSocket(
      [](const Context& ctx, WebSocketPeer& peer) {
        peer.Finish(ctx, errors::BadRequest("container nope is not valid for pod web-0"));
        peer.Drain(ctx);
      },
      [](Session& session) {
        EXPECT_EQ(ToText(session.Read(Context())), "end");
        const absl::Status outcome = session.Wait(Context());
        EXPECT_TRUE(errors::IsBadRequest(outcome));
        EXPECT_EQ(outcome.message(),
                  absl::StrCat(kName, ": container nope is not valid for pod web-0"));
        EXPECT_EQ(ExitCodeOf(outcome), std::nullopt);
      });
}

TEST(SessionTest, AReadThatIsGivenUpLosesNothing) {
  ByWebSocket(
      [](const Context& ctx, WebSocketPeer& peer) {
        EXPECT_THAT(base::SleepFor(ctx, absl::Seconds(3)), IsOk());
        peer.Send(ctx, Channel::kStdout, "late");
        peer.Finish(ctx, absl::OkStatus());
        peer.Drain(ctx);
      },
      [](Session& session) {
        for (int i = 0; i < 2; ++i) {
          EXPECT_THAT(session.Read(WithTimeout(Context(), absl::Seconds(1))),
                      StatusIs(kDeadlineExceeded, StartsWith(kName)));
        }
        EXPECT_EQ(ToText(session.Read(Context())), "stdout late");
        EXPECT_THAT(session.Wait(Context()), IsOk());
      });
}

// behaviour.md: ST-18
TEST(SessionTest, StdinIsCutIntoMessages) {
  const std::string input(70'000, 'a');
  std::vector<size_t> sizes;
  ByWebSocket(
      [&](const Context& ctx, WebSocketPeer& peer) {
        sizes.clear();
        for (std::string event = peer.Next(ctx); event != "end stdin"; event = peer.Next(ctx)) {
          ASSERT_TRUE(absl::StartsWith(event, "stdin a")) << event;
          sizes.push_back(event.size() - 6);
        }
        EXPECT_THAT(sizes, ElementsAre(32'768, 32'768, 4'464));
        peer.Finish(ctx, absl::OkStatus());
        peer.Drain(ctx);
      },
      [&](Session& session) {
        EXPECT_THAT(session.WriteStdin(Context(), input), IsOk());
        EXPECT_THAT(session.WriteStdin(Context(), ""), IsOk());
        EXPECT_THAT(session.CloseStdin(Context()), IsOk());
        EXPECT_THAT(session.CloseStdin(Context()), IsOk());
        EXPECT_THAT(
            session.WriteStdin(Context(), "more"),
            StatusIs(kFailedPrecondition, absl::StrCat(kName, ": write stdin: stdin was closed")));
        EXPECT_THAT(session.Wait(Context()), IsOk());
        EXPECT_THAT(session.WriteStdin(Context(), "more"),
                    StatusIs(kFailedPrecondition, HasSubstr("the command has ended")));
        EXPECT_THAT(session.CloseStdin(Context()), StatusIs(kFailedPrecondition));
        EXPECT_THAT(session.Resize(Context(), {80, 24}), StatusIs(kFailedPrecondition));
      });
}

// behaviour.md: ST-21
TEST(SessionTest, CloseEndsAReadOfAnotherThread) {
  ByWebSocket(
      [](const Context& ctx, WebSocketPeer& peer) {
        EXPECT_EQ(peer.Next(ctx), "close 1000 (normal)");
        EXPECT_EQ(peer.Next(ctx), "EOF");
      },
      [](Session& session) {
        base::Thread reader;
        ASSERT_THAT(reader.Start(Context(), "reader",
                                 [&](const Context& ctx) {
                                   EXPECT_THAT(session.Read(ctx),
                                               StatusIs(kCancelled, HasSubstr("was closed")));
                                 }),
                    IsOk());
        session.Close();
        session.Close();
        reader.Join();
        EXPECT_THAT(session.Wait(Context()), StatusIs(kCancelled, StartsWith(kName)));
        EXPECT_THAT(session.WriteStdin(Context(), "a"), StatusIs(kCancelled));
        EXPECT_THAT(session.CloseStdin(Context()), StatusIs(kCancelled));
      });
}

// behaviour.md: ST-21
TEST(SessionTest, CloseDoesNotWaitForAServerThatDoesNotRead) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([] {
    io::Pipe pipe = io::MakePipe(1000);
    const absl::StatusOr<std::unique_ptr<Session>> session =
        internal::OpenSession(Context(), std::move(pipe.first), Options(Carrier::kWebSocket));
    ASSERT_THAT(session, IsOk());
    EXPECT_THAT((*session)->WriteStdin(Context(), std::string(2000, 'a')), IsOk());
    const base::MonotonicTime begin = base::Now();
    (*session)->Close();
    EXPECT_LE(base::Now() - begin, absl::Milliseconds(20));
  }),
              IsOk());
}

TEST(SessionTest, ALostConnectionIsAnErrorAfterTheOutput) {
  ByWebSocket(
      [](const Context& ctx, WebSocketPeer& peer) {
        peer.Send(ctx, Channel::kStdout, "half");
        peer.CloseConnection();
      },
      [](Session& session) {
        EXPECT_EQ(ToText(session.Read(Context())), "stdout half");
        EXPECT_THAT(session.Read(Context()),
                    StatusIs(kUnavailable,
                             AllOf(StartsWith(kName), HasSubstr("the connection was closed"))));
        EXPECT_THAT(session.Wait(Context()), StatusIs(kUnavailable));
        EXPECT_THAT(session.WriteStdin(Context(), "a"), StatusIs(kUnavailable));
      });
}

// In client-go a connection that is cut behind the outputs is success.
// behaviour.md: ST-24
TEST(SessionTest, ACutBeforeTheOutcomeIsNoSuccess) {
  BySpdy(
      [](const Context& ctx, SpdyPeer& peer) {
        peer.End(ctx, Channel::kStdout);
        peer.End(ctx, Channel::kStderr);
        peer.CloseConnection();
      },
      [](Session& session) { EXPECT_THAT(session.Wait(Context()), StatusIs(kUnavailable)); });
}

// behaviour.md: ST-78
TEST(SessionTest, AnotherCloseCodeIsAnError) {
  ByWebSocket(
      [](const Context& ctx, WebSocketPeer& peer) {
        peer.SendClose(ctx, websocket::CloseCode::kGoingAway);
        EXPECT_EQ(peer.Next(ctx), "close 1001 (going away)");
        peer.Drain(ctx);
      },
      [](Session& session) {
        EXPECT_THAT(
            session.Wait(Context()),
            StatusIs(kUnavailable, absl::StrCat(kName, ": websocket: close 1001 (going away)")));
      });
}

}  // namespace
}  // namespace kube::remotecommand
