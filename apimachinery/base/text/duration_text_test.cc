#include "apimachinery/base/text/duration_text.h"

#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube::text {
namespace {

using testing::Optional;

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

// behaviour.md: COD-5
TEST(DurationTextTest, ParseAndFormat_EachUnit_AreThoseOfGo) {
  struct Row {
    const char* name;
    const char* text;
    int64_t nanoseconds;
    const char* written;
  };
  for (const Row& row : {
           Row{"zero without unit", "0", 0, "0s"},
           Row{"negative zero", "-0", 0, "0s"},
           Row{"terms", "2h45m", 9'900'000'000'000, "2h45m0s"},
           Row{"fraction", "-1.5h", -5'400'000'000'000, "-1h30m0s"},
           Row{"no digit before the point", ".5s", 500'000'000, "500ms"},
           Row{"no digit after the point", "1.s", 1'000'000'000, "1s"},
           Row{"micro sign", "1\u00b5s", 1'000, "1\u00b5s"},
           Row{"Greek letter", "1\u03bcs", 1'000, "1\u00b5s"},
           Row{"below a nanosecond", "0.9ns", 0, "0s"},
           Row{"longest", "9223372036854775807ns", kMax, "2562047h47m16.854775807s"},
           Row{"shortest", "-9223372036854775808ns", kMin, "-2562047h47m16.854775808s"},
           Row{"wraps around", "9223372036854775808ns9223372036854775808ns", 0, "0s"},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_THAT(ParseGoDuration(row.text), Optional(row.nanoseconds));
    EXPECT_EQ(FormatGoDuration(row.nanoseconds), row.written);
  }
}

TEST(DurationTextTest, Parse_InvalidText_IsRefused) {
  for (const char* text :
       {"", "-", "1", "s", ".s", "1 s", "1S", "1d", "+-1s", "1s-1s", "9223372036854775808ns",
        "2562048h", "99999999999999999999s", "\u00b5s", "1\xb5s"}) {
    EXPECT_EQ(ParseGoDuration(text), std::nullopt) << text;
  }
}

TEST(DurationTextTest, ParseAndFormat_RandomTexts_AgreeWithGo) {
  const std::vector<std::string> samples = {"0",
                                            "1h30m0.5s",
                                            "-1.5h",
                                            "300ms",
                                            "2h45m",
                                            "+5s",
                                            "1.0000000001h",
                                            "0.1234567891234h",
                                            "3ns",
                                            "4us",
                                            "5\u00b5s",
                                            "6\u03bcs",
                                            "2562047h47m16.854775807s",
                                            "-2562047h47m16.854775808s",
                                            "9223372036854775807ns",
                                            "0.9223372036854775807h",
                                            "0.92233720368547758079999999h",
                                            "9223372036.854775807s",
                                            "9223372036854.775807ms"};
  const std::vector<std::string> pieces = {
      "h",          "m",   "s", "ms",  "us", "ns", "\u00b5s", "\u03bcs",
      ".",          "0",   "1", "9",   "-",  "+",  "5.5",     "922337203685477580",
      "3333333333", "1e3", "d", "\xc2"};
  oracle::GoCases cases("values_oracle");
  for (const std::string& text : oracle::TextMaker(3, samples, pieces).Make(20'000)) {
    const std::optional<int64_t> duration = ParseGoDuration(text);
    cases.Add("duration", text,
              duration ? absl::StrCat(*duration, " ", FormatGoDuration(*duration))
                       : oracle::GoCases::kError);
  }
  oracle::Dice dice(4);
  std::vector<int64_t> numbers = {0, 1, -1, kMin, kMax, kMin + 1, 1'000'000'000, 60'000'000'000};
  while (numbers.size() < 5000) {
    numbers.push_back(static_cast<int64_t>(dice.Next()) >> (dice.Next() % 64));
  }
  for (const int64_t number : numbers) {
    cases.Add("nanoseconds", absl::StrCat(number), FormatGoDuration(number));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::text
