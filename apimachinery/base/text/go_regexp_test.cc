#include "apimachinery/base/text/go_regexp.h"

#include "gtest/gtest.h"

namespace kube::text {
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
  EXPECT_EQ(GoRegexp("a+{1001}").error(), "error parsing regexp: invalid repeat count: `{1001}`");
  EXPECT_EQ(GoRegexp("a{1001}?").error(), "error parsing regexp: invalid repeat count: `{1001}`");
  EXPECT_EQ(GoRegexp("(?P<?(?<(?=]}").error(),
            "error parsing regexp: invalid named capture: `(?P<?(?<(?=]}`");
  EXPECT_EQ(GoRegexp("a+{3,2}").error(), "error parsing regexp: invalid repeat count: `{3,2}`");
  EXPECT_EQ(GoRegexp("a+{2,3}").error(),
            "error parsing regexp: invalid nested repetition operator: `+{2,3}`");
  EXPECT_EQ(GoRegexp("\\C").error(), "error parsing regexp: invalid escape sequence: `\\C`");
  EXPECT_FALSE(GoRegexp("a(").Matches("a"));
}

}  // namespace
}  // namespace kube::text
