#include "clientset/remotecommand/terminal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/remotecommand/protocol.h"
#include "clientset/remotecommand/run.h"
#include "clientset/remotecommand/session.h"
#include "clientset/remotecommand/streams.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/io/file_descriptor.h"

namespace kube::remotecommand {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;
using testing::Optional;

constexpr absl::StatusCode kFailedPrecondition = absl::StatusCode::kFailedPrecondition;

// A terminal, and the side of its user.
class TerminalTest : public testing::Test {
 protected:
  void SetUp() override {
    user_ = io::FileDescriptor(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
    if (!user_.is_open() || ::grantpt(user_.get()) != 0 || ::unlockpt(user_.get()) != 0) {
      std::cout << "SKIPPED: there are no pseudo terminals here\n";
      GTEST_SKIP();
    }
    char name[100] = {};
    ASSERT_EQ(::ptsname_r(user_.get(), name, sizeof(name)), 0);
    terminal_ = io::FileDescriptor(::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
    ASSERT_TRUE(terminal_.is_open());
    SetSize({80, 24});
  }

  void SetSize(TerminalSize size) {
    const winsize window = {
        .ws_row = size.height, .ws_col = size.width, .ws_xpixel = 0, .ws_ypixel = 0};
    ASSERT_EQ(::ioctl(user_.get(), TIOCSWINSZ, &window), 0);
  }
  bool EchoesKeys() {
    termios mode = {};
    EXPECT_EQ(::tcgetattr(terminal_.get(), &mode), 0);
    return (mode.c_lflag & ECHO) != 0;
  }

  io::FileDescriptor user_;
  io::FileDescriptor terminal_;
};

TEST_F(TerminalTest, TellsTerminalsAndSizes) {
  EXPECT_TRUE(IsTerminal(terminal_.get()));
  EXPECT_THAT(SizeOfTerminal(terminal_.get()), IsOkAndHolds(TerminalSize{80, 24}));
  SetSize({200, 50});
  EXPECT_THAT(SizeOfTerminal(terminal_.get()), IsOkAndHolds(TerminalSize{200, 50}));
}

// behaviour.md: ST-32
TEST_F(TerminalTest, RawModeEndsWithTheObject) {
  EXPECT_TRUE(EchoesKeys());
  {
    const absl::StatusOr<RawTerminal> raw = RawTerminal::Make(terminal_.get());
    ASSERT_THAT(raw, IsOk());
    EXPECT_FALSE(EchoesKeys());
  }
  EXPECT_TRUE(EchoesKeys());
}

TEST_F(TerminalTest, RawModeMovesAndIsRestoredOnce) {
  absl::StatusOr<RawTerminal> raw = RawTerminal::Make(terminal_.get());
  ASSERT_THAT(raw, IsOk());
  RawTerminal moved = *std::move(raw);
  EXPECT_FALSE(EchoesKeys());
  moved.Restore();
  EXPECT_TRUE(EchoesKeys());
  const absl::StatusOr<RawTerminal> again = RawTerminal::Make(terminal_.get());
  ASSERT_THAT(again, IsOk());
  moved.Restore();
  EXPECT_FALSE(EchoesKeys()) << "what was restored is not restored again";
}

// behaviour.md: ST-32
TEST_F(TerminalTest, RawModePassesKeysAsBytes) {
  const absl::StatusOr<RawTerminal> raw = RawTerminal::Make(terminal_.get());
  ASSERT_THAT(raw, IsOk());
  ASSERT_EQ(::write(user_.get(), "\x03", 1), 1);  // Ctrl-C
  EXPECT_THAT(FromDescriptor(terminal_.get())(Context()), IsOkAndHolds("\x03"));
}

// behaviour.md: ST-22, ST-32
TEST_F(TerminalTest, ChangesOfTheSizeAreTold) {
  base::SimRuntime sim;
  ASSERT_THAT(sim.Run([&] {
    SizeSource sizes = TerminalSizes(terminal_.get());
    EXPECT_THAT(sizes(Context()), IsOkAndHolds(Optional(TerminalSize{80, 24})));
    EXPECT_THAT(sizes(WithTimeout(Context(), absl::Minutes(1))),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    base::Thread user;
    ASSERT_THAT(user.Start(Context(), "user",
                           [&](const Context& ctx) {
                             EXPECT_THAT(base::SleepFor(ctx, absl::Seconds(3)), IsOk());
                             SetSize({100, 30});
                           }),
                IsOk());
    EXPECT_THAT(sizes(Context()), IsOkAndHolds(Optional(TerminalSize{100, 30})));
    user.Join();
    terminal_.Close();
    EXPECT_THAT(sizes(Context()), IsOkAndHolds(std::optional<TerminalSize>()));
  }),
              IsOk());
}

// What a program does, as in the header.
absl::Status RunInRawMode(const Context& ctx, int fd, const std::unique_ptr<Session>& session,
                          Streams streams) {
  KUBE_ASSIGN_OR_RETURN(const RawTerminal raw, RawTerminal::Make(fd));
  return Run(ctx, *session, std::move(streams));
}

TEST(NoTerminalTest, IsAnError) {
  const io::FileDescriptor file(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ASSERT_TRUE(file.is_open());
  EXPECT_FALSE(IsTerminal(file.get()));
  EXPECT_THAT(SizeOfTerminal(file.get()),
              StatusIs(kFailedPrecondition, HasSubstr("get terminal size of file descriptor")));
  EXPECT_THAT(RunInRawMode(Context(), file.get(), nullptr, {}), StatusIs(kFailedPrecondition));
  EXPECT_THAT(TerminalSizes(file.get())(Context()), IsOkAndHolds(std::optional<TerminalSize>()));
}

}  // namespace
}  // namespace kube::remotecommand
