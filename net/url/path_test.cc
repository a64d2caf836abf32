#include "net/url/path.h"

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::url {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

TEST(PathTest, Escapes) {
  EXPECT_EQ(EscapePath("/a b/$&+,:;=@?#%é"), "/a%20b/$&+,:;=@%3F%23%25%C3%A9");
  EXPECT_EQ(EscapePath("*"), "*");
  EXPECT_EQ(EscapePath("/*"), "/%2A");
  EXPECT_THAT(UnescapePath("/a%20b%2f+"), IsOkAndHolds("/a b/+"));
  EXPECT_THAT(UnescapePath("%4").status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(PathTest, Cleans) {
  EXPECT_EQ(CleanPath("//a/./b/../../../c/"), "/c");
  EXPECT_EQ(CleanPath("a/b/.."), "/a");
  EXPECT_EQ(CleanPath(".../x"), "/.../x");
  EXPECT_EQ(CleanPath("/.."), "/");
  EXPECT_EQ(CleanPath(""), "/");
}

}  // namespace
}  // namespace kube::url
