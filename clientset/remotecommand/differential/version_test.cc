// The older versions of the protocol, which SPDY servers of Kubernetes still speak.

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
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
using base::StatusIs;
using streaming::Pattern;
using streaming::Sha256;
using testing::HasSubstr;

constexpr absl::StatusCode kFailedPrecondition = absl::StatusCode::kFailedPrecondition;

class VersionTest : public WayTest {
 protected:
  absl::StatusOr<std::unique_ptr<Session>> StartWith(const ExecOptions& options) const {
    absl::StatusOr<std::unique_ptr<Session>> session = Start(options);
    if (session.ok()) {
      EXPECT_EQ((*session)->protocol(), GetParam().protocol);
    }
    return session;
  }

  bool IsVersion1() const { return GetParam().protocol == kProtocolV1; }
};

Way Version(const std::string& mode, absl::string_view protocol) {
  return {.name = absl::StrCat("Version", mode.substr(1)),
          .mode = mode,
          .protocol = std::string(protocol),
          .can_end_stdin = protocol != kProtocolV1};
}

INSTANTIATE_TEST_SUITE_P(Versions, VersionTest,
                         testing::Values(Version("v3", kProtocolV3), Version("v2", kProtocolV2),
                                         Version("v1", kProtocolV1)),
                         NameOfWay);

TEST_P(VersionTest, Output) {
  const auto session = StartWith({.command = {"write", "both", "300000", "5"}});
  ASSERT_THAT(session, IsOk());
  const Ended ended = RunToEnd(ctx_, **session);
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_TRUE(ended.out == Pattern(300'000, 5)) << ended.out.size();
  EXPECT_TRUE(ended.err == Pattern(300'000, 6)) << ended.err.size();
}

// Version 1 cannot tell it: its error stream is reset before the command runs.
// behaviour.md: ST-26
TEST_P(VersionTest, AFailureIsAText) {
  const auto session = StartWith({.command = {"exit", "3"}});
  ASSERT_THAT(session, IsOk());
  const Ended ended = RunToEnd(ctx_, **session);
  if (IsVersion1()) {
    EXPECT_THAT(ended.outcome, IsOk());
    return;
  }
  EXPECT_EQ(ExitCodeOf(ended.outcome), std::nullopt);
  EXPECT_THAT(ended.outcome.ToString(),
              HasSubstr("error executing remote command: command terminated with non-zero exit "
                        "code: command terminated with exit code 3"));
}

// behaviour.md: ST-8
TEST_P(VersionTest, StdinEndsFromVersion2On) {
  const auto session = StartWith({.command = {"count"}, .with_stdin = true});
  ASSERT_THAT(session, IsOk());
  const std::string input = Pattern(100'000, 1);
  ASSERT_THAT((*session)->WriteStdin(ctx_, input), IsOk());
  const absl::Status closed = (*session)->CloseStdin(ctx_);
  if (!GetParam().can_end_stdin) {
    EXPECT_THAT(closed, StatusIs(kFailedPrecondition));
    return;
  }
  ASSERT_THAT(closed, IsOk());
  const Ended ended = RunToEnd(ctx_, **session);
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out, absl::StrCat("100000 ", Sha256(input), "\n"));
}

TEST_P(VersionTest, StdinArrives) {
  const auto session = StartWith({.command = {"cat"}, .with_stdin = true});
  ASSERT_THAT(session, IsOk());
  ASSERT_THAT((*session)->WriteStdin(ctx_, "hello\n"), IsOk());
  const absl::StatusOr<std::optional<Output>> output = (*session)->Read(ctx_);
  ASSERT_THAT(output, IsOk());
  ASSERT_TRUE(output->has_value());
  EXPECT_EQ((*output)->data, "hello\n");
}

// behaviour.md: ST-8
TEST_P(VersionTest, TerminalsHaveSizesFromVersion3On) {
  const auto session = StartWith({.command = {"sizes", "2"}, .tty = true});
  ASSERT_THAT(session, IsOk());
  if (GetParam().protocol != kProtocolV3) {
    EXPECT_THAT((*session)->Resize(ctx_, {80, 24}), StatusIs(kFailedPrecondition));
    return;
  }
  ASSERT_THAT((*session)->Resize(ctx_, {80, 24}), IsOk());
  ASSERT_THAT((*session)->Resize(ctx_, {81, 25}), IsOk());
  const Ended ended = RunToEnd(ctx_, **session);
  EXPECT_THAT(ended.outcome, IsOk());
  EXPECT_EQ(ended.out, "80x24\n81x25\n");
}

}  // namespace
}  // namespace kube::remotecommand
