#include "tests/integration/line_program.h"

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::integration {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;

TEST(LineProgram, AnswersLines) {
  const auto program = LineProgram::Start("/bin/cat", {});
  ASSERT_THAT(program, IsOk());
  EXPECT_THAT((*program)->Ask("a b", absl::Minutes(1)), IsOkAndHolds("a b"));
  EXPECT_THAT((*program)->Ask("", absl::Minutes(1)), IsOkAndHolds(""));
}

TEST(LineProgram, SaysThatItDoesNotAnswer) {
  const auto silent = LineProgram::Start("/bin/sleep", {"600"});
  ASSERT_THAT(silent, IsOk());
  EXPECT_THAT((*silent)->Ask("a", absl::Milliseconds(1)),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
  const auto ended = LineProgram::Start("/bin/true", {});
  ASSERT_THAT(ended, IsOk());
  EXPECT_THAT((*ended)->Ask("a", absl::Minutes(1)), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(LineProgram::Start("/no/such/program", {}), StatusIs(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace kube::integration
