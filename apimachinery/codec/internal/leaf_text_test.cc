#include "apimachinery/codec/internal/leaf_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {
namespace {

using kube::table::Kind;

TEST(LeafTextTest, Quantities) {
  for (const absl::string_view text : {"0", "1", "-1.5", "100m", "1Gi", "1e3", "+5", ".5"}) {
    EXPECT_EQ(CheckQuantity(text), nullptr) << text;
  }
  for (const absl::string_view text : {"", "1X", " 1", "1 ", "1.5.5", "--1"}) {
    EXPECT_STREQ(CheckQuantity(text), "expected a quantity") << text;
  }
}

TEST(LeafTextTest, TimesAndDurations) {
  int64_t number = 0;
  char* const to = reinterpret_cast<char*>(&number);
  EXPECT_EQ(ParseTextual(Kind::kDuration, "1h30m", to), nullptr);
  EXPECT_EQ(number, int64_t{5400} * 1000000000);
  EXPECT_STREQ(ParseTextual(Kind::kDuration, "", to), "expected a duration such as 1h30m");
  EXPECT_STREQ(ParseTextual(Kind::kTime, "2020-01-01", to), "expected a time in RFC 3339 format");
  EXPECT_EQ(ParseTextual(Kind::kTime, "2020-01-01T00:00:00Z", to), nullptr);
  char micro[16] = {};
  EXPECT_EQ(ParseTextual(Kind::kMicroTime, "2020-01-01T00:00:00.000001Z", micro), nullptr);
  int64_t seconds = 0;
  std::memcpy(&seconds, micro, sizeof(seconds));
  EXPECT_EQ(seconds, number);
  EXPECT_STREQ(ParseTextual(Kind::kMicroTime, "noon", micro),
               "expected a time in RFC 3339 format, with microseconds");
}

TEST(LeafTextTest, Base64) {
  std::string bytes;
  EXPECT_TRUE(DecodeBase64Text("YWI=", bytes));
  EXPECT_EQ(bytes, "ab");
  EXPECT_TRUE(DecodeBase64Text("", bytes));
  EXPECT_EQ(bytes, "");
  EXPECT_TRUE(DecodeBase64Text("YW\r\nI=", bytes));
  EXPECT_EQ(bytes, "ab");
  EXPECT_FALSE(DecodeBase64Text("YWI", bytes));
  EXPECT_FALSE(DecodeBase64Text("*", bytes));
}

}  // namespace
}  // namespace kube::codec::internal
