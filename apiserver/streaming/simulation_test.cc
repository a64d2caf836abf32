// Sessions of many clients in virtual time: the seed decides which thread runs when. Run more seeds
// with KUBE_SIM_SEEDS, and one again with KUBE_SIM_SEED.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
#include "apiserver/container.h"
#include "apiserver/handler.h"
#include "apiserver/testing/stream_world.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "net/spdy/session.h"
#include "net/websocket/connection.h"
#include "net/websocket/message_stream.h"
#include "tests/dice.h"

namespace kube::apiserver {
namespace {

using oracle::Dice;

// Sends stdin back, and is slow now and then.
absl::StatusOr<int> Echo(ContainerProcess& process) {
  const Context& ctx = process.context();
  size_t total = 0;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, process.ReadStdin(ctx));
    if (bytes.empty()) return static_cast<int>(total % 256);
    total += bytes.size();
    if (total % 3 == 0) KUBE_RETURN_IF_ERROR(base::SleepFor(ctx, absl::Milliseconds(total % 50)));
    KUBE_RETURN_IF_ERROR(process.WriteStdout(ctx, bytes));
  }
}

absl::Status EchoPort(const Context& ctx, std::unique_ptr<io::DuplexStream> connection) {
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, connection->Read(ctx));
    if (bytes.empty()) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(connection->Write(ctx, bytes));
  }
}

std::string TextOf(Dice& dice) {
  return std::string(1 + dice.Below(5000), static_cast<char>('a' + dice.Below(26)));
}

absl::Status Unexpected(absl::string_view what, absl::string_view got) {
  return absl::InternalError(absl::StrCat(what, ": got ", got.substr(0, 200)));
}

// Runs `cat` over a WebSocket, and perhaps goes away in the middle.
absl::Status ExecOverWebSocket(StreamWorld& world, Dice dice) {
  const auto client =
      world.WebSocket("exec?command=cat&stdin=true&stdout=true", {"v5.channel.k8s.io"});
  std::string sent;
  std::string received;
  const size_t messages = dice.Below(6);
  const bool vanishes = dice.Below(4) == 0;
  for (size_t i = 0; i < messages; ++i) {
    const std::string text = TextOf(dice);
    sent += text;
    KUBE_RETURN_IF_ERROR(client->Write(Context(), websocket::MessageType::kBinary,
                                       absl::StrCat(std::string(1, '\0'), text)));
    if (vanishes && dice.Below(3) == 0) return absl::OkStatus();
  }
  KUBE_RETURN_IF_ERROR(
      client->Write(Context(), websocket::MessageType::kBinary, absl::string_view("\xff\0", 2)));
  while (true) {
    const std::string message = NextMessage(*client);
    if (!message.empty() && message[0] == 3) {
      if (received != sent) return Unexpected("stdout", received);
      const std::string expected = sent.size() % 256 == 0
                                       ? "\"Success\""
                                       : absl::StrCat("exit code ", sent.size() % 256, "\"");
      if (message.find(expected) == std::string::npos) return Unexpected(expected, message);
      break;
    }
    if (message.empty() || message[0] != 1) return Unexpected("stdout", message);
    received += message.substr(1);
  }
  const std::string last = NextMessage(*client);
  return last == "closed" ? absl::OkStatus() : Unexpected("the end", last);
}

// Runs `cat` over SPDY, and perhaps opens too few streams.
absl::Status ExecOverSpdy(StreamWorld& world, Dice dice) {
  const auto session = world.Spdy("exec?command=cat&stdin=true&stdout=true", {"v4.channel.k8s.io"});
  const auto error = OpenStream(*session, {{"streamtype", "error"}});
  const auto in = OpenStream(*session, {{"streamtype", "stdin"}});
  if (dice.Below(5) == 0) {
    // The server gives up after thirty seconds.
    return ReadAll(*in).empty() ? absl::InternalError("a stream ended in peace") : absl::OkStatus();
  }
  const auto out = OpenStream(*session, {{"streamtype", "stdout"}});
  const std::string text = TextOf(dice);
  KUBE_RETURN_IF_ERROR(in->Write(Context(), text));
  KUBE_RETURN_IF_ERROR(in->CloseWrite());
  const std::string received = ReadAll(*out);
  if (received != text) return Unexpected("stdout", received);
  const std::string outcome = ReadAll(*error);
  return outcome.find("status") != std::string::npos ? absl::OkStatus()
                                                     : Unexpected("the outcome", outcome);
}

// Forwards a few connections at the same time.
absl::Status Forward(StreamWorld& world, Dice dice) {
  const auto session = dice.Below(2) == 0 ? world.Tunnel("portforward")
                                          : world.Spdy("portforward", {"portforward.k8s.io"});
  base::ThreadGroup connections((Context()));
  for (int i = 0; i < 3; ++i) {
    connections.Go("connection", [&session, i, text = TextOf(dice)](const Context&) {
      const std::string id = absl::StrCat(i);
      const auto error =
          OpenStream(*session, {{"streamtype", "error"}, {"port", "80"}, {"requestid", id}});
      KUBE_RETURN_IF_ERROR(error->CloseWrite());
      const auto data =
          OpenStream(*session, {{"streamtype", "data"}, {"port", "80"}, {"requestid", id}});
      KUBE_RETURN_IF_ERROR(data->Write(Context(), text));
      KUBE_RETURN_IF_ERROR(data->CloseWrite());
      const std::string received = ReadAll(*data);
      if (received != text) return Unexpected("data", received);
      const std::string problem = ReadAll(*error);
      return problem.empty() ? absl::OkStatus() : Unexpected("no error", problem);
    });
  }
  return connections.Wait();
}

void RunClients(uint64_t seed, absl::Status& outcome) {
  StreamWorld world;
  world.handler().SetContainer("default", "web", "app", {.exec = Echo, .ports = {{80, EchoPort}}});
  base::ThreadGroup clients((Context()));
  for (uint64_t i = 0; i < 4; ++i) {
    const uint64_t dice_seed = seed * 100 + i;
    clients.Go("websocket", [&world, dice_seed](const Context&) {
      return ExecOverWebSocket(world, Dice(dice_seed));
    });
    clients.Go("spdy", [&world, dice_seed](const Context&) {
      return ExecOverSpdy(world, Dice(dice_seed + 10));
    });
    clients.Go("forward", [&world, dice_seed](const Context&) {
      return Forward(world, Dice(dice_seed + 20));
    });
  }
  outcome = clients.Wait();
}

TEST(StreamingSimulation, ServesManyClients) {
  const auto program = [](base::SimRuntime& sim) -> absl::Status {
    absl::Status outcome;
    KUBE_RETURN_IF_ERROR(sim.Run([&] { RunClients(sim.seed(), outcome); }));
    return outcome;
  };
  EXPECT_THAT(base::SearchSeeds(program, {.seeds = base::SimulationSeeds(50)}), base::IsOk());
}

// The server goes away while sessions of all kinds are open.
TEST(StreamingSimulation, EndsInTheMiddle) {
  const auto program = [](base::SimRuntime& sim) -> absl::Status {
    return sim.Run([&] {
      StreamWorld world;
      world.handler().SetContainer("default", "web", "app",
                                   {.exec = Echo, .ports = {{80, EchoPort}}});
      Dice dice(sim.seed());
      std::vector<std::unique_ptr<websocket::MessageStream>> commands;
      std::vector<std::unique_ptr<spdy::Session>> sessions;
      std::vector<std::unique_ptr<spdy::SessionStream>> streams;
      const size_t clients = 1 + dice.Below(4);
      for (size_t i = 0; i < clients; ++i) {
        commands.push_back(
            world.WebSocket("exec?command=cat&stdin=true&stdout=true", {"v5.channel.k8s.io"}));
        sessions.push_back(world.Tunnel("portforward"));
        streams.push_back(OpenStream(
            *sessions.back(), {{"streamtype", "error"}, {"port", "80"}, {"requestid", "1"}}));
        streams.push_back(OpenStream(*sessions.back(),
                                     {{"streamtype", "data"}, {"port", "80"}, {"requestid", "1"}}));
      }
      if (dice.Below(2) == 0) world.handler().Restart();
      world.EndHandler();
    });
  };
  EXPECT_THAT(base::SearchSeeds(program, {.seeds = base::SimulationSeeds(50)}), base::IsOk());
}

}  // namespace
}  // namespace kube::apiserver
