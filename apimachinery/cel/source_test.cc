#include "apimachinery/cel/source.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

TEST(SourceTest, LocationsCountCodePoints) {
  const Source source("a\n\xc3\xa9\xf0\x9f\x98\x80z\n");
  struct Row {
    size_t offset;
    Location location;
  };
  for (const Row& row : {
           Row{0, {1, 0}},
           Row{1, {1, 1}},
           Row{2, {2, 0}},
           Row{4, {2, 1}},
           Row{8, {2, 2}},
           Row{10, {3, 0}},
           Row{99, {3, 0}},
       }) {
    EXPECT_EQ(source.LocationOf(row.offset).line, row.location.line) << row.offset;
    EXPECT_EQ(source.LocationOf(row.offset).column, row.location.column) << row.offset;
  }
  EXPECT_EQ(source.code_points(), 6u);
  EXPECT_EQ(source.Line(1), absl::string_view("a"));
  EXPECT_EQ(source.Line(3), absl::string_view(""));
  EXPECT_EQ(source.Line(0), std::nullopt);
  EXPECT_EQ(source.Line(4), std::nullopt);
}

TEST(SourceTest, InvalidBytesAreCodePoints) {
  const Source source("\xff\xfe+");
  EXPECT_EQ(source.text(), "\xef\xbf\xbd\xef\xbf\xbd+");
  EXPECT_EQ(source.code_points(), 3u);
  EXPECT_EQ(source.LocationOf(6).column, 2);
}

TEST(SourceTest, IssuesAreMarkedBelowTheirLine) {
  EXPECT_EQ(FormatIssues(Source("1 +\n\tx"), {{{2, 1}, "second"}, {{1, 2}, "first"}}),
            "ERROR: <input>:1:3: first\n | 1 +\n | ..^\n"
            "ERROR: <input>:2:2: second\n |  x\n | .^");
  EXPECT_EQ(FormatIssues(Source("'\xc3\xa9' \xc3\xa9"), {{{1, 4}, "wide"}}),
            "ERROR: <input>:1:5: wide\n | '\xc3\xa9' \xc3\xa9\n | .\xef\xbc\x8e..\xef\xbc\xbe");
  EXPECT_EQ(FormatIssues(Source("x"), {{{}, "nowhere"}}), "ERROR: <input>:-1:0: nowhere");
  EXPECT_EQ(FormatIssues(Source(""), {{{1, 0}, "empty"}}), "ERROR: <input>:1:1: empty");
}

TEST(SourceTest, AtMostAHundredIssuesAreShown) {
  const std::vector<Issue> issues(103, Issue{{1, 0}, "bad"});
  const std::string text = FormatIssues(Source("x"), issues);
  EXPECT_TRUE(absl::EndsWith(text, "^\n3 more errors were truncated"));
}

}  // namespace
}  // namespace kube::cel
