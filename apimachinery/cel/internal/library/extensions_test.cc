#include "apimachinery/cel/internal/library/extensions.h"

#include "apimachinery/cel/internal/function.h"
#include "apimachinery/cel/testing/evaluated.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

struct Row {
  const char* expression;
  const char* result;
};

class ExtensionsTest : public testing::TestWithParam<Row> {};

TEST_P(ExtensionsTest, Evaluates) {
  EXPECT_EQ(Evaluated(GetParam().expression), GetParam().result) << GetParam().expression;
}

INSTANTIATE_TEST_SUITE_P(
    Strings, ExtensionsTest,
    testing::Values(
        Row{"'tacocat'.charAt(3)", "\"o\""}, Row{"'äb'.charAt(1)", "\"b\""},
        Row{"'ab'.charAt(2)", "\"\""}, Row{"'ab'.charAt(3)", "error: index out of range: 3"},
        Row{"'tacocat'.indexOf('a', 3)", "5"}, Row{"'äöü'.indexOf('ü')", "2"},
        Row{"'ab'.indexOf('c')", "-1"},
        Row{"'ab'.indexOf('a', -1)", "error: index out of range: -1"},
        Row{"'tacocat'.lastIndexOf('at')", "5"}, Row{"'tacocat'.lastIndexOf('a', 3)", "1"},
        Row{"'TacoCÆt'.lowerAscii()", "\"tacocÆt\""}, Row{"'taco'.upperAscii()", "\"TACO\""},
        Row{"'hello hello'.replace('he', 'we', 1)", "\"wello hello\""},
        Row{"'abc'.replace('', '_')", "\"_a_b_c_\""},
        Row{"'a,b,c'.split(',', 2)", "[\"a\", \"b,c\"]"}, Row{"'ab'.split('')", "[\"a\", \"b\"]"},
        Row{"'ab'.split(',', 0)", "[]"}, Row{"'tacocat'.substring(4)", "\"cat\""},
        Row{"'tacocat'.substring(0, 4)", "\"taco\""},
        Row{"'ab'.substring(2, 1)", "error: invalid substring range. start: 2, end: 1"},
        Row{"' \\u00a0a\\t'.trim()", "\"a\""}, Row{"['a', 'b'].join()", "\"ab\""},
        Row{"['a', 'b'].join('-')", "\"a-b\""},
        Row{"strings.quote('a\"\\n')", "\"\\\"a\\\\\\\"\\\\n\\\"\""},
        Row{"'%d%%'.format([3])", "\"3%\""},
        Row{"'%.2f %x'.format([dyn(1.5), dyn(255)])", "\"1.50 ff\""}));

INSTANTIATE_TEST_SUITE_P(
    Lists, ExtensionsTest,
    testing::Values(Row{"[1, 2, 3].isSorted()", "true"}, Row{"['b', 'a'].isSorted()", "false"},
                    Row{"[1, 2, 3].sum()", "6"},
                    Row{"[duration('1m'), duration('1s')].sum()", "duration(\"61s\")"},
                    Row{"[1, 3, 2].max()", "3"}, Row{"['b', 'a'].min()", "\"a\""},
                    Row{"[1].filter(x, x > 1).min()", "error: min called on empty list"},
                    Row{"[1, 2, 2].indexOf(2)", "1"}, Row{"[1, 2, 2].lastIndexOf(2)", "2"},
                    Row{"[1, 2, 3, 4].slice(1, 3)", "[2, 3]"},
                    Row{"[1].slice(0, 2)", "error: cannot slice(0, 2), list is length 1"},
                    Row{"[[1, 2], [3]].flatten()", "[1, 2, 3]"},
                    Row{"[dyn([1]), dyn([dyn([2])])].flatten(2)", "[1, 2]"},
                    Row{"[3, 1, 2].sort()", "[1, 2, 3]"},
                    Row{"['b', 'a'].sortBy(x, x)", "[\"a\", \"b\"]"},
                    Row{"[1, 2, 1].distinct()", "[1, 2]"}, Row{"lists.range(3)", "[0, 1, 2]"},
                    Row{"[1, 2].reverse()", "[2, 1]"}, Row{"sets.contains([1, 2], [2])", "true"},
                    Row{"sets.equivalent([1, 2, 2], [2, 1])", "true"},
                    Row{"sets.intersects([1], [2])", "false"}));

INSTANTIATE_TEST_SUITE_P(
    Others, ExtensionsTest,
    testing::Values(
        Row{"optional.of(1).value()", "1"}, Row{"optional.none().hasValue()", "false"},
        Row{"optional.ofNonZeroValue('')", "optional.none()"},
        Row{"optional.none().orValue(3)", "3"},
        Row{"optional.none().or(optional.of(1))", "optional.of(1)"},
        Row{"optional.of(1).optMap(x, x + 1)", "optional.of(2)"},
        Row{"optional.of(1).optFlatMap(x, optional.of(x + 1))", "optional.of(2)"},
        Row{"[1, 2].first()", "optional.of(1)"},
        Row{"[optional.of(1), optional.none()].unwrapOpt()", "[1]"},
        Row{"{'a': 1}[?'b']", "optional.none()"}, Row{"{'a': {'b': 1}}.?a.b", "optional.of(1)"},
        Row{"[1, ?optional.none(), ?optional.of(2)]", "[1, 2]"},
        Row{"{?'a': optional.none(), 'b': 1}", "{\"b\": 1}"},
        Row{"'abc 123'.find('[0-9]+')", "\"123\""},
        Row{"'1 2 3'.findAll('[0-9]', 2)", "[\"1\", \"2\"]"},
        Row{"[1, 2].transformList(i, v, i * 10 + v)", "[1, 12]"},
        Row{"[1, 2].transformMap(i, v, v * 2)", "{0: 2, 1: 4}"},
        Row{"{'a': 1}.transformMapEntry(k, v, {v: k})", "{1: \"a\"}"},
        Row{"[1, 1].transformMapEntry(i, v, {v: i})", "error: insert failed: key 1 already exists"},
        Row{"[1, 2].all(i, v, i < v)", "true"}, Row{"{'a': 1}.exists(k, v, v == 1)", "true"},
        Row{"[5, 6].exists_one(i, v, i == 1)", "true"}));

TEST(ExtensionDeclarationsTest, AreComplete) {
  Functions functions;
  AddStringExtensions(functions);
  AddListExtensions(functions);
  EXPECT_NE(functions.Find("split"), nullptr);
  EXPECT_NE(functions.Find("lists.range"), nullptr);
}

}  // namespace
}  // namespace kube::cel::internal
