#include "clientset/rest/internal/credentials/token_file.h"

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/rest/testing/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::rest::internal {
namespace {

using ::kube::base::IsOk;
using ::kube::base::IsOkAndHolds;
using ::kube::base::StatusIs;
using ::testing::HasSubstr;
using ::testing::Not;

class TokenFileTest : public ::testing::Test {
 protected:
  base::FakeClock clock_;
  const base::RuntimeScope scope_{clock_};
  const TestFolder folder_;
};

// The file is read again after a minute less ten seconds.
// behaviour.md: TR-6
TEST_F(TokenFileTest, IsReadAgainAfterFiftySeconds) {
  TokenFile file(folder_.Write("token", " one\n"), {});
  ASSERT_THAT(file.Refresh(), IsOkAndHolds(true));
  EXPECT_EQ(file.token(), base::Secret("one"));
  folder_.Write("token", "two");
  clock_.Step(absl::Seconds(50) - absl::Nanoseconds(1));
  EXPECT_THAT(file.Refresh(), IsOkAndHolds(false));
  EXPECT_EQ(file.token(), base::Secret("one"));
  clock_.Step(absl::Nanoseconds(1));
  EXPECT_THAT(file.Refresh(), IsOkAndHolds(true));
  EXPECT_EQ(file.token(), base::Secret("two"));
  clock_.Step(absl::Seconds(50));
  EXPECT_THAT(file.Refresh(), IsOkAndHolds(false));
}

// behaviour.md: TR-6
TEST_F(TokenFileTest, ErrorsKeepTheToken) {
  TokenFile file(folder_.Write("token", "one"), {});
  ASSERT_THAT(file.Refresh(), IsOk());
  folder_.Write("token", "\n");
  clock_.Step(absl::Minutes(1));
  EXPECT_THAT(file.Refresh(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("empty")));
  EXPECT_EQ(file.token(), base::Secret("one"));
  // And the next one tries again.
  folder_.Write("token", "two");
  EXPECT_THAT(file.Refresh(), IsOkAndHolds(true));
  EXPECT_EQ(file.token(), base::Secret("two"));
}

// behaviour.md: TR-6
TEST_F(TokenFileTest, InitialTokenUntilThereIsAFile) {
  TokenFile file(folder_.Path("token"), base::Secret("initial"));
  EXPECT_THAT(file.Refresh(), Not(IsOk()));
  EXPECT_EQ(file.token(), base::Secret("initial"));
  folder_.Write("token", "one");
  EXPECT_THAT(file.Refresh(), IsOkAndHolds(true));
  EXPECT_EQ(file.token(), base::Secret("one"));
}

// The same as Go's strings.TrimSpace, which also removes no-break spaces and carriage returns.
TEST_F(TokenFileTest, IsTrimmedAsGoDoes) {
  TokenFile file(folder_.Write("token", "\xC2\xA0\tone\r\n"), {});
  ASSERT_THAT(file.Refresh(), IsOkAndHolds(true));
  EXPECT_EQ(file.token(), base::Secret("one"));
  folder_.Write("token", "\xC2\xA0\n");
  EXPECT_THAT(file.Read(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("empty")));
}

TEST_F(TokenFileTest, ReadAtAnyTime) {
  TokenFile file(folder_.Write("token", "one"), {});
  ASSERT_THAT(file.Refresh(), IsOk());
  EXPECT_THAT(file.Read(), IsOkAndHolds(false));
  folder_.Write("token", "two");
  EXPECT_THAT(file.Read(), IsOkAndHolds(true));
}

TEST_F(TokenFileTest, TokenThatNoHeaderCanHave) {
  TokenFile file(folder_.Write("token", "one\nx-other: secret"), {});
  EXPECT_THAT(file.Refresh(),
              StatusIs(absl::StatusCode::kInvalidArgument, Not(HasSubstr("secret"))));
  EXPECT_TRUE(file.token().empty());
}

}  // namespace
}  // namespace kube::rest::internal
