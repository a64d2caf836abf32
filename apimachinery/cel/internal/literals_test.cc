#include "apimachinery/cel/internal/literals.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

TEST(LiteralsTest, Strings) {
  struct Row {
    const char* literal;
    std::string text;
  };
  for (const Row& row : {
           Row{"''", ""},
           Row{"\"a\"", "a"},
           Row{"'''a'b\r\nc'''", "a'b\nc"},
           Row{"r'\\n'", "\\n"},
           Row{"R\"\"\"\\\"\"\"", "\\"},
           Row{R"('\a\b\f\n\r\t\v\\\'\"\`\?')", "\a\b\f\n\r\t\v\\'\"`?"},
           Row{R"('\x41\X7a\u00e9\U0001F600\101')",
               "Az\xc3\xa9\xf0\x9f\x98\x80"
               "A"},
           Row{R"('\xff\377')", "\xc3\xbf\xc3\xbf"},
           Row{"'\xc3\xa9'", "\xc3\xa9"},
       }) {
    EXPECT_THAT(Unquote(row.literal, /*is_bytes=*/false), IsOkAndHolds(row.text)) << row.literal;
  }
}

TEST(LiteralsTest, Bytes) {
  EXPECT_THAT(Unquote(R"('\xff\377\303')", /*is_bytes=*/true),
              IsOkAndHolds(std::string("\xff\xff\xc3")));
  EXPECT_THAT(Unquote("'\xc3\xa9'", /*is_bytes=*/true), IsOkAndHolds(std::string("\xc3\xa9")));
  EXPECT_THAT(Unquote(R"('\u00e9')", /*is_bytes=*/true),
              StatusIs(absl::StatusCode::kInvalidArgument, "unable to unescape string"));
}

TEST(LiteralsTest, StringErrors) {
  struct Row {
    const char* literal;
    const char* message;
  };
  for (const Row& row : {
           Row{R"('\q')", "unable to unescape string"},
           Row{R"('\x4')", "unable to unescape string"},
           Row{R"('\ud800')", "invalid unicode code point"},
           Row{R"('\U00110000')", "invalid unicode code point"},
           Row{R"('\18')", "unable to unescape octal sequence in string"},
           Row{"'\\", "unable to unescape string"},
       }) {
    EXPECT_THAT(Unquote(row.literal, /*is_bytes=*/false),
                StatusIs(absl::StatusCode::kInvalidArgument, row.message))
        << row.literal;
  }
}

TEST(LiteralsTest, Integers) {
  EXPECT_EQ(ParseIntLiteral("9223372036854775807", false), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(ParseIntLiteral("9223372036854775808", false), std::nullopt);
  EXPECT_EQ(ParseIntLiteral("9223372036854775808", true), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(ParseIntLiteral("0xFF", true), -255);
  EXPECT_EQ(ParseIntLiteral("0", true), 0);
  EXPECT_EQ(ParseUintLiteral("18446744073709551615u"), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(ParseUintLiteral("18446744073709551616u"), std::nullopt);
  EXPECT_EQ(ParseUintLiteral("0xfU"), 15u);
}

TEST(LiteralsTest, Doubles) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  struct Row {
    const char* text;
    std::optional<double> value;
  };
  for (const Row& row : {
           Row{"1.5", 1.5},
           Row{"-.5e1", -5.0},
           Row{"+1.", 1.0},
           Row{"1e400", std::nullopt},
           Row{"1e-400", 0.0},
           Row{"Inf", kInfinity},
           Row{"-infinity", -kInfinity},
           Row{"0x1p-2", 0.25},
           Row{"0x1", std::nullopt},
           Row{"1_000.5", 1000.5},
           Row{"1__0", std::nullopt},
           Row{"_1", std::nullopt},
           Row{"1_", std::nullopt},
           Row{"", std::nullopt},
           Row{".", std::nullopt},
           Row{" 1", std::nullopt},
           Row{"+nan", std::nullopt},
           Row{"1e", std::nullopt},
       }) {
    EXPECT_EQ(ParseGoDouble(row.text), row.value) << row.text;
  }
  EXPECT_TRUE(std::isnan(*ParseGoDouble("NaN")));
}

}  // namespace
}  // namespace kube::cel::internal
