#include "apimachinery/validation/internal/scan.h"

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::validation::internal {
namespace {

TEST(Scan, Sets) {
  constexpr absl::string_view kOthers("\0 \"#<>?@[\\]^`{|}\x7f\x80\xff", 19);
  for (const char c : kOthers) EXPECT_FALSE(IsIn(c, 0xFF)) << static_cast<int>(c);
  int known = 0;
  for (int c = 0; c < 256; ++c) known += IsIn(static_cast<char>(c), 0xFF);
  EXPECT_EQ(known, 26 + 26 + 10 + 3 + 15);
  EXPECT_TRUE(IsIn(',', kReason));
  EXPECT_TRUE(IsIn(',', kHttpPath));
  EXPECT_FALSE(IsIn(';', kReason));
}

TEST(Scan, AllIn) {
  EXPECT_TRUE(AllIn("", kLower));
  EXPECT_TRUE(AllIn("az", kLower));
  EXPECT_FALSE(AllIn("aZ", kLower));
}

TEST(Scan, Words) {
  const auto is_word = [](absl::string_view text) {
    return IsWord(text, kLower, kLowerAlnum | kDash, kLowerAlnum);
  };
  for (const char* text : {"a", "a1", "a-1", "a--b"}) EXPECT_TRUE(is_word(text)) << text;
  for (const char* text : {"", "1", "-", "a-", "a_b", "1a"}) EXPECT_FALSE(is_word(text)) << text;
}

}  // namespace
}  // namespace kube::validation::internal
