#include "benchmarks/streaming/launched_program.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::benchmarks {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;

class LaunchedProgramTest : public testing::Test {
 protected:
  ~LaunchedProgramTest() override { close(input_); }

  absl::StatusOr<std::unique_ptr<LaunchedProgram>> Start(const std::string& script,
                                                         const std::string& shell = "/bin/sh") {
    return LaunchedProgram::Start({.launch = "tools/lib/bench/launch",
                                   .command = {shell, "-c", script},
                                   .environment = {"WORD=hello"},
                                   .input = input_});
  }

  // Reads what has been written, at most a kilobyte.
  static std::string ReadSome(const LaunchedProgram& program) {
    std::array<char, 1024> buffer;
    const ssize_t size = read(program.output(), buffer.data(), buffer.size());
    return size > 0 ? std::string(buffer.data(), static_cast<size_t>(size)) : "";
  }

  const int input_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
};

TEST_F(LaunchedProgramTest, TellsWhatTheProgramHasUsed) {
  const auto program =
      Start("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; read x || echo $WORD");
  ASSERT_THAT(program, IsOk());
  EXPECT_EQ(ReadSome(**program), "hello\n");
  const absl::StatusOr<ProgramUsage> usage = (*program)->Wait();
  ASSERT_THAT(usage, IsOk());
  EXPECT_GT(usage->cpu, absl::Milliseconds(5));
  EXPECT_GT(usage->peak_rss_bytes, 100 << 10);
  // That of a shell, and not of this test.
  EXPECT_LT(usage->peak_rss_bytes, 6 << 20);
}

TEST_F(LaunchedProgramTest, AProgramThatFails) {
  const auto program = Start("exit 3");
  ASSERT_THAT(program, IsOk());
  EXPECT_THAT((*program)->Wait(),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("exit status 3")));
}

TEST_F(LaunchedProgramTest, AProgramThatDoesNotExist) {
  EXPECT_THAT(Start("", "/nowhere"), StatusIs(absl::StatusCode::kUnavailable));
}

TEST_F(LaunchedProgramTest, Interrupts) {
  const auto program = Start("trap 'exit 0' INT; echo ready; while :; do :; done");
  ASSERT_THAT(program, IsOk());
  EXPECT_EQ(ReadSome(**program), "ready\n");
  (*program)->Interrupt();
  EXPECT_THAT((*program)->Wait(), IsOk());
}

TEST_F(LaunchedProgramTest, KillsAProgramThatIsNotAwaited) {
  const auto program = Start("echo ready; while :; do :; done");
  ASSERT_THAT(program, IsOk());
  EXPECT_EQ(ReadSome(**program), "ready\n");
}

}  // namespace
}  // namespace kube::benchmarks
