#include "apimachinery/base/text/go_int.h"

#include <limits>

#include "gtest/gtest.h"

namespace kube::text {
namespace {

TEST(GoIntTest, Parse_SignedAndUnsigned_HasStrconvsErrors) {
  struct Row {
    const char* text;
    GoIntError error;
    int64_t value;
    GoIntError unsigned_error;
    uint64_t unsigned_value;
  };
  constexpr GoIntError kNone = GoIntError::kNone;
  constexpr GoIntError kSyntax = GoIntError::kSyntax;
  constexpr GoIntError kRange = GoIntError::kRange;
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  constexpr uint64_t kMaxUnsigned = std::numeric_limits<uint64_t>::max();
  for (const Row& row : {
           Row{"0", kNone, 0, kNone, 0},
           Row{"007", kNone, 7, kNone, 7},
           Row{"-7", kNone, -7, kSyntax, 0},
           Row{"+7", kNone, 7, kSyntax, 0},
           Row{"", kSyntax, 0, kSyntax, 0},
           Row{"-", kSyntax, 0, kSyntax, 0},
           Row{" 1", kSyntax, 0, kSyntax, 0},
           Row{"1_0", kSyntax, 0, kSyntax, 0},
           Row{"9223372036854775807", kNone, kMax, kNone, uint64_t{kMax}},
           Row{"9223372036854775808", kRange, kMax, kNone, uint64_t{kMax} + 1},
           Row{"-9223372036854775808", kNone, kMin, kSyntax, 0},
           Row{"-9223372036854775809", kRange, kMin, kSyntax, 0},
           Row{"18446744073709551616", kRange, kMax, kRange, kMaxUnsigned},
           Row{"99999999999999999999x", kRange, kMax, kRange, kMaxUnsigned},
       }) {
    SCOPED_TRACE(row.text);
    EXPECT_EQ(ParseGoInt(row.text).error, row.error);
    EXPECT_EQ(ParseGoInt(row.text).value, row.value);
    EXPECT_EQ(ParseGoUint(row.text).error, row.unsigned_error);
    EXPECT_EQ(ParseGoUint(row.text).value, row.unsigned_value);
  }
  EXPECT_EQ(GoIntErrorText("Atoi", "x\n", kSyntax),
            "strconv.Atoi: parsing \"x\\n\": invalid syntax");
  EXPECT_EQ(GoIntErrorText("ParseUint", "9", kRange),
            "strconv.ParseUint: parsing \"9\": value out of range");
}

}  // namespace
}  // namespace kube::text
