#include "apimachinery/labels/internal/go_integer.h"

#include <cstdint>
#include <optional>

#include "gtest/gtest.h"

namespace kube::labels::internal {
namespace {

TEST(GoInteger, ParseGoInteger_EachText_IsThatOfStrconv) {
  EXPECT_EQ(ParseGoInteger("0"), 0);
  EXPECT_EQ(ParseGoInteger("007"), 7);
  EXPECT_EQ(ParseGoInteger("+5"), 5);
  EXPECT_EQ(ParseGoInteger("-5"), -5);
  EXPECT_EQ(ParseGoInteger("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(ParseGoInteger("-9223372036854775808"), INT64_MIN);
  for (const char* text :
       {"", "+", "-", "+-5", "-+5", "--5", " 5", "5 ", "5x", "0x5", "1_0", "9223372036854775808"}) {
    EXPECT_EQ(ParseGoInteger(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace kube::labels::internal
