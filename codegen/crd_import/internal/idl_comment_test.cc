#include "codegen/crd_import/internal/idl_comment.h"

#include <string>

#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

namespace kube::codegen::internal {
namespace {

TEST(CommentOf, Rows) {
  const struct {
    const char* name;
    std::string description;
    std::string lines;  // joined by "|"
    bool is_exact;
  } kRows[] = {
      {"nothing", "", "", true},
      {"a line", "What it is.", "What it is.", true},
      {"several", "One.\n\n  two\nthree", "One.||  two|three", true},
      {"white space", "\n \n a \t\nb  \n\n", " a|b", true},
      {"a tab within", "a\tb", "a\tb", true},
      {"the end of a comment", "a */ int x; // b", "a */ int x; // b", true},
      {"a backslash, which format.h removes in C++", "a \\\nb", "a \\|b", true},
      {"control characters", std::string("a\rb\0c\vd\x7f", 8), "a b c d", false},
      {"carriage returns at ends", "a\r\nb\r\n", "a|b", true},
      {"direction of text",
       "a\xE2\x80\xAE"
       "b\xE2\x81\xA6"
       "c",
       "abc", false},
      {"other characters of three bytes", "\xE2\x80\xA8\xE2\x82\xAC", "\xE2\x80\xA8\xE2\x82\xAC",
       true},
      {"what is not for users", "a\n---\nb", "a|- - -|b", false},
      {"nearly so", "a\n ---\n----", "a| ---|----", true},
  };
  for (const auto& row : kRows) {
    const Comment comment = CommentOf(row.description);
    EXPECT_EQ(absl::StrJoin(comment.lines, "|"), row.lines) << row.name;
    EXPECT_EQ(comment.is_exact, row.is_exact) << row.name;
  }
}

TEST(CommentOf, AMillionEmptyLines) {
  const Comment comment = CommentOf(std::string(1000000, '\n') + "a");
  EXPECT_EQ(comment.lines.size(), 1u);
}

}  // namespace
}  // namespace kube::codegen::internal
