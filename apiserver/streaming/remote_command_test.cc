// exec and attach, from the request to what the command writes, without sockets.

#include "apiserver/streaming/remote_command.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/container.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults.h"
#include "apiserver/handler.h"
#include "apiserver/testing/sample_shell.h"
#include "apiserver/testing/stream_world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "net/websocket/connection.h"

namespace kube::apiserver {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;

// ---- Before the upgrade

// behaviour.md: ST-10, ST-11
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

// behaviour.md: ST-73, ST-92
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

// behaviour.md: ST-79
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

TEST(RemoteCommand, BreaksInTheMiddle) {
  StreamWorld world;
  // It may learn of the end before it has written.
  const auto say_hello = [](ContainerProcess& process) -> absl::StatusOr<int> {
    process.WriteStdout(process.context(), "hello").IgnoreError();
    return 0;
  };
  world.handler().SetContainer("default", "web", "app", {.exec = say_hello});
  Faults faults = world.handler().faults();
  // The frames of the empty message and of "hello" have 3 and 8 bytes.
  faults.Add({.resource = "pods/exec", .fault = fault::BreakConnection{.after_bytes = 6}});
  const auto client = world.WebSocket("exec?command=say&stdout=true", {kV5});
  EXPECT_EQ(NextMessage(*client), Message(1, ""));
  EXPECT_THAT(NextMessage(*client), HasSubstr("the server aborted the connection"));

  const FaultId all = faults.Add({.fault = fault::BreakConnection{}});
  EXPECT_EQ(world.Send("GET", "/api/v1/namespaces/default/pods/web").status, 200);
  EXPECT_EQ(faults.Count(all).matched, 0) << "it does not switch protocols";
}

// ---- WebSocket

// behaviour.md: ST-28
TEST(RemoteCommand, RunsOverAWebSocket) {
  StreamWorld world;
  ProvideShell(world);
  const auto client = world.WebSocket(
      "exec?command=say&command=hello&command=oops&command=3&stdout=true&stderr=true", {kV5});
  EXPECT_THAT(MessagesOf(*client),
              ElementsAre(Message(1, ""), Message(1, "hello"), Message(2, "oops"),
                          Message(3, ExitOutcome(3)), "closed"));
}

// behaviour.md: ST-27
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

// behaviour.md: ST-23, ST-32
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

// behaviour.md: ST-23
TEST(RemoteCommand, HasNoSizesWithoutATerminal) {
  StreamWorld world;
  ProvideShell(world);
  const auto client = world.WebSocket("exec?command=sizes&stdout=true", {kV5});
  EXPECT_THAT(MessagesOf(*client),
              ElementsAre(Message(1, ""), Message(1, "none "), Message(1, "none "),
                          Message(1, "none "), Message(3, kSuccess), "closed"));
}

// behaviour.md: ST-35
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

// behaviour.md: ST-30
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

}  // namespace
}  // namespace kube::apiserver
