#include "apimachinery/cel/internal/library/text_search.h"

#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

constexpr size_t kNowhere = absl::string_view::npos;

TEST(TextSearchTest, Find) {
  const std::string part = "abababababababababab";  // longer than what needs no table
  const std::string text = "ab" + part + "x" + part + "ab";
  EXPECT_EQ(FindText(text, part), 0u);
  EXPECT_EQ(FindText(text, part, 1), 2u);
  EXPECT_EQ(FindText(text, part, 3), 23u);
  EXPECT_EQ(FindText(text, part, 26), kNowhere);
  EXPECT_EQ(FindText(text, part, 1'000), kNowhere);
  EXPECT_EQ(FindText(text, part + "y"), kNowhere);
  EXPECT_EQ(FindText("abc", "bc"), 1u);
  EXPECT_EQ(FindLastText(text, part, kNowhere), 25u);
  EXPECT_EQ(FindLastText(text, part, 24), 23u);
  EXPECT_EQ(FindLastText(text, part, 22), 2u);
  EXPECT_EQ(FindLastText("abcabc", "abc", 2), 0u);
  EXPECT_EQ(FindLastText("abc", "d", 2), kNowhere);
}

TEST(TextSearchTest, Runes) {
  const absl::string_view text = "a\xc3\xa9\xf0\x9f\x98\x80\xff";
  EXPECT_EQ(CountRunes(text), 4u);
  EXPECT_EQ(CountRunes(""), 0u);
  EXPECT_EQ(RuneOffset(text, 0), 0u);
  EXPECT_EQ(RuneOffset(text, 2), 3u);
  EXPECT_EQ(RuneOffset(text, 4), 8u);
  EXPECT_EQ(RuneOffset(text, 5), std::nullopt);
}

}  // namespace
}  // namespace kube::cel::internal
