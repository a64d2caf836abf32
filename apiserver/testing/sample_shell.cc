#include "apiserver/testing/sample_shell.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apiserver/container.h"
#include "apiserver/handler.h"
#include "apiserver/testing/stream_world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/websocket/connection.h"
#include "net/websocket/message_stream.h"

namespace kube::apiserver {

std::string Message(int channel, absl::string_view data) {
  return absl::StrCat(std::string(1, static_cast<char>(channel)), data);
}

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

absl::StatusOr<int> Shell(ContainerProcess& process) {
  const std::vector<std::string>& command = process.command();
  const Context& ctx = process.context();
  if (command.empty()) return absl::InvalidArgumentError("no command");
  if (command[0] == "cat") return Cat(process);
  if (command[0] == "fail") return absl::NotFoundError(command[1]);
  if (command[0] == "say") {
    EXPECT_THAT(process.WriteStdout(ctx, command[1]), base::IsOk());
    EXPECT_THAT(process.WriteStderr(ctx, command[2]), base::IsOk());
    return std::stoi(command[3]);
  }
  if (command[0] == "sizes") {
    for (int i = 0; i < 3; ++i) {
      const auto size = process.NextTerminalSize(ctx);
      EXPECT_THAT(size, base::IsOk());
      const std::string text =
          size->has_value() ? absl::StrCat((*size)->width, "x", (*size)->height, " ") : "none ";
      EXPECT_THAT(process.WriteStdout(ctx, text), base::IsOk());
    }
    return 0;
  }
  base::WaitUntilDone(ctx).IgnoreError();
  return 0;
}

void ProvideShell(StreamWorld& world) {
  world.handler().SetContainer("default", "web", "app", {.exec = Shell});
}

void Send(websocket::MessageStream& client, const std::string& message) {
  EXPECT_THAT(client.Write(Context(), websocket::MessageType::kBinary, message), base::IsOk());
}

std::vector<std::string> MessagesOf(websocket::MessageStream& client) {
  std::vector<std::string> messages;
  while (true) {
    messages.push_back(NextMessage(client));
    if (messages.back() == "closed" || messages.size() > 1000) return messages;
  }
}

}  // namespace kube::apiserver
