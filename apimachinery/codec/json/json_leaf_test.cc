#include "apimachinery/codec/json/json_leaf.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "tests/dice.h"

namespace kube::codec::internal {
namespace {

template <typename T>
struct Read {
  std::string error;  // "" for none
  T value{};
  size_t size = 0;
};

template <typename T>
Read<T> ReadWith(Scanned (*scan)(const char*, T&), absl::string_view text) {
  const PaddedBuffer buffer(text);
  Read<T> read;
  const Scanned scanned = scan(buffer.data(), read.value);
  if (scanned.after == nullptr) {
    read.error = scanned.error;
  } else {
    read.size = static_cast<size_t>(scanned.after - buffer.data());
  }
  return read;
}

TEST(JsonLeafTest, Booleans) {
  EXPECT_TRUE(ReadWith(ScanBool, "true,").value);
  EXPECT_EQ(ReadWith(ScanBool, "true,").size, 4u);
  EXPECT_EQ(ReadWith(ScanBool, "false}").size, 5u);
  EXPECT_FALSE(ReadWith(ScanBool, "false").value);
  for (const absl::string_view text : {"", "t", "tru", "True", "FALSE", "fals", "1", "null"}) {
    EXPECT_EQ(ReadWith(ScanBool, text).error, "expected true or false") << text;
  }
}

TEST(JsonLeafTest, Integers) {
  struct Row {
    absl::string_view text;
    int64_t want;
  };
  const Row rows[] = {
      {"0", 0},
      {"-0", 0},
      {"7", 7},
      {"-12", -12},
      {"2147483647", INT32_MAX},
      {"-2147483648", INT32_MIN},
      {"2147483648", int64_t{INT32_MAX} + 1},
      {"-2147483649", int64_t{INT32_MIN} - 1},
      {"9223372036854775807", INT64_MAX},
      {"-9223372036854775808", INT64_MIN},
      {"1000000000000000000", 1000000000000000000},
  };
  for (const Row& row : rows) {
    const Read<int64_t> wide = ReadWith(ScanInt64, row.text);
    EXPECT_EQ(wide.error, "") << row.text;
    EXPECT_EQ(wide.value, row.want);
    EXPECT_EQ(wide.size, row.text.size());
    const Read<int32_t> narrow = ReadWith(ScanInt32, row.text);
    if (row.want >= INT32_MIN && row.want <= INT32_MAX) {
      EXPECT_EQ(narrow.error, "") << row.text;
      EXPECT_EQ(narrow.value, row.want);
    } else {
      EXPECT_EQ(narrow.error, "integer is out of range of 32 bits") << row.text;
    }
  }
}

TEST(JsonLeafTest, NoIntegers) {
  struct Row {
    absl::string_view text;
    absl::string_view error;
  };
  const Row rows[] = {
      {"", "expected an integer"},
      {"-", "expected an integer"},
      {"+1", "expected an integer"},
      {"x", "expected an integer"},
      {"1.0", "expected an integer"},
      {"1.", "expected an integer"},
      {"1e2", "expected an integer"},
      {"1E2", "expected an integer"},
      {"01", "leading zeros are not allowed"},
      {"-01", "leading zeros are not allowed"},
      {"00", "leading zeros are not allowed"},
      {"9223372036854775808", "integer is out of range of 64 bits"},
      {"-9223372036854775809", "integer is out of range of 64 bits"},
      {"18446744073709551616", "integer is out of range of 64 bits"},
      {"36893488147419103232", "integer is out of range of 64 bits"},
      {"100000000000000000000000000000000000000", "integer is out of range of 64 bits"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ReadWith(ScanInt64, row.text).error, std::string(row.error)) << row.text;
  }
}

TEST(JsonLeafTest, IntegersEndAtAnythingElse) {
  for (const absl::string_view more : {",", "}", "]", " ", "x", "-", "\""}) {
    EXPECT_EQ(ReadWith(ScanInt64, absl::StrCat("12", more)).size, 2u) << more;
  }
}

TEST(JsonLeafTest, Doubles) {
  struct Row {
    absl::string_view text;
    double want;
  };
  const double least = std::numeric_limits<double>::denorm_min();
  const Row rows[] = {
      {"0", 0},
      {"1", 1},
      {"-1.5", -1.5},
      {"1e3", 1000},
      {"1E+3", 1000},
      {"25e-1", 2.5},
      {"0.1", 0.1},
      {"1.7976931348623157e308", std::numeric_limits<double>::max()},
      {"1.7976931348623158e308", std::numeric_limits<double>::max()},
      {"5e-324", least},
      {"4.9e-324", least},
      {"2.2250738585072011e-308", 2.2250738585072011e-308},
      {"9007199254740993", 9007199254740992},
      // Too small: zero.
      {"1e-400", 0},
      {"1e-99999999999999999999", 0},
      {"0.0000001e-330", 0},
      {"0e99999999999999999999", 0},
      {"0.000e400", 0},
      // Large exponents that the digits compensate.
      {"0.00000000000000000000000000000000000000000000000001e350", 1e300},
      {"100000000000000000000000000000000000000000000000000e-350", 1e-300},
  };
  for (const Row& row : rows) {
    const Read<double> read = ReadWith(ScanDouble, row.text);
    EXPECT_EQ(read.error, "") << row.text;
    EXPECT_EQ(read.value, row.want) << row.text;
    EXPECT_EQ(read.size, row.text.size()) << row.text;
  }
  for (const absl::string_view text : {"-0", "-0.0", "-0e5", "-1e-400"}) {
    const Read<double> read = ReadWith(ScanDouble, text);
    EXPECT_EQ(read.error, "") << text;
    EXPECT_TRUE(read.value == 0 && std::signbit(read.value)) << text;
  }
}

TEST(JsonLeafTest, NoDoubles) {
  struct Row {
    absl::string_view text;
    absl::string_view error;
  };
  const Row rows[] = {
      {"", "expected a number"},
      {"-", "expected a number"},
      {".5", "expected a number"},
      {"+1", "expected a number"},
      {"NaN", "expected a number"},
      {"Infinity", "expected a number"},
      {"1.", "expected digits after the decimal point"},
      {"1.e5", "expected digits after the decimal point"},
      {"1e", "expected digits in the exponent"},
      {"1e+", "expected digits in the exponent"},
      {"1e400", "number is out of range"},
      {"-1e400", "number is out of range"},
      {"1.8e308", "number is out of range"},
      {"0.001e99999999999999999999", "number is out of range"},
      {"1e99999999999999999999999999999999999999", "number is out of range"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ReadWith(ScanDouble, row.text).error, std::string(row.error)) << row.text;
  }
  // Digits after a leading zero: the caller handles the rest.
  EXPECT_EQ(ReadWith(ScanDouble, "01").size, 1u);
}

TEST(JsonLeafTest, LocalesDoNotMatter) {
  const char* const had = std::setlocale(LC_NUMERIC, nullptr);
  const std::string before = had;
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_NUMERIC, locale) == nullptr) continue;
    EXPECT_EQ(ReadWith(ScanDouble, "1.5").value, 1.5);
    EXPECT_EQ(ReadWith(ScanDouble, "1.5e400").error, "number is out of range");
  }
  std::setlocale(LC_NUMERIC, before.c_str());
}

TEST(JsonLeafTest, DoublesOfAllSizesComeBack) {
  constexpr uint32_t kSeed = 20260103;
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  oracle::Dice dice(kSeed);
  for (int i = 0; i < 100000; ++i) {
    const uint64_t bits = dice.Next();
    double want = 0;
    std::memcpy(&want, &bits, sizeof(want));
    if (!std::isfinite(want)) continue;
    const std::string text = absl::StrFormat("%.17g", want);
    ASSERT_EQ(ReadWith(ScanDouble, text).value, want) << text;
  }
}

TEST(JsonLeafTest, ListsOfBytes) {
  struct Row {
    absl::string_view text;
    absl::string_view error;
    std::string want;
  };
  const Row rows[] = {
      {"[]", "", ""},
      {"[ ]", "", ""},
      {"[1]", "", "\x01"},
      {"[ 97 , 255 ]", "", "a\xff"},
      {"[null,98]", "", "xb"},
      {"[97,null,null]", "", std::string("ay\0", 3)},
      {"[256]", "expected a byte", ""},
      {"[-1]", "expected a byte", ""},
      {"[1.5]", "expected an integer", ""},
      {"[\"a\"]", "expected an integer", ""},
      {"[1,]", "expected an integer", ""},
      {"[,1]", "expected an integer", ""},
      {"[1 2]", "expected ',' or ']' after an element", ""},
      {"[1", "expected ',' or ']' after an element", ""},
      {"[", "expected an integer", ""},
      {"[nul]", "expected an integer", ""},
  };
  for (const Row& row : rows) {
    const PaddedBuffer buffer(row.text);
    std::string bytes = "xy";
    const Scanned scanned = ScanByteList(buffer.data(), bytes);
    EXPECT_EQ(scanned.error == nullptr ? "" : absl::string_view(scanned.error), row.error)
        << row.text;
    if (!row.error.empty()) continue;
    EXPECT_EQ(bytes, row.want) << row.text;
    EXPECT_EQ(scanned.after, buffer.data() + buffer.size());
  }
}

std::string Unescaped(absl::string_view raw) {
  std::string out;
  const char* error = AppendUnescaped(raw, out);
  return error == nullptr ? out : absl::StrCat("error: ", error);
}

TEST(JsonLeafTest, Escapes) {
  struct Row {
    absl::string_view raw;
    absl::string_view want;
  };
  const Row rows[] = {
      {"", ""},
      {"plain", "plain"},
      {R"(\"\\\/\b\f\n\r\t)", "\"\\/\b\f\n\r\t"},
      {R"(a\nb)", "a\nb"},
      {R"(\u0041\u00e9\u20ac)", "A\u00e9\u20ac"},
      {R"(\u00E9\u20AC)", "\u00e9\u20ac"},
      {R"(\u07ff\u0800\uffff)", "\u07ff\u0800\uffff"},
      {R"(\ud83d\ude00)", "\U0001F600"},
      {R"(\ud800\udc00)", "\U00010000"},
      {R"(\udbff\udfff)", "\U0010FFFF"},
      // Lone, in the wrong order, or before something else.
      {R"(\ud83d)", "\ufffd"},
      {R"(\ude00)", "\ufffd"},
      {R"(\ude00\ud83d)", "\ufffd\ufffd"},
      {R"(\ud83d\ud83d\ude00)", "\ufffd\U0001F600"},
      {R"(\ud83dx)", "\ufffdx"},
      {R"(\ud83d\n)", "\ufffd\n"},
      {R"(\ud83d\u0041)", "\ufffdA"},
      // Bytes that are not valid UTF-8, one at a time.
      {"\xff", "\ufffd"},
      {"\xc3", "\ufffd"},
      {"\xc3\\u00e9", "\ufffd\u00e9"},
      {"\xe2\x82", "\ufffd\ufffd"},
      {"\xed\xa0\x80", "\ufffd\ufffd\ufffd"},
      {"\xf4\x90\x80\x80", "\ufffd\ufffd\ufffd\ufffd"},
      {"\xc0\x80", "\ufffd\ufffd"},
      {R"(\)", "error: unterminated escape in a string"},
      {R"(\q)", "error: unknown escape in a string"},
      {R"(\')", "error: unknown escape in a string"},
      {R"(\U0041)", "error: unknown escape in a string"},
      {R"(\u)", "error: expected four hexadecimal digits after \\u"},
      {R"(\u004)", "error: expected four hexadecimal digits after \\u"},
      {R"(\u00g1)", "error: expected four hexadecimal digits after \\u"},
      {R"(\ud83d\u12)", "error: expected four hexadecimal digits after \\u"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Unescaped(row.raw), std::string(row.want)) << row.raw;
  }
  EXPECT_EQ(Unescaped("a\\u0000b"), std::string("a\0b", 3));
}

}  // namespace
}  // namespace kube::codec::internal
