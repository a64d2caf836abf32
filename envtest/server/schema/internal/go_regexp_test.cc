#include "envtest/server/schema/internal/go_regexp.h"

#include "gtest/gtest.h"

namespace kube::envtest::crd_schema::internal {
namespace {

TEST(GoRegexpTest, MatchesAnywhere) {
  EXPECT_TRUE(GoRegexp("b").Matches("abc"));
  EXPECT_FALSE(GoRegexp("^b").Matches("abc"));
}

TEST(GoRegexpTest, NamedGroupsOfGo) {
  EXPECT_TRUE(GoRegexp("(?<first>a)b").Matches("ab"));
  EXPECT_TRUE(GoRegexp("[(?<x>]").Matches("<"));
  EXPECT_TRUE(GoRegexp("\\Q(?<\\E").Matches("(?<"));
}

TEST(GoRegexpTest, ErrorsInGosWords) {
  EXPECT_EQ(GoRegexp("a(").error(), "error parsing regexp: missing closing ): `a(`");
  EXPECT_EQ(GoRegexp("\\C").error(), "error parsing regexp: invalid escape sequence: `\\C`");
  EXPECT_FALSE(GoRegexp("a(").Matches("a"));
}

}  // namespace
}  // namespace kube::envtest::crd_schema::internal
