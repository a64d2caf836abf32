// Errors of exec and attach, and who ends a session.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apiserver/container.h"
#include "apiserver/testing/sample_shell.h"
#include "apiserver/testing/stream_world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/spdy/session.h"
#include "net/websocket/connection.h"
#include "net/websocket/message_stream.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// ---- Errors and ends

// behaviour.md: ST-27, ST-31
TEST(RemoteCommand, TellsWhyACommandCannotRun) {
  StreamWorld world;
  const auto outcome_of = [&](const std::string& subresource) {
    const auto client = world.WebSocket(subresource, {kV5});
    EXPECT_EQ(NextMessage(*client), Message(1, ""));
    return NextMessage(*client);
  };
  EXPECT_THAT(outcome_of("exec?command=x&stdout=true"),
              AllOf(HasSubstr("error executing command in container: container \\\"app\\\" in pod "
                              "\\\"web\\\" has no exec function"),
                    HasSubstr("\"InternalError\""), HasSubstr("\"code\":500")));
  EXPECT_THAT(
      outcome_of("attach?stdout=true"),
      HasSubstr("error attaching to container: container \\\"app\\\" in pod \\\"web\\\" has "
                "no attach function"));
  ProvideShell(world);
  EXPECT_THAT(outcome_of("exec?command=fail&command=no+such+program&stdout=true"),
              HasSubstr("\"message\":\"Internal error occurred: error executing command in "
                        "container: no such program\""));
}

TEST(RemoteCommand, Attaches) {
  StreamWorld world;
  world.handler().SetContainer("default", "web", "app",
                               {.attach = [](ContainerProcess& process) -> absl::Status {
                                 EXPECT_TRUE(process.command().empty());
                                 EXPECT_EQ(process.container().container, "app");
                                 return Cat(process).status();
                               }});
  const auto client = world.WebSocket("attach?stdin=true&stdout=true", {kV5});
  EXPECT_EQ(NextMessage(*client), Message(1, ""));
  Send(*client, Message(0, "line\n"));
  EXPECT_EQ(NextMessage(*client), Message(1, "line\n"));
  Send(*client, Message(255, std::string(1, '\0')));
  EXPECT_EQ(NextMessage(*client), Message(3, kSuccess));
}

TEST(RemoteCommand, IsProvidedForAllContainers) {
  StreamWorld world;
  world.CreatePod("two", {"a", "b"});
  world.handler().SetContainers([](const ContainerName& name) -> std::optional<Container> {
    if (name.pod != "two") return std::nullopt;
    return Container{.exec = [name](ContainerProcess& process) -> absl::StatusOr<int> {
      EXPECT_THAT(process.WriteStdout(process.context(), name.container), IsOk());
      return 0;
    }};
  });
  StreamWorld::Reply reply =
      world.Send("GET", PodPath("two", "exec?command=x&stdout=true&container=b"),
                 StreamWorld::WebSocketHeaders({kV5}));
  ASSERT_EQ(reply.status, 101);
  websocket::MessageStream client(std::move(reply.connection), {});
  EXPECT_THAT(MessagesOf(client),
              ElementsAre(Message(1, ""), Message(1, "b"), Message(3, kSuccess), "closed"));
}

TEST(RemoteCommand, EndsWhenTheClientVanishes) {
  StreamWorld world;
  base::Event gone;
  world.handler().SetContainer(
      "default", "web", "app", {.exec = [&](ContainerProcess& process) -> absl::StatusOr<int> {
        EXPECT_THAT(process.WriteStdout(process.context(), "runs"), IsOk());
        EXPECT_THAT(process.ReadStdin(Context()), StatusIs(absl::StatusCode::kCancelled));
        base::WaitUntilDone(process.context()).IgnoreError();
        EXPECT_FALSE(process.WriteStdout(Context(), "x").ok());
        gone.Set();
        return 0;
      }});
  auto client = world.WebSocket("exec?command=x&stdin=true&stdout=true", {kV5});
  // For a client that vanishes earlier nothing is run.
  EXPECT_EQ(NextMessage(*client), Message(1, ""));
  EXPECT_EQ(NextMessage(*client), Message(1, "runs"));
  client.reset();  // without a close frame
  EXPECT_THAT(gone.Wait(Context()), IsOk());
}

TEST(RemoteCommand, EndsWhenASpdyClientVanishes) {
  StreamWorld world;
  base::Event gone;
  world.handler().SetContainer(
      "default", "web", "app", {.exec = [&](ContainerProcess& process) -> absl::StatusOr<int> {
        EXPECT_THAT(process.WriteStdout(process.context(), "runs"), IsOk());
        base::WaitUntilDone(process.context()).IgnoreError();
        EXPECT_THAT(process.ReadStdin(Context()), StatusIs(absl::StatusCode::kCancelled));
        gone.Set();
        return 0;
      }});
  {
    const SpdyClient client(world, "exec?command=x&stdin=true&stdout=true", kV4,
                            {"error", "stdin", "stdout"});
    EXPECT_THAT(client.streams[2]->Read(Context()), IsOkAndHolds("runs"));
  }
  EXPECT_THAT(gone.Wait(Context()), IsOk());
}

TEST(RemoteCommand, EndsThoughNobodyReadsStdin) {
  StreamWorld world;
  ProvideShell(world);
  const auto client = world.WebSocket(
      "exec?command=say&command=out&command=x&command=0&stdin=true&stdout=true", {kV5});
  for (int i = 0; i < 3; ++i) Send(*client, Message(0, std::string(10'000, 'x')));
  EXPECT_THAT(MessagesOf(*client),
              ElementsAre(Message(1, ""), Message(1, "out"), Message(3, kSuccess), "closed"));
}

// Reads no stdin, and its output is more than waits for the client.
absl::StatusOr<int> WriteMuch(ContainerProcess& process) {
  EXPECT_THAT(process.WriteStdout(process.context(), std::string(100'000, 'x')), IsOk());
  return 3;
}

TEST(RemoteCommand, TellsTheOutcomeToAClientThatWritesFirst) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    StreamWorld world;
    world.handler().SetContainer("default", "web", "app", {.exec = WriteMuch});
    const auto client = world.WebSocket("exec?command=x&stdin=true&stdout=true", {kV5});
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then it has returned
    for (int i = 0; i < 20; ++i) Send(*client, Message(0, std::string(30'000, 'x')));
    const std::vector<std::string> messages = MessagesOf(*client);
    ASSERT_EQ(messages.size(), 7u);
    EXPECT_EQ(messages[5], Message(3, ExitOutcome(3)));
    EXPECT_EQ(messages[6], "closed");
  }),
              IsOk());
}

TEST(RemoteCommand, TellsTheOutcomeToASpdyClientThatWritesFirst) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    StreamWorld world;
    world.handler().SetContainer("default", "web", "app", {.exec = WriteMuch});
    SpdyClient client(world, "exec?command=x&stdin=true&stdout=true", kV4,
                      {"error", "stdin", "stdout"});
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), IsOk());  // by then it has returned
    // The server resets the stream meanwhile.
    const std::string piece(30'000, 'x');
    for (int i = 0; i < 20; ++i) client.streams[1]->Write(Context(), piece).IgnoreError();
    EXPECT_EQ(ReadAll(*client.streams[2]), std::string(100'000, 'x'));
    EXPECT_EQ(ReadAll(*client.streams[0]), ExitOutcome(3));
  }),
              IsOk());
}

TEST(RemoteCommand, TellsTheOutcomeToASlowClient) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    StreamWorld world;
    world.handler().SetContainer("default", "web", "app", {.exec = WriteMuch});
    const auto client = world.WebSocket("exec?command=x&stdout=true", {kV5});
    SpdyClient spdy_client(world, "exec?command=x&stdout=true", kV4, {"error", "stdout"});
    EXPECT_THAT(base::SleepFor(Context(), absl::Hours(1)), IsOk());
    const std::vector<std::string> messages = MessagesOf(*client);
    ASSERT_EQ(messages.size(), 7u);
    EXPECT_EQ(messages[5], Message(3, ExitOutcome(3)));
    EXPECT_EQ(ReadAll(*spdy_client.streams[1]), std::string(100'000, 'x'));
    EXPECT_EQ(ReadAll(*spdy_client.streams[0]), ExitOutcome(3));
  }),
              IsOk());
}

// As a kubelet, which then has no stream on which it could say so.
// behaviour.md: ST-30
TEST(RemoteCommand, WaitsThirtySecondsForTheStreamsOfAClient) {
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([] {
    StreamWorld world;
    ProvideShell(world);
    const SpdyClient client(world, "exec?command=cat&stdout=true", kV4, {"error"});
    const absl::Duration begin = base::Now().since_epoch();
    EXPECT_THAT(client.streams[0]->Read(Context()), StatusIs(absl::StatusCode::kAborted));
    EXPECT_GE(base::Now().since_epoch() - begin, absl::Seconds(30));
    EXPECT_LE(base::Now().since_epoch() - begin, absl::Seconds(31));
  }),
              IsOk());
}

TEST(RemoteCommand, BoundsTheStreamsOfAClient) {
  StreamWorld world;
  ProvideShell(world);
  const std::unique_ptr<spdy::Session> session = world.Spdy("exec?command=cat&stdout=true", {kV4});
  std::vector<std::unique_ptr<spdy::SessionStream>> streams;
  for (int i = 0; i < 32; ++i) {
    streams.push_back(OpenStream(*session, {{"streamtype", "unknown"}}));
  }
  EXPECT_THAT(session->OpenStream(Context(), {{"streamtype", "error"}}),
              StatusIs(absl::StatusCode::kAborted));
}

TEST(RemoteCommand, EndsWithTheServer) {
  StreamWorld world;
  ProvideShell(world);
  const auto first = world.WebSocket("exec?command=wait&stdout=true", {kV5});
  EXPECT_EQ(world.handler().sessions(), 1u);
  world.handler().Restart();
  EXPECT_EQ(world.handler().sessions(), 0u);
  const auto second = world.WebSocket("exec?command=wait&stdout=true", {kV5});
  world.EndHandler();
}

TEST(RemoteCommand, IsBounded) {
  StreamWorld world({.max_sessions = 1});
  ProvideShell(world);
  const auto client = world.WebSocket("exec?command=wait&stdout=true", {kV5});
  const StreamWorld::Reply reply = world.Send(
      "GET", PodPath("web", "exec?command=wait&stdout=true"), StreamWorld::WebSocketHeaders({kV5}));
  EXPECT_EQ(reply.status, 429);
  EXPECT_THAT(reply.body, HasSubstr("too many sessions are open"));
}

TEST(RemoteCommand, WritesTheLogOfItsContainer) {
  StreamWorld world;
  world.handler().SetContainer("default", "web", "app",
                               {.exec = [](ContainerProcess& process) -> absl::StatusOr<int> {
                                 process.AppendLog("exec was here\n");
                                 return 0;
                               }});
  MessagesOf(*world.WebSocket("exec?command=x&stdout=true", {kV5}));
  EXPECT_EQ(world.Send("GET", PodPath("web", "log")).body, "exec was here\n");
}

TEST(RemoteCommand, ServesManyAtOnce) {
  StreamWorld world;
  ProvideShell(world);
  constexpr int kSessions = 200;
  std::vector<std::unique_ptr<websocket::MessageStream>> clients;
  for (int i = 0; i < kSessions; ++i) {
    clients.push_back(world.WebSocket("exec?command=cat&stdin=true&stdout=true", {kV5}));
  }
  EXPECT_EQ(world.handler().sessions(), static_cast<size_t>(kSessions));
  base::ThreadGroup group((Context()));
  for (int i = 0; i < kSessions; ++i) {
    group.Go("client", [&client = *clients[static_cast<size_t>(i)], i](const Context&) {
      const std::string text = absl::StrCat("session ", i);
      EXPECT_EQ(NextMessage(client), Message(1, ""));
      Send(client, Message(0, text));
      EXPECT_EQ(NextMessage(client), Message(1, text));
      Send(client, Message(255, std::string(1, '\0')));
      EXPECT_EQ(NextMessage(client), Message(3, kSuccess));
      EXPECT_EQ(NextMessage(client), "closed");
      return absl::OkStatus();
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

}  // namespace
}  // namespace kube::apiserver
