#include "clientset/rest/subprocess.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest {
namespace {

using ::kube::base::IsOk;
using ::kube::base::StatusIs;
using ::testing::HasSubstr;

constexpr char kPlugin[] = "clientset/rest/testing/fake_exec_plugin";

SubprocessOptions Options(std::vector<std::string> args, std::vector<std::string> env = {}) {
  args.insert(args.begin(), "plugin");
  return {.path = kPlugin, .args = std::move(args), .env = std::move(env)};
}

size_t OpenDescriptors() {
  return static_cast<size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                                           std::filesystem::directory_iterator()));
}

// Returns whether this process has a child, running or a zombie.
bool HasChildren() {
  siginfo_t info = {};
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

void AwaitFile(const std::string& path) {
  while (!std::filesystem::exists(path)) std::this_thread::yield();
}

// The process may be a zombie that its parent, init, has not reaped yet.
bool IsGone(pid_t pid) {
  const base::MonotonicTime deadline = base::Runtime::Real().Now() + absl::Seconds(10);
  while (base::Runtime::Real().Now() < deadline) {
    if (kill(pid, 0) != 0) return true;
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    const std::string text(std::istreambuf_iterator<char>(stat), {});
    if (text.find(") Z ") != std::string::npos) return true;
    std::this_thread::yield();
  }
  return false;
}

TEST(SubprocessTest, ReturnsOutput) {
  const auto result = RunSubprocess({}, Options({"token", "NAME"}, {"NAME=a b $HOME"}));
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->exit_code, 0);
  EXPECT_THAT(std::string(result->output.Reveal()), HasSubstr(R"("token":"a b $HOME")"));
}

TEST(SubprocessTest, AppendsOutputToAFile) {
  const TestFolder folder;
  SubprocessOptions options = Options({"token", "NAME"}, {"NAME=one"});
  options.output_file = folder.Write("log", "before\n");
  const auto result = RunSubprocess({}, options);
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->output.Reveal().size(), 0u);
  EXPECT_THAT(folder.Read("log"), testing::StartsWith("before\n"));
  EXPECT_THAT(folder.Read("log"), HasSubstr(R"("token":"one")"));
}

TEST(SubprocessTest, EnvironmentIsWhatIsGiven) {
  setenv("INHERITED", "yes", 1);
  const auto result = RunSubprocess({}, Options({"token", "INHERITED"}));
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(std::string(result->output.Reveal()), HasSubstr("unset"));
}

// Libraries may have opened descriptors that are not closed on exec.
TEST(SubprocessTest, HasNoOtherDescriptors) {
  constexpr int kNumber = 77;
  ASSERT_EQ(dup2(STDERR_FILENO, kNumber), kNumber);
  SubprocessOptions options = Options({"-c", "test -e /proc/self/fd/77 && echo there"});
  options.path = "/bin/sh";
  const auto result = RunSubprocess({}, options);
  close(kNumber);
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->output.Reveal(), "");
  EXPECT_EQ(result->exit_code, 1);
}

TEST(SubprocessTest, HasNoInput) {
  const auto result = RunSubprocess({}, Options({"stdin"}));
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(std::string(result->output.Reveal()), HasSubstr("eof"));
}

TEST(SubprocessTest, InteractiveReadsOurInput) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "typed\n", 6), 6);
  const int before = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  SubprocessOptions options = Options({"stdin"});
  options.interactive = true;
  const auto result = RunSubprocess({}, options);
  dup2(before, STDIN_FILENO);
  for (const int fd : {before, ends[0], ends[1]}) close(fd);
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(std::string(result->output.Reveal()), HasSubstr("typed"));
}

TEST(SubprocessTest, SaysHowItEnded) {
  const auto failed = RunSubprocess({}, Options({"exit", "7"}));
  ASSERT_THAT(failed, IsOk());
  EXPECT_EQ(failed->exit_code, 7);
  const auto killed = RunSubprocess({}, Options({"signal"}));
  ASSERT_THAT(killed, IsOk());
  EXPECT_EQ(killed->exit_code, -1);
  EXPECT_EQ(killed->signal, SIGKILL);
}

TEST(SubprocessTest, CannotStart) {
  SubprocessOptions options = Options({});
  options.path = "/dev/null";
  EXPECT_THAT(RunSubprocess({}, options),
              StatusIs(absl::StatusCode::kUnavailable, "start: Permission denied"));
}

TEST(SubprocessTest, OutputHasALimit) {
  SubprocessOptions options = Options({"huge", "100000"});
  options.max_output_bytes = 100000;
  const auto all = RunSubprocess({}, options);
  ASSERT_THAT(all, IsOk());
  EXPECT_EQ(all->output.Reveal().size(), 100000u);
  options.max_output_bytes = 99999;
  EXPECT_THAT(RunSubprocess({}, options),
              StatusIs(absl::StatusCode::kResourceExhausted, "too much output"));
  EXPECT_FALSE(HasChildren());
}

// Go waits until all processes have closed standard output.
TEST(SubprocessTest, DoesNotWaitForWhatItLeavesRunning) {
  const auto result = RunSubprocess({}, Options({"orphan"}));
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(std::string(result->output.Reveal()), HasSubstr("from the parent"));
}

TEST(SubprocessTest, SignalsAreAsUsual) {
  // A thread that blocks SIGTERM and ignores SIGPIPE, as servers have them.
  sigset_t blocked, before;
  sigfillset(&blocked);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const TestFolder folder;
  CancelScope scope = WithCancel({});
  base::Thread canceller;
  ASSERT_THAT(canceller.Start({}, "canceller",
                              [&](const Context&) {
                                AwaitFile(folder.Path("here"));
                                scope.Cancel();
                              }),
              IsOk());
  SubprocessOptions options = Options({"hang", folder.Path("here")});
  options.grace = absl::InfiniteDuration();  // only SIGTERM ends it
  EXPECT_THAT(RunSubprocess(scope.context(), options), StatusIs(absl::StatusCode::kCancelled));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST(SubprocessTest, KillsWhatIgnoresTheEndOfItsContext) {
  const TestFolder folder;
  CancelScope scope = WithCancel({});
  base::Thread canceller;
  ASSERT_THAT(canceller.Start({}, "canceller",
                              [&](const Context&) {
                                AwaitFile(folder.Path("here"));
                                scope.Cancel();
                              }),
              IsOk());
  SubprocessOptions options = Options({"stubborn", folder.Path("here")});
  options.grace = absl::Milliseconds(50);
  EXPECT_THAT(RunSubprocess(scope.context(), options), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_FALSE(HasChildren());
}

TEST(SubprocessTest, KillsItsChildrenToo) {
  const TestFolder folder;
  CancelScope scope = WithCancel({});
  base::Thread canceller;
  ASSERT_THAT(canceller.Start({}, "canceller",
                              [&](const Context&) {
                                AwaitFile(folder.Path("child"));
                                scope.Cancel();
                              }),
              IsOk());
  EXPECT_THAT(RunSubprocess(scope.context(), Options({"family", folder.Path("child")})),
              StatusIs(absl::StatusCode::kCancelled));
  EXPECT_TRUE(IsGone(std::stoi(folder.Read("child"))));
}

// Cancels `scope` when `file` exists.
void StartCanceller(base::Thread& thread, const std::string& file, CancelScope& scope) {
  ASSERT_THAT(thread.Start({}, "canceller",
                           [file, &scope](const Context&) {
                             AwaitFile(file);
                             scope.Cancel();
                           }),
              IsOk());
}

TEST(SubprocessTest, EndsWhatHasLeftItsGroup) {
  const TestFolder folder;
  CancelScope scope = WithCancel({});
  base::Thread canceller;
  StartCanceller(canceller, folder.Path("number"), scope);
  EXPECT_THAT(RunSubprocess(scope.context(), Options({"leave", folder.Path("number")})),
              StatusIs(absl::StatusCode::kCancelled));
  EXPECT_FALSE(HasChildren());
}

TEST(SubprocessTest, WhatCannotBeEndedIsReapedLater) {
  for (const bool use_pidfd : {true, false}) {
    const TestFolder folder;
    CancelScope scope = WithCancel({});
    base::Thread canceller;
    StartCanceller(canceller, folder.Path("number"), scope);
    SubprocessOptions options = Options({"number", folder.Path("number")});
    options.grace = absl::Milliseconds(1);
    options.use_pidfd = use_pidfd;
    options.may_signal = false;
    EXPECT_THAT(RunSubprocess(scope.context(), options), StatusIs(absl::StatusCode::kCancelled));
    const pid_t pid = std::stoi(folder.Read("number"));
    EXPECT_EQ(kill(pid, 0), 0);
    EXPECT_THAT(RunSubprocess({}, Options({"exit", "0"})), IsOk());
    EXPECT_TRUE(HasChildren());
    kill(pid, SIGKILL);
    siginfo_t info = {};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT), 0);
    EXPECT_THAT(RunSubprocess({}, Options({"exit", "0"})), IsOk());
    EXPECT_FALSE(HasChildren());
  }
}

TEST(SubprocessTest, DeadlineEndsIt) {
  const TestFolder folder;
  const Context ctx = WithTimeout({}, absl::Milliseconds(20));
  EXPECT_THAT(RunSubprocess(ctx, Options({"hang", folder.Path("here")})),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_THAT(RunSubprocess(ctx, Options({"hang", folder.Path("here")})),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST(SubprocessTest, WorksWithoutPidfd) {
  SubprocessOptions options = Options({"token", "NAME"}, {"NAME=t"});
  options.use_pidfd = false;
  const auto result = RunSubprocess({}, options);
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(std::string(result->output.Reveal()), HasSubstr(R"("token":"t")"));
  const TestFolder folder;
  options.args = {"plugin", "stubborn", folder.Path("here")};
  options.grace = absl::Milliseconds(20);
  EXPECT_THAT(RunSubprocess(WithTimeout({}, absl::Milliseconds(20)), options),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  EXPECT_FALSE(HasChildren());
}

// The context is cancelled before, during and after the start: nothing is left behind.
TEST(SubprocessTest, LeavesNothingBehind) {
  const size_t descriptors = OpenDescriptors();
  const TestFolder folder;
  for (int i = 0; i < 1000; ++i) {
    const Context ctx = WithTimeout({}, absl::Microseconds(i % 20 * 100));
    const bool ends = i % 3 == 0;
    const auto result =
        RunSubprocess(ctx, ends ? Options({"exit", "0"}) : Options({"hang", folder.Path("here")}));
    if (!ends) {
      EXPECT_THAT(result, StatusIs(absl::StatusCode::kDeadlineExceeded));
    }
  }
  EXPECT_FALSE(HasChildren());
  EXPECT_EQ(OpenDescriptors(), descriptors);
}

}  // namespace
}  // namespace kube::rest
