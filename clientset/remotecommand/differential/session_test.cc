// Sessions with Kubernetes' own servers: many at a time, silent ones, cancelled ones, and ones
// whose connection is cut.

#include "clientset/remotecommand/session.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/remotecommand/differential/fixture.h"
#include "clientset/remotecommand/exec.h"
#include "clientset/remotecommand/streams.h"
#include "clientset/rest/client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/streaming/pattern.h"

namespace kube::remotecommand {
namespace {

using base::IsOk;
using base::StatusIs;
using oracle::Dice;
using streaming::Pattern;
using testing::AnyOf;

constexpr uint64_t kSeed = 20'261'127;

class SessionTest : public WayTest {};
INSTANTIATE_TEST_SUITE_P(Ways, SessionTest, testing::ValuesIn(AllWays()), NameOfWay);

TEST_P(SessionTest, ACancelledReadLosesNothing) {
  const absl::StatusOr<std::unique_ptr<Session>> session = Start({.command = {"flood"}});
  ASSERT_THAT(session, IsOk());
  std::string text;
  const auto read = [&](const Context& ctx) {
    absl::StatusOr<std::optional<Output>> output = (*session)->Read(ctx);
    if (output.ok() && output->has_value()) absl::StrAppend(&text, (*output)->data);
    return output.status();
  };
  CancelScope scope = WithCancel(ctx_);
  scope.Cancel();
  while (text.size() < 1'000'000) {
    // What has arrived with the last piece is returned in any case.
    absl::Status status;
    while (status.ok()) status = read(scope.context());
    ASSERT_THAT(status, StatusIs(absl::StatusCode::kCancelled));
    ASSERT_THAT(read(ctx_), IsOk());
  }
  EXPECT_TRUE(text == Pattern(text.size(), 1));
  (*session)->Close();
  EXPECT_THAT((*session)->Read(ctx_), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT((*session)->Wait(ctx_), StatusIs(absl::StatusCode::kCancelled));
}

TEST_P(SessionTest, AnotherThreadClosesIt) {
  const absl::StatusOr<std::unique_ptr<Session>> session =
      Start({.command = {"cat"}, .with_stdin = true});
  ASSERT_THAT(session, IsOk());
  base::ThreadGroup group(ctx_);
  group.Go("reader", [&](const Context& ctx) {
    const absl::Status status = (*session)->Read(ctx).status();
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kCancelled));
    return absl::OkStatus();
  });
  (*session)->Close();
  EXPECT_THAT(group.Wait(), IsOk());
}

// Longer than the time between two pings. Of the ways, one of each protocol is enough.
TEST_P(SessionTest, StaysWhileNothingHappens) {
  if (GetParam().name != "WebSocket" && GetParam().name != "Spdy") return;
  const Ended ended = Collect({.command = {"late", "6000", "0"}});
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out, "done\n");
}

constexpr int kAtOnce = 200;

TEST_P(SessionTest, ManyAtOnce) {
  base::ThreadGroup group(ctx_);
  for (int i = 0; i < kAtOnce; ++i) {
    group.Go("session", [this, i](const Context& ctx) -> absl::Status {
      KUBE_ASSIGN_OR_RETURN(const std::unique_ptr<Session> session,
                            Start({.command = {"script"}, .with_stdin = true}), "session ", i);
      const Ended ended =
          RunToEnd(ctx, *session, TextSource(absl::StrCat("out ", i, "\nerr e", i, "\nexit 0\n")));
      KUBE_RETURN_IF_ERROR(ended.outcome, "session ", i);
      if (ended.out == absl::StrCat(i, "\n") && ended.err == absl::StrCat("e", i, "\n")) {
        return absl::OkStatus();
      }
      return absl::DataLossError(absl::StrCat("session ", i, ": ", ended.out, ended.err));
    });
  }
  EXPECT_THAT(group.Wait(), IsOk());
}

// ---- Cuts

constexpr size_t kDownload = 200'000;
constexpr size_t kUpload = 100'000;

// Returns a number of bytes: small ones are the header of the answer and the beginning, the largest
// ones more than all that is sent.
size_t DrawCut(Dice& dice) {
  switch (dice.Below(4)) {
    case 0:
      return dice.Below(300);
    case 1:
      return dice.Below(6'000);
    default:
      return dice.Below(300'000);
  }
}

// Fails the test unless the command has ended well, or says that it was cut.
void CheckCut(const Ended& ended, const std::string& expected) {
  if (ended.outcome.ok()) {
    EXPECT_TRUE(ended.out == expected) << ended.out.size();
    return;
  }
  EXPECT_THAT(ended.outcome,
              StatusIs(AnyOf(absl::StatusCode::kUnavailable, absl::StatusCode::kAborted,
                             absl::StatusCode::kDataLoss)));
  EXPECT_TRUE(absl::StartsWith(expected, ended.out)) << ended.out.size();
}

class CutTest : public WayTest {
 protected:
  // Runs a command over connections that are cut after this many bytes.
  Ended RunCut(size_t bytes, ExecOptions options, StdinSource source = {}) const {
    options.transport = GetParam().transport;
    const rest::Client client = node().ClientFor(GetParam().mode, bytes);
    // A session that is not noticed to be cut would wait for a minute.
    const Context ctx = WithTimeout(ctx_, absl::Seconds(30));
    const absl::StatusOr<std::unique_ptr<Session>> session =
        StartExec(ctx, client, {"default", "web-0"}, options);
    if (!session.ok()) return {.outcome = session.status()};
    return RunToEnd(ctx, **session, std::move(source));
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, CutTest, testing::ValuesIn(AllWays()), NameOfWay);

TEST_P(CutTest, Downloads) {
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed);
  const std::string expected = Pattern(kDownload, 3);
  int cut = 0;
  for (int i = 0; i < 40; ++i) {
    const size_t bytes = DrawCut(dice);
    SCOPED_TRACE(bytes);
    const Ended ended =
        RunCut(bytes, {.command = {"write", "stdout", absl::StrCat(kDownload), "3"}});
    CheckCut(ended, expected);
    if (!ended.outcome.ok()) ++cut;
    if (bytes < kDownload) {
      EXPECT_FALSE(ended.outcome.ok());
    }
  }
  EXPECT_GT(cut, 10);
  EXPECT_LT(cut, 40);
}

TEST_P(CutTest, BothDirections) {
  if (!GetParam().can_end_stdin) return;
  SCOPED_TRACE(kSeed);
  Dice dice(kSeed + 1);
  const std::string input = Pattern(kUpload, 4);
  for (int i = 0; i < 40; ++i) {
    const size_t bytes = DrawCut(dice);
    SCOPED_TRACE(bytes);
    const Ended ended = RunCut(bytes, {.command = {"cat"}, .with_stdin = true}, TextSource(input));
    CheckCut(ended, input);
    if (bytes < 2 * kUpload) {
      EXPECT_FALSE(ended.outcome.ok());
    }
  }
}

}  // namespace
}  // namespace kube::remotecommand
