// The code in docs/streaming.md, which //docs:snippets_test compares.
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/run.h"
#include "clientset/remotecommand/session.h"
#include "clientset/remotecommand/streams.h"
#include "clientset/remotecommand/terminal.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

using ::kube::base::StatusIs;

absl::StatusOr<std::string> HostName(const Context& ctx, const rest::Client& client) {
  KUBE_ASSIGN_OR_RETURN(
      const remotecommand::CommandOutput output,
      remotecommand::CollectOutput(ctx, client, {"prod", "web-0"},
                                   {.container = "app", .command = {"hostname"}}));
  KUBE_RETURN_IF_ERROR(output.outcome);
  return output.stdout_text;
}

// Returns whether the file exists in the container.
absl::StatusOr<bool> Exists(const Context& ctx, const rest::Client& client,
                            const std::string& path) {
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<remotecommand::Session> session,
      remotecommand::StartExec(ctx, client, {"prod", "web-0"}, {.command = {"test", "-e", path}}));
  const absl::Status outcome = session->Wait(ctx);
  const std::optional<uint8_t> exit_code = remotecommand::ExitCodeOf(outcome);
  if (!exit_code.has_value()) return outcome;  // the command was not run, or the session was lost
  return *exit_code == 0;
}

absl::StatusOr<std::string> Sort(const Context& ctx, const rest::Client& client,
                                 const std::string& lines) {
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<remotecommand::Session> session,
                        remotecommand::StartExec(ctx, client, {"prod", "web-0"},
                                                 {.command = {"sort"}, .with_stdin = true}));
  KUBE_RETURN_IF_ERROR(session->WriteStdin(ctx, lines));
  KUBE_RETURN_IF_ERROR(session->CloseStdin(ctx));
  std::string sorted;
  while (true) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<remotecommand::Output> output, session->Read(ctx));
    if (!output.has_value()) break;
    if (output->channel == remotecommand::Channel::kStdout) absl::StrAppend(&sorted, output->data);
  }
  KUBE_RETURN_IF_ERROR(session->Wait(ctx));
  return sorted;
}

absl::Status Shell(const Context& ctx, const rest::Client& client) {
  KUBE_ASSIGN_OR_RETURN(
      const std::unique_ptr<remotecommand::Session> session,
      remotecommand::StartExec(ctx, client, {"prod", "web-0"},
                               {.command = {"sh"}, .with_stdin = true, .tty = true}));
  KUBE_ASSIGN_OR_RETURN(const remotecommand::RawTerminal raw,
                        remotecommand::RawTerminal::Make(STDIN_FILENO));
  return remotecommand::Run(ctx, *session,
                            {.stdin_source = remotecommand::FromDescriptor(STDIN_FILENO),
                             .stdout_sink = remotecommand::ToDescriptor(STDOUT_FILENO),
                             .sizes = remotecommand::TerminalSizes(STDIN_FILENO)});
}

// Waits until the container's main process writes the text.
absl::Status AwaitText(const Context& ctx, const rest::Client& client, const std::string& text) {
  KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<remotecommand::Session> session,
                        remotecommand::StartAttach(ctx, client, {"prod", "web-0"}));
  std::string seen;
  while (!absl::StrContains(seen, text)) {
    KUBE_ASSIGN_OR_RETURN(const std::optional<remotecommand::Output> output, session->Read(ctx));
    if (!output.has_value()) return absl::NotFoundError("the process has ended");
    absl::StrAppend(&seen, output->data);
  }
  return absl::OkStatus();
}

// A server that refuses everything: the examples compile, and return its error.
TEST(StreamingSnippets, ReturnTheErrorOfTheServer) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, rest::StatusReply(403, "Forbidden", "not for you"));
  const rest::Client client = rest::MakeScriptedClient(transport);
  const Context ctx = WithTimeout(Context(), absl::Minutes(1));
  EXPECT_TRUE(errors::IsForbidden(HostName(ctx, client).status()));
  EXPECT_TRUE(errors::IsForbidden(Exists(ctx, client, "/etc/passwd").status()));
  EXPECT_TRUE(errors::IsForbidden(Sort(ctx, client, "b\na\n").status()));
  EXPECT_TRUE(errors::IsForbidden(Shell(ctx, client)));
  EXPECT_THAT(AwaitText(ctx, client, "ready"), StatusIs(absl::StatusCode::kPermissionDenied));
}

}  // namespace
}  // namespace kube
