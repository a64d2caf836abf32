#include "examples/testing/lines.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace examples {
namespace {

TEST(LineMatchesTest, ComparesText) {
  EXPECT_TRUE(LineMatches("", ""));
  EXPECT_TRUE(LineMatches("a b", "a b"));
  EXPECT_FALSE(LineMatches("a b", "a  b"));
  EXPECT_FALSE(LineMatches("a", "a b"));
  EXPECT_FALSE(LineMatches("a b", "a"));
  EXPECT_FALSE(LineMatches("", "a"));
}

TEST(LineMatchesTest, AStarIsPartOfAWord) {
  EXPECT_TRUE(LineMatches("*", "*"));
  EXPECT_TRUE(LineMatches("pod web-* on *", "pod web-5d9fb on node-0"));
  EXPECT_TRUE(LineMatches("*-*", "a-b-c"));
  EXPECT_TRUE(LineMatches("* *\tc", "a b\tc"));
  EXPECT_FALSE(LineMatches("pod web-*", "pod web-")) << "at least one character";
  EXPECT_FALSE(LineMatches("pod *", "pod a b")) << "no white space";
  EXPECT_FALSE(LineMatches("*", ""));
}

TEST(DifferenceTest, IsEmptyIfAllLinesMatch) {
  EXPECT_EQ(Difference("", ""), "");
  EXPECT_EQ(Difference("a *\nc\n", "a b\nc\n"), "");
}

TEST(DifferenceTest, ShowsWhereTheTextsDiffer) {
  EXPECT_EQ(Difference("a\nb\nc\nd\n", "a\nx\ny\nd\n"), "  a\n- b\n- c\n+ x\n+ y\n  d\n  \n");
  EXPECT_EQ(Difference("a\nb\n", "a\n"), "  a\n- b\n  \n");
  EXPECT_EQ(Difference("a\n", "a\nb\n"), "  a\n+ b\n  \n");
  EXPECT_EQ(Difference("a\n", "a"), "  a\n- \n") << "the last line feed counts";
}

}  // namespace
}  // namespace examples
