// exec and attach, from the request to the end of the session, without sockets.

#include "apiserver/streaming/remote_command.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apiserver/container.h"
#include "apiserver/fault_rule.h"
#include "apiserver/handler.h"
#include "apiserver/testing/stream_world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
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
using websocket::MessageType;

constexpr char kV5[] = "v5.channel.k8s.io";
constexpr char kV4[] = "v4.channel.k8s.io";

std::string Message(int channel, absl::string_view data) {
  return absl::StrCat(std::string(1, static_cast<char>(channel)), data);
}

// The outcomes as kube-apiserver sends them.
constexpr char kSuccess[] = R"({"metadata":{},"status":"Success"})";
std::string ExitOutcome(int code) {
  return absl::StrCat(
      R"({"metadata":{},"status":"Failure","message":"command terminated with non-zero exit code: )",
      "command terminated with exit code ", code,
      R"(","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":")", code,
      R"("}]}})");
}

absl::StatusOr<int> Cat(apiserver::ContainerProcess& process) {
  const Context& ctx = process.context();
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, process.ReadStdin(ctx));
    if (bytes.empty()) return 0;
    KUBE_RETURN_IF_ERROR(process.WriteStdout(ctx, bytes));
  }
}

// Runs the command: "say OUT ERR CODE", "cat", "fail TEXT", "sizes", "wait".
absl::StatusOr<int> Shell(ContainerProcess& process) {
  const std::vector<std::string>& command = process.command();
  const Context& ctx = process.context();
  if (command.empty()) return absl::InvalidArgumentError("no command");
  if (command[0] == "cat") return Cat(process);
  if (command[0] == "fail") return absl::NotFoundError(command[1]);
  if (command[0] == "say") {
    EXPECT_THAT(process.WriteStdout(ctx, command[1]), IsOk());
    EXPECT_THAT(process.WriteStderr(ctx, command[2]), IsOk());
    return std::stoi(command[3]);
  }
  if (command[0] == "sizes") {
    for (int i = 0; i < 3; ++i) {
      const auto size = process.NextTerminalSize(ctx);
      EXPECT_THAT(size, IsOk());
      const std::string text =
          size->has_value() ? absl::StrCat((*size)->width, "x", (*size)->height, " ") : "none ";
      EXPECT_THAT(process.WriteStdout(ctx, text), IsOk());
    }
    return 0;
  }
  base::WaitUntilDone(ctx).IgnoreError();
  return 0;
}

void ProvideShell(StreamWorld& world) {
  world.handler().SetContainer("default", "web", "app", {.exec = Shell});
}

// Sends a message.
void Send(websocket::MessageStream& client, const std::string& message) {
  EXPECT_THAT(client.Write(Context(), MessageType::kBinary, message), IsOk());
}

// Returns all messages until the server has closed the connection.
std::vector<std::string> MessagesOf(websocket::MessageStream& client) {
  std::vector<std::string> messages;
  while (true) {
    messages.push_back(NextMessage(client));
    if (messages.back() == "closed" || messages.size() > 1000) return messages;
  }
}

// ---- Before the upgrade

TEST(RemoteCommand, IsRefusedBeforeTheUpgrade) {
  StreamWorld world;
  world.CreatePod("two", {"a", "b"});
  world.CreatePod("pending", {"app"}, /*node=*/"");
  struct Case {
    const char* name;
    const char* method;
    const char* pod;
    const char* query;
    std::vector<std::string> protocols;  // none: no upgrade
    int code;
    const char* text;
  };
  const Case cases[] = {
      {"no such pod",
       "GET",
       "none",
       "command=ls&stdout=true",
       {kV5},
       404,
       R"(pods \"none\" not found)"},
      {"no container named",
       "GET",
       "two",
       "command=ls&stdout=true",
       {kV5},
       400,
       "a container name must be specified for pod two, choose one of: [a b]"},
      {"unknown container",
       "GET",
       "two",
       "command=ls&stdout=true&container=c",
       {kV5},
       400,
       "container c is not valid for pod two"},
      {"no node",
       "GET",
       "pending",
       "command=ls&stdout=true",
       {kV5},
       400,
       "pod pending does not have a host assigned"},
      {"no upgrade", "GET", "web", "command=ls&stdout=true", {}, 400, "Upgrade request required"},
      {"no upgrade of a POST",
       "POST",
       "web",
       "command=ls&stdout=true",
       {},
       400,
       "Upgrade request required"},
      {"no streams",
       "GET",
       "web",
       "command=ls",
       {kV5},
       400,
       "you must specify at least 1 of stdin, stdout, stderr"},
      {"only the stderr of a terminal",
       "GET",
       "web",
       "command=ls&stderr=true&tty=true",
       {kV5},
       400,
       "you must specify at least 1 of stdin, stdout, stderr"},
      {"unknown protocol",
       "GET",
       "web",
       "command=ls&stdout=true",
       {"v3.channel.k8s.io"},
       403,
       "requested protocol(s) are not supported"},
      {"another verb", "PUT", "web", "command=ls&stdout=true", {}, 405, "MethodNotAllowed"},
  };
  for (const Case& each : cases) {
    for (const char* subresource : {"exec", "attach"}) {
      const StreamWorld::Reply reply = world.Send(
          each.method, absl::StrCat(PodPath(each.pod, subresource), "?", each.query),
          each.protocols.empty() ? http::Headers() : StreamWorld::WebSocketHeaders(each.protocols));
      EXPECT_EQ(reply.status, each.code) << each.name << ": " << reply.body;
      EXPECT_THAT(reply.body, HasSubstr(each.text)) << each.name;
    }
  }
  EXPECT_EQ(world.handler().sessions(), 0u);
}

TEST(RemoteCommand, NeedsCreateWhateverTheMethodIs) {
  StreamWorld world;
  ProvideShell(world);
  const std::string target = PodPath("web", "exec?command=cat&stdin=true");
  const auto by_websocket = [&] {
    return world.Send("GET", target, StreamWorld::WebSocketHeaders({kV5})).status;
  };
  const auto by_spdy = [&] {
    return world.Send("POST", target, StreamWorld::SpdyHeaders({kV4})).status;
  };
  world.handler().SetDenyRules({{.user = "tester", .verb = "get", .resource = "pods/exec"}});
  EXPECT_EQ(by_websocket(), 403);
  EXPECT_EQ(by_spdy(), 101);
  world.handler().SetDenyRules({{.user = "tester", .verb = "create", .resource = "pods/exec"}});
  EXPECT_EQ(by_websocket(), 403);
  EXPECT_EQ(by_spdy(), 403);
  world.handler().SetDenyRules({{.user = "tester", .verb = "create", .resource = "pods/attach"}});
  EXPECT_EQ(by_websocket(), 101);
}

TEST(RemoteCommand, TakesTheTokenOfABrowser) {
  StreamWorld world;
  ProvideShell(world);
  // "stream-world", and another one.
  const std::string prefix = "base64url.bearer.authorization.k8s.io.";
  const auto send = [&](const std::string& token) {
    return world.Send("GET", PodPath("web", "exec?command=cat&stdin=true"),
                      StreamWorld::WebSocketHeaders({prefix + token, kV4}));
  };
  const StreamWorld::Reply accepted = send("c3RyZWFtLXdvcmxk");
  EXPECT_EQ(accepted.status, 101);
  EXPECT_EQ(accepted.headers.Get("sec-websocket-protocol"), kV4);
  EXPECT_EQ(send("b3RoZXI").status, 401);
  EXPECT_EQ(send("?").status, 401);
}

TEST(RemoteCommand, IsInTheLogOfRequests) {
  StreamWorld world;
  ProvideShell(world);
  world.handler().ClearRequests();
  const auto client = world.WebSocket("exec?command=cat&stdin=true", {kV5});
  const std::vector<LoggedRequest> requests = world.handler().Requests();
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].code, 101);
  EXPECT_EQ(requests[0].verb, "get");
  EXPECT_EQ(requests[0].resource, "pods");
  EXPECT_EQ(requests[0].subresource, "exec");
  EXPECT_EQ(requests[0].name, "web");
  EXPECT_EQ(requests[0].user, "tester");
}

TEST(RemoteCommand, HasTheFaultsOfAllRequests) {
  StreamWorld world;
  ProvideShell(world);
  world.handler().faults().Add({.resource = "pods/exec",
                                .times = 1,
                                .fault = fault::Error{absl::UnavailableError("try later")}});
  world.handler().faults().Add({.resource = "pods/exec", .times = 1, .fault = fault::Drop{}});
  const auto send = [&] {
    return world
        .Send("GET", PodPath("web", "exec?command=cat&stdin=true"),
              StreamWorld::WebSocketHeaders({kV5}))
        .status;
  };
  EXPECT_EQ(send(), 500);
  EXPECT_EQ(send(), 0) << "the connection breaks";
  EXPECT_EQ(send(), 101);
}

// ---- WebSocket

TEST(RemoteCommand, RunsOverAWebSocket) {
  StreamWorld world;
  ProvideShell(world);
  const auto client = world.WebSocket(
      "exec?command=say&command=hello&command=oops&command=3&stdout=true&stderr=true", {kV5});
  EXPECT_THAT(MessagesOf(*client),
              ElementsAre(Message(1, ""), Message(1, "hello"), Message(2, "oops"),
                          Message(3, ExitOutcome(3)), "closed"));
}

TEST(RemoteCommand, TellsSuccess) {
  StreamWorld world;
  ProvideShell(world);
  const auto client =
      world.WebSocket("exec?command=say&command=a&command=b&command=0&stderr=true", {kV5});
  EXPECT_THAT(MessagesOf(*client),
              ElementsAre(Message(2, ""), Message(2, "b"), Message(3, kSuccess), "closed"))
      << "an empty message on the lowest channel to the client, then the outcome";
}

TEST(RemoteCommand, TakesTheLowBitsOfAnExitCode) {
  StreamWorld world;
  for (const auto& [code, outcome] : std::vector<std::pair<int, std::string>>{
           {256, kSuccess}, {-1, ExitOutcome(255)}, {137, ExitOutcome(137)}}) {
    world.handler().SetContainer(
        "default", "web", "app",
        {.exec = [code = code](ContainerProcess&) -> absl::StatusOr<int> { return code; }});
    const auto client = world.WebSocket("exec?command=x&stdin=true", {kV5});
    EXPECT_THAT(MessagesOf(*client), ElementsAre(Message(3, ""), Message(3, outcome), "closed"));
  }
}

TEST(RemoteCommand, EndsStdinAlone) {
  StreamWorld world;
  ApiHandler& server = world.handler();
  server.SetContainer("default", "web", "app", {.exec = Cat});
  const auto client = world.WebSocket("exec?command=cat&stdin=true&stdout=true", {kV5});
  EXPECT_EQ(NextMessage(*client), Message(1, ""));
  Send(*client, Message(0, "one\n"));
  EXPECT_EQ(NextMessage(*client), Message(1, "one\n"));
  Send(*client, Message(0, "two\n"));
  EXPECT_EQ(NextMessage(*client), Message(1, "two\n"));
  Send(*client, Message(255, std::string(1, '\0')));
  EXPECT_EQ(NextMessage(*client), Message(3, kSuccess));
  EXPECT_EQ(NextMessage(*client), "closed");
}

TEST(RemoteCommand, HasATerminal) {
  StreamWorld world;
  std::optional<bool> tty;
  world.handler().SetContainer(
      "default", "web", "app", {.exec = [&](ContainerProcess& process) -> absl::StatusOr<int> {
        tty = process.tty();
        EXPECT_THAT(process.WriteStderr(process.context(), "both "), IsOk());
        return Shell(process);
      }});
  const auto client =
      world.WebSocket("exec?command=sizes&stdin=true&stdout=true&stderr=true&tty=true", {kV5});
  EXPECT_EQ(NextMessage(*client), Message(1, ""));
  EXPECT_EQ(NextMessage(*client), Message(1, "both ")) << "a terminal has one output";
  Send(*client, Message(4, "{\"Width\":80,\"Height\":24}\n{\"Width\":"));
  EXPECT_EQ(NextMessage(*client), Message(1, "80x24 "));
  Send(*client, Message(4, "132,\"Height\":43}\n"));
  EXPECT_EQ(NextMessage(*client), Message(1, "132x43 "));
  Send(*client, Message(255, "\x04"));
  EXPECT_EQ(NextMessage(*client), Message(1, "none "));
  EXPECT_EQ(NextMessage(*client), Message(3, kSuccess));
  EXPECT_EQ(tty, true);
}

TEST(RemoteCommand, HasNoSizesWithoutATerminal) {
  StreamWorld world;
  ProvideShell(world);
  const auto client = world.WebSocket("exec?command=sizes&stdout=true", {kV5});
  EXPECT_THAT(MessagesOf(*client),
              ElementsAre(Message(1, ""), Message(1, "none "), Message(1, "none "),
                          Message(1, "none "), Message(3, kSuccess), "closed"));
}

TEST(RemoteCommand, SpeaksOldVersions) {
  StreamWorld world;
  ProvideShell(world);
  const char kExit[] = "exec?command=say&command=hi&command=x&command=3&stdout=true";
  const char kFail[] = "exec?command=fail&command=why&stdout=true";
  const char kGood[] = "exec?command=say&command=hi&command=x&command=0&stdout=true";
  EXPECT_THAT(MessagesOf(*world.WebSocket(kExit, {kV4})),
              ElementsAre(Message(1, ""), Message(1, "hi"), Message(3, ExitOutcome(3)), "closed"));
  EXPECT_THAT(MessagesOf(*world.WebSocket(kExit, {"channel.k8s.io"})),
              ElementsAre(Message(1, ""), Message(1, "hi"),
                          Message(3,
                                  "command terminated with non-zero exit code: command "
                                  "terminated with exit code 3"),
                          "closed"));
  EXPECT_THAT(MessagesOf(*world.WebSocket(kFail, {})),
              ElementsAre(Message(1, ""),
                          Message(3,
                                  "Internal error occurred: error executing command in "
                                  "container: why"),
                          "closed"));
  EXPECT_THAT(MessagesOf(*world.WebSocket(kGood, {"channel.k8s.io"})),
              ElementsAre(Message(1, ""), Message(1, "hi"), "closed"));
  // "hi" and the success in base64.
  EXPECT_THAT(
      MessagesOf(*world.WebSocket(kGood, {"v4.base64.channel.k8s.io"})),
      ElementsAre("1", "1aGk=", "3eyJtZXRhZGF0YSI6e30sInN0YXR1cyI6IlN1Y2Nlc3MifQ==", "closed"));
}

// ---- SPDY

// Opens the streams of a command in client-go's order.
struct SpdyClient {
  SpdyClient(StreamWorld& world, absl::string_view subresource, const std::string& version,
             const std::vector<std::string>& types)
      : session(world.Spdy(subresource, {version})) {
    for (const std::string& type : types) {
      streams.push_back(OpenStream(*session, {{"streamtype", type}}));
    }
  }

  std::unique_ptr<spdy::Session> session;
  std::vector<std::unique_ptr<spdy::SessionStream>> streams;
};

TEST(RemoteCommand, RunsOverSpdy) {
  StreamWorld world;
  ProvideShell(world);
  const char kCommand[] =
      "exec?command=say&command=hello&command=oops&command=3&stdout=true&stderr=true";
  for (const auto& [version, outcome] : std::vector<std::pair<std::string, std::string>>{
           {kV4, ExitOutcome(3)},
           {"v3.channel.k8s.io",
            "command terminated with non-zero exit code: command terminated with exit code 3"},
           {"v2.channel.k8s.io",
            "command terminated with non-zero exit code: command terminated with exit code 3"},
           {"channel.k8s.io",
            "command terminated with non-zero exit code: command terminated with exit code 3"}}) {
    SpdyClient client(world, kCommand, version, {"error", "stdout", "stderr"});
    EXPECT_EQ(ReadAll(*client.streams[1]), "hello") << version;
    EXPECT_EQ(ReadAll(*client.streams[2]), "oops") << version;
    EXPECT_EQ(ReadAll(*client.streams[0]), outcome) << version;
  }
}

TEST(RemoteCommand, EndsStdinOverSpdy) {
  StreamWorld world;
  ProvideShell(world);
  SpdyClient client(world, "exec?command=cat&stdin=true&stdout=true", kV4,
                    {"error", "stdin", "stdout"});
  EXPECT_THAT(client.streams[1]->Write(Context(), "one"), IsOk());
  EXPECT_THAT(client.streams[2]->Read(Context()), IsOkAndHolds("one"));
  EXPECT_THAT(client.streams[1]->CloseWrite(), IsOk());
  EXPECT_EQ(ReadAll(*client.streams[2]), "");
  EXPECT_EQ(ReadAll(*client.streams[0]), kSuccess);
}

TEST(RemoteCommand, HasATerminalOverSpdy) {
  StreamWorld world;
  ProvideShell(world);
  SpdyClient client(world, "exec?command=sizes&stdout=true&tty=true", kV4,
                    {"error", "stdout", "resize"});
  EXPECT_THAT(client.streams[2]->Write(Context(), "{\"Width\":1,\"Height\":2}\n"), IsOk());
  EXPECT_THAT(client.streams[2]->CloseWrite(), IsOk());
  EXPECT_EQ(ReadAll(*client.streams[1]), "1x2 none none ");
}

TEST(RemoteCommand, WaitsForTheStreamsOfAClient) {
  StreamWorld world;
  ProvideShell(world);
  SpdyClient client(world, "exec?command=say&command=a&command=b&command=0&stdout=true", kV4,
                    {"error", "unknown type"});
  EXPECT_THAT(client.streams[0]->Read(WithTimeout(Context(), absl::Milliseconds(10))),
              StatusIs(absl::StatusCode::kDeadlineExceeded))
      << "a stream of an unknown type does not count";
  const auto out = OpenStream(*client.session, {{"streamtype", "stdout"}});
  EXPECT_EQ(ReadAll(*out), "a");
}

// ---- Errors and ends

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
