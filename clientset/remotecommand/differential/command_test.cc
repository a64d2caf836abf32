// What commands get and write, and how they end, against Kubernetes' own servers.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/differential/fixture.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/session.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/streaming/pattern.h"

namespace kube::remotecommand {
namespace {

using base::IsOk;
using streaming::Pattern;
using testing::HasSubstr;
using testing::IsEmpty;

class CommandTest : public WayTest {};
INSTANTIATE_TEST_SUITE_P(Ways, CommandTest, testing::ValuesIn(AllWays()), NameOfWay);

TEST_P(CommandTest, HasStreamsAndAnExitCode) {
  const absl::StatusOr<std::unique_ptr<Session>> session =
      Start({.command = {"script"}, .with_stdin = true});
  ASSERT_THAT(session, IsOk());
  EXPECT_EQ((*session)->protocol(), GetParam().protocol);
  const Ended ended = RunToEnd(ctx_, **session, TextSource("out a\nerr b\nout c\nexit 3\n"));
  EXPECT_EQ(ended.out, "a\nc\n");
  EXPECT_EQ(ended.err, "b\n");
  EXPECT_EQ(ExitCodeOf(ended.outcome), 3) << ended.outcome;
}

// behaviour.md: ST-9
TEST_P(CommandTest, GetsItsArgumentsInOrder) {
  const Ended ended = Collect(
      {.command = {"args", "", "a b", "ä", "x\ny", "a&b=c;d", "%2f", "+", "\"q\"", "command"}});
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out,
            "\"\"\n\"a b\"\n\"ä\"\n\"x\\ny\"\n\"a&b=c;d\"\n\"%2f\"\n\"+\"\n\"\\\"q\\\"\"\n"
            "\"command\"\n");
}

TEST_P(CommandTest, ExitCodes) {
  for (const int code : {0, 1, 126, 255}) {
    const Ended ended = Collect({.command = {"exit", std::to_string(code)}});
    EXPECT_EQ(ExitCodeOf(ended.outcome), code) << ended.outcome;
  }
}

// No system has such a code. client-go refuses it, too.
TEST_P(CommandTest, AnExitCodeThatIsTooLarge) {
  const Ended ended = Collect({.command = {"exit", "256"}});
  EXPECT_EQ(ExitCodeOf(ended.outcome), std::nullopt);
  EXPECT_THAT(ended.outcome.ToString(), HasSubstr("invalid exit code value \"256\""));
}

TEST_P(CommandTest, WhatCannotBeRun) {
  const struct {
    std::string name;
    std::vector<std::string> command;
    std::string pod;
    std::string error;
  } rows[] = {
      {"no program", {"vi"}, "web-0", "exec: \"vi\": executable file not found in $PATH"},
      {"the runtime fails", {"fail", "out of memory"}, "web-0", "out of memory"},
      {"the container has ended", {"cat"}, "crashed", "cannot exec in a stopped container"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const Ended ended = Collect({.command = row.command}, row.pod);
    EXPECT_TRUE(errors::IsInternalError(ended.outcome)) << ended.outcome;
    EXPECT_THAT(ended.outcome.ToString(),
                HasSubstr("error executing command in container: " + row.error));
    EXPECT_EQ(ExitCodeOf(ended.outcome), std::nullopt);
  }
}

TEST_P(CommandTest, WritesToBothOutputsByTurns) {
  const Ended ended = Collect({.command = {"write", "both", "1000000", "5"}});
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_TRUE(ended.out == Pattern(1'000'000, 5)) << ended.out.size();
  EXPECT_TRUE(ended.err == Pattern(1'000'000, 6)) << ended.err.size();
}

TEST_P(CommandTest, OutputThatWasNotAskedFor) {
  const Ended without_stdout =
      Collect({.command = {"write", "both", "1000", "5"}, .with_stdout = false});
  EXPECT_THAT(without_stdout.outcome, IsOk());
  EXPECT_THAT(without_stdout.out, IsEmpty());
  EXPECT_TRUE(without_stdout.err == Pattern(1000, 6));
  const Ended without_stderr =
      Collect({.command = {"write", "both", "1000", "5"}, .with_stderr = false});
  EXPECT_THAT(without_stderr.outcome, IsOk());
  EXPECT_TRUE(without_stderr.out == Pattern(1000, 5));
  EXPECT_THAT(without_stderr.err, IsEmpty());
}

// Such a container's streams are reset when the connection is closed.
TEST_P(CommandTest, OutputThatTheContainerDoesNotEnd) {
  const Ended ended =
      Collect({.container = "untidy", .command = {"write", "stdout", "300000", "9"}}, "pair");
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_TRUE(ended.out == Pattern(300'000, 9)) << ended.out.size();
}

TEST_P(CommandTest, TheOutcomeIsAwaitedAfterTheOutputsHaveEnded) {
  const Ended ended = Collect({.command = {"late", "200", "7"}});
  EXPECT_EQ(ended.out, "done\n");
  EXPECT_EQ(ExitCodeOf(ended.outcome), 7) << ended.outcome;
}

TEST_P(CommandTest, TellsTheTerminalItsSizes) {
  const absl::StatusOr<std::unique_ptr<Session>> session =
      Start({.command = {"sizes", "3"}, .tty = true});
  ASSERT_THAT(session, IsOk());
  for (const TerminalSize size :
       {TerminalSize{.width = 80, .height = 24}, TerminalSize{.width = 132, .height = 43},
        TerminalSize{.width = 65'535, .height = 1}}) {
    ASSERT_THAT((*session)->Resize(ctx_, size), IsOk());
  }
  const Ended ended = RunToEnd(ctx_, **session);
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out, "80x24\n132x43\n65535x1\n");
}

TEST_P(CommandTest, ATerminalHasOneOutput) {
  const absl::StatusOr<std::unique_ptr<Session>> session =
      Start({.command = {"script"}, .with_stdin = true, .tty = true});
  ASSERT_THAT(session, IsOk());
  const Ended ended = RunToEnd(ctx_, **session, TextSource("out a\nerr b\nexit 0\n"));
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out, "a\nb\n");
  EXPECT_THAT(ended.err, IsEmpty());
}

class AttachTest : public WayTest {
 protected:
  Ended Attach(const std::string& pod, const std::string& input) const {
    const absl::StatusOr<std::unique_ptr<Session>> session = StartAttach(
        ctx_, *client_, {"default", pod}, {.with_stdin = true, .transport = GetParam().transport});
    if (!session.ok()) return {.outcome = session.status()};
    return RunToEnd(ctx_, **session, TextSource(input));
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, AttachTest, testing::ValuesIn(AllWays()), NameOfWay);

TEST_P(AttachTest, TalksToTheMainProcess) {
  const Ended ended = Attach("web-0", "out a\nerr b\nexit 0\n");
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out, "hello\na\n");
  EXPECT_EQ(ended.err, "b\n");
}

// Kubelets do not tell the exit code of a main process.
TEST_P(AttachTest, AMainProcessThatFails) {
  const Ended ended = Attach("web-0", "exit 3\n");
  EXPECT_TRUE(errors::IsInternalError(ended.outcome)) << ended.outcome;
  EXPECT_THAT(ended.outcome.ToString(),
              HasSubstr("error attaching to container: command terminated with exit code 3"));
}

TEST_P(AttachTest, AContainerThatHasEnded) {
  const Ended ended = Attach("crashed", "");
  EXPECT_THAT(ended.outcome.ToString(),
              HasSubstr("error attaching to container: cannot exec in a stopped container"));
}

}  // namespace
}  // namespace kube::remotecommand
