// Stdin against Kubernetes' own servers: its end, its size, and commands that do not read it.

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/remotecommand/differential/fixture.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/session.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/streaming/pattern.h"

namespace kube::remotecommand {
namespace {

using base::IsOk;
using base::StatusIs;
using streaming::Pattern;
using streaming::Sha256;
using testing::AnyOf;

class StdinTest : public WayTest {
 protected:
  // Reads this many bytes of stdout, or less if the session ends.
  std::string ReadBytes(Session& session, size_t bytes) const {
    std::string text;
    while (text.size() < bytes) {
      const absl::StatusOr<std::optional<Output>> output = session.Read(ctx_);
      EXPECT_THAT(output, IsOk());
      if (!output.ok() || !output->has_value()) break;
      absl::StrAppend(&text, (*output)->data);
    }
    return text;
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, StdinTest, testing::ValuesIn(AllWays()), NameOfWay);

// Around the size of the messages in which it is sent.
constexpr size_t kSizes[] = {0, 1, 32'767, 32'768, 32'769, 65'536, 200'000};

TEST_P(StdinTest, ArrivesWhole) {
  for (const size_t size : kSizes) {
    SCOPED_TRACE(size);
    const std::string input = Pattern(size, size);
    const absl::StatusOr<std::unique_ptr<Session>> session =
        Start({.command = {"cat"}, .with_stdin = true});
    ASSERT_THAT(session, IsOk());
    ASSERT_THAT((*session)->WriteStdin(ctx_, input), IsOk());
    EXPECT_TRUE(ReadBytes(**session, size) == input);
  }
}

TEST_P(StdinTest, EndsAlone) {
  const absl::StatusOr<std::unique_ptr<Session>> session =
      Start({.command = {"count"}, .with_stdin = true});
  ASSERT_THAT(session, IsOk());
  const std::string input = Pattern(100'000, 1);
  ASSERT_THAT((*session)->WriteStdin(ctx_, input), IsOk());
  const absl::Status closed = (*session)->CloseStdin(ctx_);
  if (!GetParam().can_end_stdin) {
    EXPECT_THAT(closed, StatusIs(absl::StatusCode::kFailedPrecondition));
    return;
  }
  ASSERT_THAT(closed, IsOk());
  EXPECT_THAT((*session)->WriteStdin(ctx_, "more"),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  const Ended ended = RunToEnd(ctx_, **session);
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out, absl::StrCat("100000 ", Sha256(input), "\n"));
}

TEST_P(StdinTest, IsEmpty) {
  if (!GetParam().can_end_stdin) return;
  const absl::StatusOr<std::unique_ptr<Session>> session =
      Start({.command = {"count"}, .with_stdin = true});
  ASSERT_THAT(session, IsOk());
  const Ended ended = RunToEnd(ctx_, **session, TextSource(""));
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out, absl::StrCat("0 ", Sha256(""), "\n"));
}

TEST_P(StdinTest, IsStillOpenWhenTheCommandEnds) {
  const absl::StatusOr<std::unique_ptr<Session>> session =
      Start({.command = {"exit", "0"}, .with_stdin = true});
  ASSERT_THAT(session, IsOk());
  EXPECT_THAT((*session)->Wait(ctx_), IsOk());
  EXPECT_THAT((*session)->WriteStdin(ctx_, "late"),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_P(StdinTest, IsNotReadByTheCommand) {
  const absl::StatusOr<std::unique_ptr<Session>> session =
      Start({.command = {"deaf", "100"}, .with_stdin = true});
  ASSERT_THAT(session, IsOk());
  ASSERT_THAT((*session)->WriteStdin(ctx_, std::string(1000, 'x')), IsOk());
  const Ended ended = RunToEnd(ctx_, **session);
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out, "woke up\n");
}

// When the container runtime closes a connection with stdin that nobody has read, the proxies of
// Kubernetes may drop what it has written last. So the outcome may be lost, but nothing hangs.
TEST_P(StdinTest, FillsEveryBufferOnTheWay) {
  const absl::StatusOr<std::unique_ptr<Session>> session =
      Start({.command = {"deaf", "500"}, .with_stdin = true});
  ASSERT_THAT(session, IsOk());
  std::atomic<size_t> written = 0;
  const Ended ended =
      RunToEnd(ctx_, **session, [&written](const Context&) -> absl::StatusOr<std::string> {
        written += 32'768;
        return std::string(32'768, 'x');
      });
  EXPECT_THAT(ended.outcome, StatusIs(AnyOf(absl::StatusCode::kOk, absl::StatusCode::kUnavailable,
                                            absl::StatusCode::kAborted)));
  EXPECT_GT(written.load(), size_t{65'536});
}

constexpr size_t kLarge = size_t{32} << 20;

TEST_P(StdinTest, ALargeDownload) {
  const Ended ended = Collect({.command = {"write", "stdout", absl::StrCat(kLarge), "7"}});
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out.size(), kLarge);
  EXPECT_EQ(Sha256(ended.out), Sha256(Pattern(kLarge, 7)));
}

TEST_P(StdinTest, ALargeUpload) {
  if (!GetParam().can_end_stdin) return;
  const absl::StatusOr<std::unique_ptr<Session>> session =
      Start({.command = {"count"}, .with_stdin = true});
  ASSERT_THAT(session, IsOk());
  const std::string input = Pattern(kLarge, 8);
  const Ended ended = RunToEnd(ctx_, **session, TextSource(input));
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out, absl::StrCat(kLarge, " ", Sha256(input), "\n"));
}

TEST_P(StdinTest, LargeDataInBothDirections) {
  if (!GetParam().can_end_stdin) return;
  const absl::StatusOr<std::unique_ptr<Session>> session =
      Start({.command = {"cat"}, .with_stdin = true});
  ASSERT_THAT(session, IsOk());
  const std::string input = Pattern(kLarge / 4, 9);
  const Ended ended = RunToEnd(ctx_, **session, TextSource(input));
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(Sha256(ended.out), Sha256(input));
}

}  // namespace
}  // namespace kube::remotecommand
