#include "apimachinery/cel/internal/library/string_format.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

// Returns the text, or the message of the error.
std::string Format(const char* format, std::vector<Value> arguments) {
  const Value text = FormatText(format, Value::FromList(std::move(arguments)));
  return text.is_error() ? text.error() : std::string(text.text());
}

TEST(StringFormatTest, Clauses) {
  MapBuilder map;
  ASSERT_TRUE(map.Set(Value::FromString("b"), Value::FromInt(1)));
  ASSERT_TRUE(map.Set(Value::FromString("a"), Value()));
  EXPECT_EQ(Format("%s", {Value::FromString("a")}), "a");
  EXPECT_EQ(Format("%s %s", {Value::FromBool(true), Value()}), "true null");
  EXPECT_EQ(Format("%s", {map.Build()}), "{\"a\":null, \"b\":1}");
  EXPECT_EQ(Format("%s", {Value::FromList({Value::FromString("a"), Value::FromDouble(1.5)})}),
            "[\"a\", 1.500000]");
  EXPECT_EQ(Format("%s", {Value::FromDuration(1'500'000'000)}), "1.5s");
  EXPECT_EQ(Format("%s", {Value::FromType(IntType())}), "int");
  EXPECT_EQ(Format("%d %d", {Value::FromInt(-5), Value::FromUint(5)}), "-5 5");
  EXPECT_EQ(Format("%.3f", {Value::FromDouble(12345.6789)}), "12,345.679");
  EXPECT_EQ(Format("%f", {Value::FromString("NaN")}), "NaN");
  EXPECT_EQ(Format("%f %e", {Value::FromDouble(-0.0), Value::FromDouble(-0.0)}),
            "0.000000 0.000000×10⁰⁰");
  EXPECT_EQ(Format("%.2e", {Value::FromDouble(-1052.032911275)}), "-1.052033×10⁰³");
  EXPECT_EQ(Format("%.17e", {Value::FromDouble(1e-300)}), "  1.000000×10⁻³⁰⁰");
  EXPECT_EQ(Format("%e", {Value::FromString("-Infinity")}), "    -∞");
  EXPECT_EQ(Format("%b %b", {Value::FromInt(-5), Value::FromBool(true)}), "-101 1");
  EXPECT_EQ(Format("%x %X", {Value::FromInt(255), Value::FromString("kl")}), "ff 6B6C");
  EXPECT_EQ(Format("%o%%", {Value::FromInt(8)}), "10%");
}

TEST(StringFormatTest, Defects) {
  EXPECT_EQ(Format("%s", {}), "index 0 out of range");
  EXPECT_EQ(Format("%", {Value()}), "unexpected end of string");
  EXPECT_EQ(Format("%d", {Value::FromString("a")}),
            "error during formatting: decimal clause can only be used on integers, was given "
            "string");
  EXPECT_EQ(Format("%.", {Value::FromDouble(1)}),
            "could not parse formatting clause: error while parsing precision: could not find end "
            "of precision specifier");
}

TEST(StringFormatTest, ArgumentsMayComeFromElsewhere) {
  const auto letter = [](const FormatClause& clause, size_t index) -> absl::StatusOr<std::string> {
    if (clause.verb == 'o') return WrongArgument(clause.verb, "letter");
    return std::string(1, static_cast<char>('a' + index));
  };
  EXPECT_THAT(Interpolate("%s-%d", 2, letter), IsOkAndHolds("a-b"));
  EXPECT_THAT(Interpolate("%o", 1, letter),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "error during formatting: octal clause can only be used on integers, was "
                       "given letter"));
}

}  // namespace
}  // namespace kube::cel::internal
