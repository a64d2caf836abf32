#include "apimachinery/codec/yaml/yaml_key_order.h"

#include <cstddef>

#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

TEST(YamlKeyLessTest, OrdersAsGo) {
  const char* const ascending[] = {"",   "-",   "0",        "00",          "1",    "01",    "2",
                                   "10", "100", "A",        "A1",          "A1.5", "A1.10", "A01",
                                   "A2", "A10", "AB",       "a",           "a-1",  "a-b",   "a1b",
                                   "aa", "b",   "\xC3\xA9", "\xE4\xB8\xAD"};
  for (size_t i = 0; i + 1 < sizeof(ascending) / sizeof(ascending[0]); ++i) {
    EXPECT_TRUE(YamlKeyLess(ascending[i], ascending[i + 1])) << ascending[i];
    EXPECT_FALSE(YamlKeyLess(ascending[i + 1], ascending[i])) << ascending[i];
    EXPECT_FALSE(YamlKeyLess(ascending[i], ascending[i])) << ascending[i];
  }
}

TEST(YamlKeyLessTest, GoesInCircles) {
  EXPECT_TRUE(YamlKeyLess("12300-", "1B"));
  EXPECT_TRUE(YamlKeyLess("1B", "59"));
  EXPECT_TRUE(YamlKeyLess("59", "12300-"));
}

TEST(YamlKeyLessTest, ComparesWholeCharacters) {
  // They differ in the last byte: U+4E2D and U+4E2C are letters; U+00B7 is not.
  EXPECT_TRUE(YamlKeyLess("\xE4\xB8\xAC", "\xE4\xB8\xAD"));
  EXPECT_TRUE(YamlKeyLess("\xC2\xB7", "\xC2\xB5"));
}

}  // namespace
}  // namespace kube::codec::internal
