// client-go's executors and port-forwarders, over WebSocket, over SPDY and with its fallback,
// against the embedded server: it must say what it says of a kubelet.

#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/api_server.h"
#include "apiserver/container.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"
#include "net/io/duplex_stream.h"
#include "tests/oracle/oracle.h"

namespace kube::apiserver {
namespace {

absl::Status Copy(ContainerProcess& process) {
  const Context& ctx = process.context();
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, process.ReadStdin(ctx));
    if (bytes.empty()) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(process.WriteStdout(ctx, bytes));
  }
}

// Runs "say OUT ERR CODE", "cat", "fail TEXT", "sizes", "log TEXT" and "endlog".
absl::StatusOr<int> Shell(ApiHandler& handler, ContainerProcess& process) {
  const std::vector<std::string>& command = process.command();
  const Context& ctx = process.context();
  if (command[0] == "fail") return absl::NotFoundError(command[1]);
  if (command[0] == "log") process.AppendLog(command[1]);
  if (command[0] == "endlog") handler.EndPodLog("default", "web", "app");
  if (command[0] == "cat") KUBE_RETURN_IF_ERROR(Copy(process));
  if (command[0] == "say") {
    KUBE_RETURN_IF_ERROR(process.WriteStdout(ctx, command[1]));
    KUBE_RETURN_IF_ERROR(process.WriteStderr(ctx, command[2]));
    return std::stoi(command[3]);
  }
  for (int i = 0; i < 2 && command[0] == "sizes"; ++i) {
    KUBE_ASSIGN_OR_RETURN(const auto size, process.NextTerminalSize(ctx));
    if (!size.has_value()) return absl::UnknownError("the sizes end");
    KUBE_RETURN_IF_ERROR(
        process.WriteStdout(ctx, absl::StrCat(size->width, "x", size->height, " ")));
  }
  return 0;
}

absl::Status Echo(const Context& ctx, std::unique_ptr<io::DuplexStream> connection) {
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::string bytes, connection->Read(ctx));
    if (bytes.empty()) return absl::OkStatus();
    KUBE_RETURN_IF_ERROR(connection->Write(ctx, bytes));
  }
}

absl::Status Goodbye(const Context& ctx, std::unique_ptr<io::DuplexStream> connection) {
  return connection->Write(ctx, "goodbye");
}

void CreatePod(ApiServer& server) {
  httpserver::Request request{.method = "POST", .target = "/api/v1/namespaces/default/pods"};
  request.headers = {{"authorization", absl::StrCat("Bearer ", server.admin_token())},
                     {"content-type", "application/json"}};
  request.body =
      R"({"metadata":{"name":"web"},"spec":{"nodeName":"n1","containers":[{"name":"app","image":"i"}]}})";
  const auto exchange = std::make_shared<FakeExchange>(std::move(request));
  server.handler().Handle(exchange);
  ASSERT_EQ(exchange->status(), 201) << exchange->body();
}

// What each way to the pod prints.
std::vector<std::string> ExpectedOf(absl::string_view way) {
  const auto line = [way](absl::string_view name, absl::string_view members) {
    return absl::StrCat(R"({"case":")", way, "/", name, "\"", members.empty() ? "" : ",", members,
                        "}");
  };
  const absl::string_view refused = way == "websocket" ? "unable to upgrade streaming request: "
                                                       : "unable to upgrade connection: ";
  return {
      line("both outputs and a code",
           R"("out":"out","err":"err","error":"command terminated with exit code 3")"),
      line("success", R"("out":"out","err":"err")"),
      line("no stdout", R"("err":"err")"),
      line("stdin", R"("out":"line one\nline two\n")"),
      line("empty stdin", ""),
      line("much", R"("out":"800000 bytes, as sent: true")"),
      line("stdin that nobody reads",
           R"("out":"out","err":"err","error":"command terminated with exit code 7")"),
      line("a terminal", R"("out":"80x24 132x43 ")"),
      line("a failure",
           R"("error":"Internal error occurred: error executing command in container: )"
           R"(no such program")"),
      line("the largest code",
           R"("out":"out","err":"err","error":"command terminated with exit code 255")"),
      line("an unknown container",
           absl::StrCat(R"("error":")", refused, R"(container nope is not valid for pod web")")),
      line("attach", R"("out":"attached\n")"),
      line("forward",
           R"("out":"connection 0, connection 1, connection 2, connection 3, connection 4, )"
           R"(true, goodbye")"),
      line("forward to a refused port", R"("error":"lost connection to pod")"),
  };
}

TEST(ClientGoStreamingTest, SaysWhatItSaysOfAKubelet) {
  const absl::StatusOr<std::string> program = oracle::FindData("oracles", "streaming_program");
  if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_THAT(program, base::IsOk());
  const absl::StatusOr<std::unique_ptr<ApiServer>> server = ApiServer::Start();
  ASSERT_THAT(server, base::IsOk());
  ApiHandler& handler = (*server)->handler();
  handler.SetContainer(
      "default", "web", "app",
      {.exec = [&handler](ContainerProcess& process) { return Shell(handler, process); },
       .attach = Copy,
       .ports = {{80, Echo}, {81, Goodbye}}});
  CreatePod(**server);
  // A GET, and with it a WebSocket, is not allowed to this one.
  handler.AddToken("limited", {.name = "limited", .uid = "", .groups = {}});
  handler.SetDenyRules({{.user = "limited", .verb = "get", .resource = "pods/exec"},
                        {.user = "limited", .verb = "get", .resource = "pods/attach"},
                        {.user = "limited", .verb = "get", .resource = "pods/portforward"}});
  const std::string kubeconfig = absl::StrCat(testing::TempDir(), "/streaming_kubeconfig");
  std::ofstream(kubeconfig) << (*server)->Kubeconfig();

  const absl::StatusOr<std::string> output =
      oracle::RunProgram(*program, {.args = {kubeconfig, "limited"}});
  ASSERT_THAT(output, base::IsOk());
  std::vector<std::string> expected;
  for (const char* way : {"websocket", "spdy", "fallback"}) {
    for (std::string& line : ExpectedOf(way)) expected.push_back(std::move(line));
  }
  expected.push_back(R"({"case":"websocket/write the log"})");
  expected.push_back(R"({"case":"websocket/write more"})");
  expected.push_back(R"({"case":"websocket/end the log"})");
  expected.push_back(R"({"case":"logs","out":"two\nthree\n"})");
  const std::vector<std::string> lines = absl::StrSplit(*output, '\n', absl::SkipEmpty());
  EXPECT_THAT(lines, testing::ElementsAreArray(expected));
}

}  // namespace
}  // namespace kube::apiserver
