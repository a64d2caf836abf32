#include "codegen/format.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codegen {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// clang-format itself judges whole files: see golden_test.

TEST(CommentLines, AsTheyStand) {
  EXPECT_THAT(CommentLines("", 0), IsEmpty());
  EXPECT_THAT(CommentLines(" One.\n", 0), ElementsAre(" One."));
  EXPECT_THAT(CommentLines(" One.\n\n   code;\nTwo.\n\n", 2),
              ElementsAre(" One.", "", "   code;", " Two."));
}

TEST(CommentLines, LongOnesAreBrokenAtSpaces) {
  const std::string word(30, 'w');
  EXPECT_THAT(CommentLines(absl::StrCat(" ", word, " ", word, " ", word, " end\n"), 0),
              ElementsAre(absl::StrCat(" ", word, " ", word, " ", word, " end")));
  EXPECT_THAT(CommentLines(absl::StrCat("   ", word, " ", word, " ", word, " end\n"), 2),
              ElementsAre(absl::StrCat("   ", word, " ", word, " ", word), "   end"));
  const std::string endless(150, 'x');
  EXPECT_THAT(CommentLines(absl::StrCat(" a ", endless, " b\n"), 0),
              ElementsAre(" a", absl::StrCat(" ", endless), " b"));
}

TEST(CommentLines, ColumnsAreCharacters) {
  std::string text = " ";
  for (int i = 0; i < 96; ++i) text += "\u00e9";
  EXPECT_THAT(CommentLines(text + " a", 0), ElementsAre(text, " a"));
  EXPECT_THAT(CommentLines(text + "a", 0), ElementsAre(text + "a"));
}

TEST(CommentLines, WhatWouldReachBeyondThemIsGone) {
  EXPECT_THAT(CommentLines(" path\\\n next\?\?/\n tab\there  \n \\ \\\n", 0),
              ElementsAre(" path", " next", " tab here"));
  EXPECT_THAT(CommentLines(" a\n clang-format off\n b\n", 0), ElementsAre(" a", "", " b"));
}

TEST(FitsColumns, EachLine) {
  const std::string line(100, 'x');
  EXPECT_TRUE(FitsColumns(line + "\n" + line));
  EXPECT_FALSE(FitsColumns(line + "\n" + line + "x"));
}

TEST(MemberLine, BreaksAfterTheType) {
  EXPECT_EQ(MemberLine("bool", "flag"), "  bool flag{};");
  const std::string type(40, 'T'), name(54, 'n');
  EXPECT_EQ(MemberLine(type, name), absl::StrCat("  ", type, " ", name, "{};"));
  EXPECT_EQ(MemberLine(type, name + "n"), absl::StrCat("  ", type, "\n      ", name, "n{};"));
}

TEST(ConstantLine, BreaksBeforeTheValue) {
  EXPECT_EQ(ConstantLine("kOn", "o\"n"), R"(inline constexpr ::absl::string_view kOn = "o\"n";)");
  const std::string value(60, 'v');
  EXPECT_EQ(ConstantLine("kOn", value),
            "inline constexpr ::absl::string_view kOn =\n    \"" + value + "\";");
}

TEST(StringLiteral, AnyBytes) {
  EXPECT_EQ(StringLiteral("name"), "\"name\"");
  EXPECT_EQ(StringLiteral("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(StringLiteral(std::string("\0\x06"
                                      "1\xff\?\?/",
                                      7)),
            R"("\000\0061\377\077\077/")");
}

}  // namespace
}  // namespace kube::codegen
