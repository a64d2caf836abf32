#include "apimachinery/cel/internal/library/standard_library.h"

#include "apimachinery/cel/internal/function.h"
#include "apimachinery/cel/testing/evaluated.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

struct Row {
  const char* expression;
  const char* result;
};

class StandardLibraryTest : public testing::TestWithParam<Row> {};

TEST_P(StandardLibraryTest, Evaluates) {
  EXPECT_EQ(Evaluated(GetParam().expression), GetParam().result) << GetParam().expression;
}

INSTANTIATE_TEST_SUITE_P(
    Operators, StandardLibraryTest,
    testing::Values(
        Row{"1 + 2 * 3 - 4 / 2 % 3", "5"}, Row{"7u / 2u", "3u"}, Row{"1.5 * 2.0", "3.0"},
        Row{"-7 / 2", "-3"}, Row{"-7 % 2", "-1"}, Row{"'a' + 'b'", "\"ab\""},
        Row{"b'a' + b'b'", "b\"\\141\\142\""}, Row{"[1] + [2]", "[1, 2]"},
        Row{"9223372036854775807 + 1", "error: integer overflow"},
        Row{"-9223372036854775808 - 1", "error: integer overflow"},
        Row{"-(-9223372036854775807 - 1)", "error: integer overflow"},
        Row{"9223372036854775807 * 2", "error: integer overflow"},
        Row{"1u - 2u", "error: unsigned integer overflow"}, Row{"1 / 0", "error: division by zero"},
        Row{"1 % 0", "error: modulus by zero"}, Row{"1.0 / 0.0", "double(\"Infinity\")"},
        Row{"!true", "false"}, Row{"1 < 1.5 && 2u > 1 && 1.0 <= 1u", "true"},
        Row{"'a' < 'b'", "true"}, Row{"b'a' >= b'b'", "false"},
        Row{"duration('1s') < duration('2s')", "true"},
        Row{"timestamp('2020-01-01T00:00:00Z') > timestamp('2019-01-01T00:00:00Z')", "true"},
        Row{"1 == dyn(1.0)", "true"}, Row{"[1] == [1, 2]", "false"},
        Row{"{'a': 1} == {'a': 1}", "true"}, Row{"dyn(1) == 'a'", "false"},
        Row{"dyn(1) != 'a'", "true"}, Row{"null == null", "true"}, Row{"2 in [1, 2]", "true"},
        Row{"3 in [1, 2]", "false"}, Row{"1 in []", "false"}, Row{"'a' in {'a': 1}", "true"},
        Row{"dyn(2.0) in [1, 2]", "true"}, Row{"dyn('x') + dyn(1)", "error: no such overload"},
        Row{"[1, 2][1]", "2"}, Row{"[1, 2][2]", "error: index out of bounds: 2"},
        Row{"[1][dyn(1.5)]", "error: unsupported index value 1.5 in list"},
        Row{"[1][dyn('a')]", "error: unsupported index type 'string' in list"},
        Row{"{'a': 1}['b']", "error: no such key: b"}, Row{"{1: 'x'}[dyn(1.0)]", "\"x\""},
        Row{"true ? 1 : 2", "1"}, Row{"dyn(1) ? 1 : 2", "error: no such overload"}));

INSTANTIATE_TEST_SUITE_P(
    Conversions, StandardLibraryTest,
    testing::Values(
        Row{"int('-12')", "-12"}, Row{"int(3.9)", "3"}, Row{"int(5u)", "5"},
        Row{"int(timestamp('1970-01-01T00:01:00Z'))", "60"},
        Row{"int(dyn(1e19))", "refused: integer overflow"}, Row{"uint(3)", "3u"},
        Row{"uint([-1][0])", "error: unsigned integer overflow"}, Row{"double('1e3')", "1000.0"},
        Row{"double(1)", "1.0"}, Row{"string(1.5)", "\"1.5\""}, Row{"string(true)", "\"true\""},
        Row{"string(b'abc')", "\"abc\""}, Row{"string(duration('90s'))", "\"90s\""},
        Row{"string(timestamp('2020-01-02T03:04:05+01:00'))", "\"2020-01-02T03:04:05+01:00\""},
        Row{"bytes('ab')", "b\"\\141\\142\""}, Row{"bool('TRUE')", "true"},
        Row{"bool(dyn('maybe'))", "refused: type conversion error from 'string' to 'bool'"},
        Row{"string([b'\\xff'][0])", "error: invalid UTF-8 in bytes, cannot convert to string"},
        Row{"type(1)", "int"}, Row{"type([])", "list"}, Row{"type(type(1))", "type"},
        Row{"type(null) == null_type", "true"}, Row{"type(1u) == uint", "true"},
        Row{"type(duration('1s')) == google.protobuf.Duration", "true"},
        Row{"duration('1h') == duration('60m')", "true"},
        Row{"timestamp(0)", "timestamp(\"1970-01-01T00:00:00Z\")"}));

INSTANTIATE_TEST_SUITE_P(
    Functions, StandardLibraryTest,
    testing::Values(
        Row{"size('äö')", "2"}, Row{"size(b'äö')", "4"}, Row{"[1, 2].size()", "2"},
        Row{"size({'a': 1})", "1"}, Row{"'abc'.contains('bc')", "true"},
        Row{"'abc'.startsWith('b')", "false"}, Row{"'abc'.endsWith('')", "true"},
        Row{"'abc'.matches('^a.c$')", "true"}, Row{"matches('abc', 'b')", "true"},
        Row{"'abc'.matches(dyn('('))", "refused: error parsing regexp: missing closing ): `(`"},
        Row{"timestamp('2020-02-29T12:34:56.789Z').getFullYear()", "2020"},
        Row{"timestamp('2020-02-29T12:34:56.789Z').getMonth()", "1"},
        Row{"timestamp('2020-02-29T12:34:56.789Z').getDate()", "29"},
        Row{"timestamp('2020-02-29T12:34:56.789Z').getDayOfMonth()", "28"},
        Row{"timestamp('2020-02-29T12:34:56.789Z').getDayOfWeek()", "6"},
        Row{"timestamp('2020-02-29T12:34:56.789Z').getDayOfYear()", "59"},
        Row{"timestamp('2020-02-29T12:34:56.789Z').getHours('+02:30')", "15"},
        Row{"timestamp('2020-02-29T12:34:56.789Z').getMilliseconds()", "789"},
        Row{"duration('3730s').getHours()", "1"}, Row{"duration('3730s').getMinutes()", "62"},
        Row{"duration('1500ms').getMilliseconds()", "1500"},
        Row{"timestamp('2020-01-01T00:00:00Z') + duration('1h') ",
            "timestamp(\"2020-01-01T01:00:00Z\")"},
        Row{"timestamp('2020-01-01T00:00:00Z') - timestamp('2019-12-31T23:59:59Z')",
            "duration(\"1s\")"},
        Row{"timestamp('9999-12-31T23:59:59Z') + duration('1s')", "error: timestamp overflow"}));

TEST(StandardLibraryDeclarationsTest, EveryFunctionHasOverloads) {
  Functions functions;
  AddStandardLibrary(functions);
  for (const char* name : {"_+_", "_==_", "size", "int", "matches", "getHours"}) {
    ASSERT_NE(functions.Find(name), nullptr) << name;
    EXPECT_FALSE(functions.Find(name)->overloads.empty()) << name;
  }
}

}  // namespace
}  // namespace kube::cel::internal
