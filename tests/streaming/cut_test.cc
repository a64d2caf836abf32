// Sessions of clients of all kinds, whose connection the server breaks in the middle of its bytes.
// Run more seeds with KUBE_SIM_SEEDS, and one again with KUBE_SIM_SEED.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/container.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "apiserver/testing/stream_world.h"
#include "clientset/portforward/forwarder.h"
#include "clientset/portforward/port_stream.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/session.h"
#include "clientset/rest/client.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"
#include "net/io/duplex_stream.h"
#include "tests/dice.h"
#include "tests/streaming/run_to_end.h"

namespace kube::streaming {
namespace {

using base::IsOk;
using remotecommand::TransportPreference;

// What a session sends, and gets back. It is more than the bytes after which a connection breaks.
constexpr size_t kPieceBytes = 10'000;
constexpr int kPieces = 10;
constexpr size_t kCutBelow = 2 * kPieceBytes * kPieces;

// ---- The container

absl::Status Echo(apiserver::ContainerProcess& process) {
  const Context& ctx = process.context();
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, process.ReadStdin(ctx));
    if (bytes.empty()) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(process.WriteStdout(ctx, bytes));
  }
}

absl::StatusOr<int> RunEcho(apiserver::ContainerProcess& process) {
  KUBE_RETURN_IF_ERROR(Echo(process));
  return 0;
}

absl::Status EchoPort(const Context& ctx, std::unique_ptr<io::DuplexStream> connection) {
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, connection->Read(ctx));
    if (bytes.empty()) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(connection->Write(ctx, bytes));
  }
}

// ---- The clients. Each returns how its session has ended.

absl::Status UseSession(const Context& ctx, remotecommand::Session& session) {
  const std::string input(kPieceBytes * kPieces, 'x');
  const Ended ended = RunToEnd(ctx, session, TextSource(input));
  if (ended.outcome.ok() && ended.out != input) {
    return absl::InternalError("the command has succeeded, and its output is not whole");
  }
  return ended.outcome;
}

absl::Status UseExec(const Context& ctx, const rest::Client& client,
                     TransportPreference transport) {
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<remotecommand::Session> session,
      remotecommand::StartExec(ctx, client, {"default", "web"},
                               {.command = {"cat"}, .with_stdin = true, .transport = transport}));
  return UseSession(ctx, *session);
}

absl::Status UseAttach(const Context& ctx, const rest::Client& client,
                       TransportPreference transport) {
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<remotecommand::Session> session,
                        remotecommand::StartAttach(ctx, client, {"default", "web"},
                                                   {.with_stdin = true, .transport = transport}));
  return UseSession(ctx, *session);
}

absl::Status UsePort(const Context& ctx, const rest::Client& client,
                     TransportPreference transport) {
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<portforward::Forwarder> forwarder,
      portforward::Forwarder::Connect(ctx, client, {"default", "web"},
                                      {.websocket = transport == TransportPreference::kWebSocket}));
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<portforward::PortStream> stream,
                        forwarder->Dial(ctx, 80));
  const std::string piece(kPieceBytes, 'x');
  for (int i = 0; i < kPieces; ++i) {
    KUBE_RETURN_IF_ERROR(stream->Write(ctx, piece));
    size_t received = 0;
    while (received < piece.size()) {
      KUBE_ASSIGN_OR_RETURN(const std::string bytes, stream->Read(ctx));
      if (bytes.empty()) return absl::InternalError("the stream has ended as if all was well");
      received += bytes.size();
    }
  }
  return absl::OkStatus();
}

// ---- The test

struct Way {
  const char* name;
  absl::Status (*use)(const Context& ctx, const rest::Client& client,
                      TransportPreference transport);
  TransportPreference transport;
  const char* resource;
};

constexpr Way kWays[] = {
    {"ExecByWebSocket", UseExec, TransportPreference::kWebSocket, "pods/exec"},
    {"ExecBySpdy", UseExec, TransportPreference::kSpdy, "pods/exec"},
    {"AttachByWebSocket", UseAttach, TransportPreference::kWebSocket, "pods/attach"},
    {"AttachBySpdy", UseAttach, TransportPreference::kSpdy, "pods/attach"},
    {"PortForwardByWebSocket", UsePort, TransportPreference::kWebSocket, "pods/portforward"},
    {"PortForwardBySpdy", UsePort, TransportPreference::kSpdy, "pods/portforward"},
};

// Uses a session whose connections break after so many bytes, and returns how it has ended.
absl::Status OutcomeOf(const Way& way, int64_t after_bytes) {
  apiserver::StreamWorld world;
  world.handler().SetContainer("default", "web", "app",
                               {.exec = RunEcho, .attach = Echo, .ports = {{80, EchoPort}}});
  apiserver::Faults faults = world.handler().faults();
  const apiserver::FaultId rule =
      faults.Add({.resource = way.resource,
                  .fault = apiserver::fault::BreakConnection{.after_bytes = after_bytes}});
  KUBE_ASSIGN_OR_RETURN(const rest::Client client,
                        rest::MakeClient(envtest::InProcessConfig(world.handler())));
  absl::Status outcome = way.use(WithTimeout(Context(), absl::Minutes(10)), client, way.transport);
  if (faults.Count(rule).fired == 0) return absl::InternalError("the rule has not fired");
  return outcome;
}

// Returns OK if the error of a session says which session it was, and that the server has broken
// it off.
absl::Status Judge(const absl::Status& outcome, int64_t after_bytes) {
  const bool is_lost = absl::IsAborted(outcome) || absl::IsUnavailable(outcome);
  if (is_lost && absl::StrContains(outcome.message(), "pod \"web\"") &&
      absl::StrContains(outcome.message(), "aborted")) {
    return absl::OkStatus();
  }
  return absl::InternalError(
      absl::StrCat("broken after ", after_bytes, " bytes, it ends with: ", outcome.ToString()));
}

class CutTest : public testing::TestWithParam<Way> {};

INSTANTIATE_TEST_SUITE_P(Ways, CutTest, testing::ValuesIn(kWays),
                         [](const testing::TestParamInfo<Way>& way) { return way.param.name; });

TEST_P(CutTest, AnywhereIsAnErrorThatSaysSo) {
  const auto program = [](base::SimRuntime& sim) -> absl::Status {
    oracle::Dice dice(sim.seed());
    // Half of them among the bytes with which a session begins.
    const size_t below = dice.Below(2) == 0 ? 300 : kCutBelow;
    const auto after_bytes = static_cast<int64_t>(dice.Below(below));
    absl::Status judgment;
    KUBE_RETURN_IF_ERROR(
        sim.Run([&] { judgment = Judge(OutcomeOf(GetParam(), after_bytes), after_bytes); }));
    return judgment;
  };
  EXPECT_THAT(base::SearchSeeds(program, {.seeds = base::SimulationSeeds(30)}), IsOk());
}

TEST_P(CutTest, BehindTheEndIsNoError) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] { EXPECT_THAT(OutcomeOf(GetParam(), int64_t{1} << 40), IsOk()); }),
              IsOk());
}

}  // namespace
}  // namespace kube::streaming
