// Many streams at the same time, in both directions and opened by both sides, of which some are
// refused and some are reset, over a small pipe and through a WebSocket.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "net/io/pipe.h"
#include "net/spdy/frame.h"
#include "net/spdy/session.h"
#include "net/websocket/frame.h"
#include "net/websocket/message_stream.h"
#include "net/websocket/tunnel.h"
#include "tests/dice.h"

namespace kube::spdy {
namespace {

using base::IsOk;
using oracle::Dice;

using StreamPtr = std::unique_ptr<SessionStream>;

struct Scale {
  int streams = 0;  // that each side opens
  size_t max_bytes = 0;
  size_t max_piece_bytes = 0;
  size_t pipe_bytes = 0;
  size_t max_buffered_bytes = 0;
  bool through_websocket = false;
};

constexpr Scale kSimulated = {.streams = 3,
                              .max_bytes = 4000,
                              .max_piece_bytes = 700,
                              .pipe_bytes = 300,
                              .max_buffered_bytes = 500};
constexpr Scale kReal = {.streams = 8,
                         .max_bytes = 300'000,
                         .max_piece_bytes = 40'000,
                         .pipe_bytes = size_t{64} << 10,
                         .max_buffered_bytes = 100'000};

// The numbers of the server's streams begin here, those of the client's with zero.
constexpr int kFirstOfServer = 100;

// What happens on a stream; both sides know it.
struct Plan {
  bool is_refused = false;
  bool opener_resets = false;
  bool acceptor_resets = false;
  std::string there = {};  // what the opener sends
  std::string back = {};
};

std::string RandomBytes(Dice& dice, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(dice.Next());
  return bytes;
}

Plan MakePlan(uint64_t seed, int stream, const Scale& scale) {
  Dice dice(seed * 1000 + static_cast<uint64_t>(stream));
  Plan plan;
  plan.is_refused = dice.Below(8) == 0;
  plan.opener_resets = dice.Below(5) == 0;
  plan.acceptor_resets = dice.Below(5) == 0;
  plan.there = RandomBytes(dice, dice.Below(scale.max_bytes));
  plan.back = RandomBytes(dice, dice.Below(scale.max_bytes));
  return plan;
}

// One side of a stream.
struct Side {
  const std::string& sends;
  const std::string& expects;
  bool resets = false;
  bool peer_resets = false;
  uint64_t seed = 0;
};

// Returns OK for errors that the plan allows.
absl::Status Judge(const absl::Status& status, const Side& side) {
  if (side.resets && absl::IsFailedPrecondition(status)) return absl::OkStatus();
  if (side.peer_resets && absl::IsAborted(status)) return absl::OkStatus();
  return status;
}

// Some writes are given up, and then tried again.
absl::Status Send(const Context& ctx, SessionStream& stream, const Side& side, const Scale& scale) {
  Dice dice(side.seed);
  const size_t reset_at = side.resets ? dice.Below(side.sends.size() + 1) : side.sends.size();
  absl::string_view rest = side.sends;
  while (side.sends.size() - rest.size() < reset_at) {
    const absl::string_view piece = rest.substr(0, 1 + dice.Below(scale.max_piece_bytes));
    const absl::Duration patience = dice.Below(3) == 0
                                        ? absl::Milliseconds(static_cast<int64_t>(dice.Below(5)))
                                        : absl::InfiniteDuration();
    const absl::Status status = stream.Write(WithTimeout(ctx, patience), piece);
    if (status.ok()) {
      rest.remove_prefix(piece.size());
    } else if (!absl::IsDeadlineExceeded(status)) {
      return Judge(status, side);
    }
  }
  if (!side.resets) return Judge(stream.CloseWrite(), side);
  stream.Reset();
  return absl::OkStatus();
}

absl::Status Receive(const Context& ctx, SessionStream& stream, const Side& side) {
  Dice dice(side.seed + 1);
  std::string read;
  absl::Status end;
  while (true) {
    const absl::StatusOr<std::string> bytes = stream.Read(ctx);
    end = bytes.status();
    if (!end.ok() || bytes->empty()) break;
    absl::StrAppend(&read, *bytes);
    if (dice.Below(4) == 0) {
      KUBE_RETURN_IF_ERROR(
          base::SleepFor(ctx, absl::Milliseconds(static_cast<int64_t>(dice.Below(3)))));
    }
  }
  if (!absl::StartsWith(side.expects, read)) return absl::DataLossError("other data has arrived");
  if (!end.ok()) return Judge(end, side);
  const bool is_complete = read.size() == side.expects.size() && !side.peer_resets;
  return is_complete ? absl::OkStatus() : absl::DataLossError("the end has come too early");
}

absl::Status Talk(const Context& ctx, SessionStream& stream, const Side& side, const Scale& scale) {
  base::ThreadGroup group(ctx);
  group.Go("writer", [&](const Context& running) { return Send(running, stream, side, scale); });
  group.Go("reader", [&](const Context& running) { return Receive(running, stream, side); });
  return group.Wait();
}

absl::Status OpenAndTalk(const Context& ctx, Session& session, int number, uint64_t seed,
                         const Scale& scale) {
  const Plan plan = MakePlan(seed, number, scale);
  const absl::StatusOr<StreamPtr> stream =
      session.OpenStream(ctx, {{"number", absl::StrCat(number)}});
  if (plan.is_refused && absl::IsAborted(stream.status())) return absl::OkStatus();
  KUBE_RETURN_IF_ERROR(stream, "open stream ", number);
  if (plan.is_refused) return absl::InternalError("a stream was not refused");
  const Side side = {.sends = plan.there,
                     .expects = plan.back,
                     .resets = plan.opener_resets,
                     .peer_resets = plan.acceptor_resets,
                     .seed = seed + static_cast<uint64_t>(number)};
  KUBE_RETURN_IF_ERROR(Talk(ctx, **stream, side, scale), "opener of stream ", number);
  return absl::OkStatus();
}

absl::Status AnswerAndTalk(const Context& ctx, SessionStream& stream, int number, const Plan& plan,
                           uint64_t seed, const Scale& scale) {
  KUBE_RETURN_IF_ERROR(stream.Reply());
  const Side side = {.sends = plan.back,
                     .expects = plan.there,
                     .resets = plan.acceptor_resets,
                     .peer_resets = plan.opener_resets,
                     .seed = seed + static_cast<uint64_t>(number) + 1000};
  KUBE_RETURN_IF_ERROR(Talk(ctx, stream, side, scale), "acceptor of stream ", number);
  return absl::OkStatus();
}

absl::Status AcceptAndTalk(const Context& ctx, Session& session, uint64_t seed,
                           const Scale& scale) {
  base::ThreadGroup group(ctx);
  for (int i = 0; i < scale.streams; ++i) {
    KUBE_ASSIGN_OR_RETURN(StreamPtr stream, session.Accept(ctx));
    int number = 0;
    if (!absl::SimpleAtoi(stream->headers().Get("number").value_or(""), &number)) {
      return absl::DataLossError("a stream has no number");
    }
    Plan plan = MakePlan(seed, number, scale);
    if (plan.is_refused) continue;
    group.Go("acceptor", [&scale, seed, number, stream = std::move(stream),
                          plan = std::move(plan)](const Context& running) {
      return AnswerAndTalk(running, *stream, number, plan, seed, scale);
    });
  }
  return group.Wait();
}

struct Carriers {
  std::unique_ptr<io::DuplexStream> client;
  std::unique_ptr<io::DuplexStream> server;
};

Carriers MakeCarriers(const Scale& scale) {
  io::Pipe pipe = io::MakePipe(scale.pipe_bytes);
  if (!scale.through_websocket) return {std::move(pipe.first), std::move(pipe.second)};
  using websocket::MakeTunnel;
  using websocket::MessageStream;
  using websocket::MessageStreamOptions;
  return {MakeTunnel(std::make_unique<MessageStream>(
              std::move(pipe.first), MessageStreamOptions{.role = websocket::Role::kClient})),
          MakeTunnel(std::make_unique<MessageStream>(
              std::move(pipe.second), MessageStreamOptions{.role = websocket::Role::kServer}))};
}

// Returns an error unless the data of all streams arrives as planned.
absl::Status RunAll(uint64_t seed, const Scale& scale) {
  Carriers carriers = MakeCarriers(scale);
  SessionOptions options = {.ping_interval = absl::Milliseconds(7),
                            .reply_timeout = absl::Minutes(5),
                            .max_buffered_bytes = scale.max_buffered_bytes};
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<Session> client,
                        Session::Start(Context(), std::move(carriers.client), options));
  options.connection.role = Role::kServer;
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<Session> server,
                        Session::Start(Context(), std::move(carriers.server), options));
  base::ThreadGroup group{Context()};
  for (Session* const session : {client.get(), server.get()}) {
    const int first = session == client.get() ? 0 : kFirstOfServer;
    for (int i = 0; i < scale.streams; ++i) {
      group.Go("opener", [&scale, seed, session, number = first + i](const Context& ctx) {
        return OpenAndTalk(ctx, *session, number, seed, scale);
      });
    }
    group.Go("acceptors", [&scale, seed, session](const Context& ctx) {
      return AcceptAndTalk(ctx, *session, seed, scale);
    });
  }
  KUBE_RETURN_IF_ERROR(group.Wait());
  KUBE_RETURN_IF_ERROR(client->context().cause(), "client");
  return server->context().cause();
}

absl::Status SearchSeeds(const Scale& scale) {
  return base::SearchSeeds(
      [&scale](base::SimRuntime& sim) -> absl::Status {
        absl::Status result;
        KUBE_RETURN_IF_ERROR(sim.Run([&] { result = RunAll(sim.seed(), scale); }));
        return result;
      },
      {.seeds = base::SimulationSeeds(20)});
}

Scale ThroughWebsocket(Scale scale) {
  scale.through_websocket = true;
  return scale;
}

TEST(SessionStressTest, Simulated) { EXPECT_THAT(SearchSeeds(kSimulated), IsOk()); }

// behaviour.md: ST-38
TEST(SessionStressTest, Simulated_ThroughAWebSocket) {
  EXPECT_THAT(SearchSeeds(ThroughWebsocket(kSimulated)), IsOk());
}

TEST(SessionStressTest, OnRealThreads) {
  for (uint64_t seed = 20'261'128; seed < 20'261'131; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    EXPECT_THAT(RunAll(seed, kReal), IsOk());
  }
}

TEST(SessionStressTest, OnRealThreads_ThroughAWebSocket) {
  for (uint64_t seed = 20'261'131; seed < 20'261'133; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    EXPECT_THAT(RunAll(seed, ThroughWebsocket(kReal)), IsOk());
  }
}

// Equal seeds give equal runs.
TEST(SessionStressTest, Simulated_IsDeterministic) {
  uint64_t fingerprints[2] = {};
  for (uint64_t& fingerprint : fingerprints) {
    base::SimRuntime sim({.seed = 7});
    EXPECT_THAT(sim.Run([&sim] { EXPECT_THAT(RunAll(sim.seed(), kSimulated), IsOk()); }), IsOk());
    fingerprint = sim.fingerprint();
  }
  EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

}  // namespace
}  // namespace kube::spdy
