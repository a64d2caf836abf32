#include "apimachinery/types/int_or_string.h"

#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/opt.h"
#include "apimachinery/types/string.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"

namespace kube {
namespace {

static_assert(std::is_standard_layout_v<IntOrString>);
static_assert(std::is_convertible_v<int, IntOrString> &&
              std::is_convertible_v<uint16_t, IntOrString>);
static_assert(!std::is_convertible_v<int64_t, IntOrString>);
static_assert(!std::is_convertible_v<uint32_t, IntOrString>);
static_assert(!std::is_convertible_v<bool, IntOrString>);
static_assert(!std::is_convertible_v<char, IntOrString>);

TEST(IntOrStringTest, NumberOrText) {
  struct Row {
    const char* name;
    IntOrString value;
    bool is_int;
    int64_t int_value;
    const char* text;
    const char* printed;
  };
  for (const Row& row : {
           Row{"zero value", {}, true, 0, "", "0"},
           Row{"number", 8080, true, 8080, "", "8080"},
           Row{"negative", -1, true, -1, "", "-1"},
           Row{"zero", 0, true, 0, "", "0"},
           Row{"text", "http", false, 0, "http", "http"},
           Row{"long text", std::string(20, 'x'), false, 0, "xxxxxxxxxxxxxxxxxxxx",
               "xxxxxxxxxxxxxxxxxxxx"},
           Row{"percentage", String("25%"), false, 0, "25%", "25%"},
           Row{"digits", "8080", false, 8080, "8080", "8080"},
           Row{"parsed number", IntOrString::Parse("8080"), true, 8080, "", "8080"},
           Row{"parsed text", IntOrString::Parse("2147483648"), false, 2147483648, "2147483648",
               "2147483648"},
       }) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(row.value.is_int(), row.is_int);
    EXPECT_EQ(row.value.is_string(), !row.is_int);
    EXPECT_EQ(row.value.IntValue(), row.int_value);
    EXPECT_EQ(row.value.text(), row.text);
    EXPECT_EQ(row.value.ToString(), row.printed);
    std::ostringstream out;
    out << row.value;
    EXPECT_EQ(out.str(), row.printed);
  }
}

// The examples of the header, and other typical uses.
TEST(IntOrStringTest, InContainers) {
  struct Port {
    int32_t port = 0;
    IntOrString target_port = {};
    Opt<IntOrString> max_surge = {};
  };
  const Port port{.port = 80, .target_port = 8080, .max_surge = "25%"};
  EXPECT_EQ(port.target_port, 8080);
  EXPECT_EQ(port.max_surge, IntOrString("25%"));
  const List<IntOrString> ports = {80, "http", port.target_port};
  EXPECT_EQ(ports, (List<IntOrString>{80, "http", 8080}));
  EXPECT_NE(ports, (List<IntOrString>{80, "http", "8080"}));
}

TEST(IntOrStringTest, EqualityLooksAtBothParts) {
  using Access = internal::IntOrStringAccess;
  const std::vector<IntOrString> values = {{},
                                           1,
                                           "1",
                                           "",
                                           Access::Make(IntOrString::Type::kInt, 1, "1"),
                                           Access::Make(IntOrString::Type::kString, 1, "1"),
                                           Access::Make(static_cast<IntOrString::Type>(7), 1, {})};
  for (size_t i = 0; i < values.size(); ++i) {
    for (size_t j = 0; j < values.size(); ++j) EXPECT_EQ(values[i] == values[j], i == j);
  }
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(values));
  EXPECT_EQ(Access::Int(values[5]), 1);
  EXPECT_EQ(Access::Text(values[4]), "1");
  EXPECT_EQ(values[4].text(), "");
  EXPECT_TRUE(values[6].is_int());
}

TEST(IntOrStringTest, Go) {
  oracle::TextMaker maker(
      31,
      {"", "0", "8080", "-1", "+5", "25%", "http", "2147483647", "2147483648", "-2147483648",
       "9223372036854775807", "-9223372036854775808", "99999999999999999999", "007"},
      {"0", "1", "-", "+", " ", "_", "x", "9223372036854775807", "2147483648", "e", ".", "\xff"});
  oracle::GoCases cases("values_oracle");
  for (const std::string& text : maker.Make(5000)) {
    const IntOrString parsed = IntOrString::Parse(text);
    cases.Add("int_or_text", text,
              absl::StrCat(static_cast<int32_t>(parsed.type()), " ",
                           internal::IntOrStringAccess::Int(parsed), " ",
                           oracle::Hex(parsed.ToString()), " ", IntOrString(text).IntValue()));
  }
  cases.Check();
}

}  // namespace
}  // namespace kube
