#include "apimachinery/base/text/go_text.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/text/utf8.h"
#include "gtest/gtest.h"

namespace kube::text {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::string JsonString(absl::string_view text) {
  std::string out;
  AppendJsonString(out, text);
  return out;
}

// Not UTF-8: a stray byte, a sequence cut short by "(" and by the end of the text, a surrogate, an
// overlong form, a code point beyond the last.
constexpr absl::string_view kInvalid = "\xff\xc3(\xed\xa0\x80\xc0\x80\xf4\x90\x80\x80\xe4\xb8";

// The results of strconv.Quote.
TEST(Quoted, AnyText_EqualsStrconvQuote) {
  const struct {
    const char* name;
    absl::string_view text;
    const char* want;
  } kRows[] = {
      {"empty", "", R"("")"},
      {"plain", "plain", R"("plain")"},
      {"quotes and backslashes", "a \"b\" \\c", R"("a \"b\" \\c")"},
      {"controls", absl::string_view("\a\b\f\n\r\t\v\0\x1f\x7f", 10),
       R"("\a\b\f\n\r\t\v\x00\x1f\x7f")"},
      {"printable", "caf\u00e9 \u4e16\U0001F600", "\"caf\u00e9 \u4e16\U0001F600\""},
      {"spaces and format characters", "\u00a0\u200b\u2028\ufeff\u00ad",
       R"("\u00a0\u200b\u2028\ufeff\u00ad")"},
      {"not UTF-8", kInvalid, R"("\xff\xc3(\xed\xa0\x80\xc0\x80\xf4\x90\x80\x80\xe4\xb8")"},
      {"a real replacement character", "\ufffd", "\"\ufffd\""},
      {"high format character and the last", "\U000e0001\U0010ffff", R"("\U000e0001\U0010ffff")"},
      {"unassigned, combining", "\u0378\u0300", "\"\\u0378\u0300\""},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Quoted(row.text), row.want);
    std::string appended = "=";
    AppendQuoted(appended, row.text);
    EXPECT_EQ(appended, std::string("=") + row.want);
  }
}

TEST(AppendJsonString, AsZap) {
  const struct {
    const char* name;
    absl::string_view text;
    const char* want;
  } kRows[] = {
      {"empty", "", R"("")"},
      {"quotes and backslashes", "a \"b\" \\c", R"("a \"b\" \\c")"},
      {"controls", absl::string_view("\a\b\f\n\r\t\v\0\x1f\x7f", 10),
       "\"\\u0007\\u0008\\u000c\\n\\r\\t\\u000b\\u0000\\u001f\x7f\""},
      {"other scripts, HTML and separators stay", "\u4e16\U0001F600<&>\u2028\ufffd",
       "\"\u4e16\U0001F600<&>\u2028\ufffd\""},
      {"not UTF-8", "a\xff\xc3(", R"("a\ufffd\ufffd(")"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(JsonString(row.text), row.want);
  }
}

TEST(AppendStandardJsonString, AsEncodingJson) {
  std::string text;
  AppendStandardJsonString(
      text, absl::string_view("\a\b\f\n\r\t\v\0\x1f\x7f <&>\"\\\u2028\u2029\u4e16\xff", 26));
  EXPECT_EQ(
      text,
      "\"\\u0007\\b\\f\\n\\r\\t\\u000b\\u0000\\u001f\x7f <&>\\\"\\\\\\u2028\\u2029\u4e16\\ufffd\"");
}

// The results of strconv.FormatFloat and encoding/json.
TEST(FormatDouble, AsGo) {
  const struct {
    double value;
    const char* fixed;
    const char* general;
    const char* json;
  } kRows[] = {
      {0, "0", "0", "0"},
      {-0.0, "-0", "-0", "-0"},
      {1, "1", "1", "1"},
      {-1.5, "-1.5", "-1.5", "-1.5"},
      {0.1, "0.1", "0.1", "0.1"},
      {100, "100", "100", "100"},
      {999999, "999999", "999999", "999999"},
      {1e6, "1000000", "1e+06", "1000000"},
      {123456789, "123456789", "1.23456789e+08", "123456789"},
      {1e20, "100000000000000000000", "1e+20", "100000000000000000000"},
      {1e21, "1000000000000000000000", "1e+21", "1e+21"},
      {590295810358705651712.0, "590295810358705700000", "5.902958103587057e+20",
       "590295810358705700000"},
      {0.0001, "0.0001", "0.0001", "0.0001"},
      {0.00001, "0.00001", "1e-05", "0.00001"},
      {1e-6, "0.000001", "1e-06", "0.000001"},
      {1e-7, "0.0000001", "1e-07", "1e-7"},
      {-1.5e-10, "-0.00000000015", "-1.5e-10", "-1.5e-10"},
      {1.0 / 3, "0.3333333333333333", "0.3333333333333333", "0.3333333333333333"},
      {9007199254740993.0, "9007199254740992", "9.007199254740992e+15", "9007199254740992"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.general);
    EXPECT_EQ(FormatFixed(row.value), row.fixed);
    EXPECT_EQ(FormatGeneral(row.value), row.general);
    EXPECT_EQ(FormatJson(row.value), row.json);
  }
  const double max = std::numeric_limits<double>::max();
  EXPECT_EQ(FormatFixed(max), "17976931348623157" + std::string(292, '0'));
  EXPECT_EQ(FormatGeneral(max), "1.7976931348623157e+308");
  EXPECT_EQ(FormatJson(max), "1.7976931348623157e+308");
  const double min = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(FormatFixed(min), "0." + std::string(323, '0') + "5");
  EXPECT_EQ(FormatGeneral(min), "5e-324");
}

TEST(FormatDouble, FormatDouble_NotFinite_IsInfOrNaN) {
  for (std::string (*format)(double) : {&FormatFixed, &FormatGeneral}) {
    EXPECT_EQ(format(kInf), "+Inf");
    EXPECT_EQ(format(-kInf), "-Inf");
    EXPECT_EQ(format(std::numeric_limits<double>::quiet_NaN()), "NaN");
  }
}

// The results of time.Duration.
TEST(GoDuration, AsGo) {
  const struct {
    absl::Duration duration;
    const char* want;
  } kRows[] = {
      {absl::ZeroDuration(), "0s"},
      {absl::Nanoseconds(1), "1ns"},
      {absl::Nanoseconds(999), "999ns"},
      {absl::Nanoseconds(1000), "1\u00b5s"},
      {absl::Nanoseconds(1500), "1.5\u00b5s"},
      {absl::Milliseconds(1), "1ms"},
      {absl::Microseconds(1500), "1.5ms"},
      {absl::Nanoseconds(999999999), "999.999999ms"},
      {absl::Milliseconds(100), "100ms"},
      {absl::Seconds(1), "1s"},
      {absl::Seconds(10), "10s"},
      {absl::Milliseconds(1500), "1.5s"},
      {absl::Minutes(1), "1m0s"},
      {absl::Seconds(61) + absl::Nanoseconds(1), "1m1.000000001s"},
      {absl::Hours(1), "1h0m0s"},
      {absl::Hours(25) + absl::Minutes(30) + absl::Milliseconds(1500), "25h30m1.5s"},
      {-absl::Seconds(1), "-1s"},
      {-absl::Nanoseconds(1), "-1ns"},
      {absl::Nanoseconds(std::numeric_limits<int64_t>::min()), "-2562047h47m16.854775808s"},
      {absl::Nanoseconds(std::numeric_limits<int64_t>::max()), "2562047h47m16.854775807s"},
      {absl::InfiniteDuration(), "inf"},
      {-absl::InfiniteDuration(), "-inf"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(GoDuration(row.duration), row.want);
  }
}

}  // namespace
}  // namespace kube::text
