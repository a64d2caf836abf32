#include "apimachinery/codec/yaml/yaml_utf8.h"

#include <string>

#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

TEST(YamlUtf8Test, FindsTheFirstInvalidByte) {
  EXPECT_EQ(FindInvalidUtf8(""), 0u);
  EXPECT_EQ(FindInvalidUtf8("abcdefghij"), 10u);
  EXPECT_EQ(FindInvalidUtf8("abcdefghi\xC3\xA9\xE4\xB8\xAD"), 14u);
  EXPECT_EQ(FindInvalidUtf8("abcdefghij\xC3"), 10u);
  EXPECT_EQ(FindInvalidUtf8("ab\xED\xA0\x80"), 2u);
  EXPECT_EQ(FindInvalidUtf8("\xC0\x80"), 0u);
}

TEST(YamlUtf8Test, AppendsCharacters) {
  std::string out;
  for (const char32_t rune : {U'a', U'\u00E9', U'\u4E2D', U'\U0001F600'}) AppendUtf8(out, rune);
  EXPECT_EQ(out, "a\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80");
}

}  // namespace
}  // namespace kube::codec::internal
