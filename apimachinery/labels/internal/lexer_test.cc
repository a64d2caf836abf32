#include "apimachinery/labels/internal/lexer.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace kube::labels::internal {
namespace {

// "TYPE:text" of each token.
std::string Dump(absl::string_view text) {
  std::string out;
  for (const Token& token : Tokenize(text)) {
    absl::StrAppend(&out, out.empty() ? "" : " ", static_cast<int>(token.type), ":", token.text);
  }
  return out;
}

TEST(Lexer, Tokenize_EachToken_HasItsTypeAndText) {
  EXPECT_EQ(Dump(""), "0:");
  EXPECT_EQ(Dump(" \t\r\n"), "0:");
  EXPECT_EQ(Dump("a in(b,notin)"), "1:a 2:in 10:( 1:b 12:, 3:notin 11:) 0:");
  EXPECT_EQ(Dump("a===b!=!c><"), "1:a 6:== 5:= 1:b 7:!= 4:! 1:c 8:> 9:< 0:");
}

TEST(Lexer, Tokenize_ZeroByte_EndsATokenOrTheText) {
  EXPECT_EQ(Dump(absl::string_view("a\0b", 3)), "1:a 1:b 0:");
  EXPECT_EQ(Dump(absl::string_view("=\0=", 3)), "5:= 5:= 0:");
  EXPECT_EQ(Dump(absl::string_view("a \0b", 4)), "1:a 0:");
}

}  // namespace
}  // namespace kube::labels::internal
