#include "apimachinery/cel/program.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/format.h"
#include "apimachinery/cel/parse.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

using base::IsOk;
using base::StatusIs;

Environment MakeEnvironment() {
  Environment environment;
  environment.AddVariable("n", IntType());
  environment.AddVariable("s", StringType());
  environment.AddVariable("list", ListType(IntType()));
  environment.AddVariable("map", MapType(StringType(), IntType()));
  environment.AddVariable("any", DynType());
  environment.AddVariable("missing", IntType());
  return environment;
}

Variables MakeVariables() {
  MapBuilder map;
  EXPECT_TRUE(map.Set(Value::FromString("a"), Value::FromInt(1)));
  EXPECT_TRUE(map.Set(Value::FromString("b"), Value::FromInt(2)));
  std::vector<Value> numbers;
  for (int64_t i = 1; i <= 5; ++i) numbers.push_back(Value::FromInt(i));
  return {{"n", Value::FromInt(7)},
          {"s", Value::FromString("text")},
          {"list", Value::FromList(std::move(numbers))},
          {"map", map.Build()},
          {"any", Value::FromInt(1)}};
}

Program::Result Evaluate(absl::string_view expression, uint64_t cost_limit = kCostLimit) {
  const absl::StatusOr<Program> program = Program::Compile(expression, MakeEnvironment());
  if (!program.ok()) return {.value = program.status(), .cost = 0};
  Context context;
  return program->Evaluate(context, MakeVariables(), cost_limit);
}

std::string Evaluated(absl::string_view expression) {
  const Program::Result result = Evaluate(expression);
  return result.value.ok() ? FormatValue(*result.value)
                           : absl::StrCat("error: ", result.value.status().message());
}

TEST(ProgramTest, Values) {
  const struct {
    const char* expression;
    const char* result;
  } kTests[] = {
      {"n + 1", "8"},
      {"missing", "error: no such attribute(s): missing"},
      {"map.a + map['b']", "3"},
      {"map.c", "error: no such key: c"},
      {"has(map.a) && !has(map.c)", "true"},
      {"has(any.x)", "false"},
      {"any.x", "error: no such key: x"},
      {"list[n]", "error: index out of bounds: 7"},
      {"(n > 3 ? map : {}).a", "1"},
      {"(n > 9 ? map : {}).a", "error: no such key: a"},
      {"map.?c.orValue(9)", "9"},
      {"list[?9].hasValue()", "false"},
      // Errors do not matter where another operand decides.
      {"1 / (n - 7) > 0 || true", "true"},
      {"false && 1 / (n - 7) > 0", "false"},
      {"1 / (n - 7) > 0 && false", "false"},
      {"1 / (n - 7) > 0 || false", "error: division by zero"},
      {"[1, 0, 2].all(x, 2 / x > 5)", "false"},
      {"[0, 1].exists(x, 2 / x > 1)", "true"},
      {"[1, 0].all(x, 2 / x > 1)", "error: division by zero"},
      {"list.exists_one(x, x > 4)", "true"},
      {"list.map(x, x * x)", "[1, 4, 9, 16, 25]"},
      {"list.map(x, x > 3, x * x)", "[16, 25]"},
      {"list.filter(x, x % 2 == 1)", "[1, 3, 5]"},
      {"list.map(x, 6 / (x - 3))", "error: division by zero"},
      {"map.map(k, map[k])", "[1, 2]"},
      {"map.filter(k, map[k] > 1)", "[\"b\"]"},
      {"list.map(x, list.filter(y, y < x).size())", "[0, 1, 2, 3, 4]"},
      {"list.all(x, list.exists(y, y == x))", "true"},
      {"any.all(x, true)", "error: got 'types.Int', expected iterable type"},
      {"any.all(i, x, true)", "error: unsupported comprehension range type: types.Int"},
      {"list.map(n, n)", "[1, 2, 3, 4, 5]"},
      {"optional.of(list.map(x, x)).optMap(l, l.map(x, x + l.size()))",
       "optional.of([6, 7, 8, 9, 10])"},
      {"{s: n}.text", "7"},
      {"dyn({'a': {'b': n}}).a.b", "7"},
      {"[[1, 2], [3]].map(l, l.map(x, x * 10))", "[[10, 20], [30]]"},
  };
  for (const auto& test : kTests)
    EXPECT_EQ(Evaluated(test.expression), test.result) << test.expression;
}

// The numbers are those of cel-go.
TEST(ProgramTest, Costs) {
  const struct {
    const char* expression;
    uint64_t cost;
  } kTests[] = {
      {"1", 0},
      {"n", 1},
      {"n + 1", 2},
      {"map.a", 2},
      {"has(map.a)", 1},
      {"list[0]", 2},
      {"list[n - 7]", 4},
      {"n == 7", 2},
      {"s == 'text'", 2},
      {"n > 1 && n < 9", 4},
      {"n > 1 || n < 9", 2},
      {"n > 1 ? n : 0", 2},
      {"[1, 2, 3]", 0},
      {"[n]", 11},
      {"{'a': n}", 31},
      {"n in [1, 2, 3]", 1},
      {"n in list", 7},
      {"'a' in map", 2},
      {"map.?c", 1},
      {"map.?a", 2},
      {"s + s", 3},
      {"size(s)", 2},
      {"type(n)", 2},
      {"list.all(x, x > 0)", 27},
      {"list.map(x, x)", 67},
      {"list.filter(x, x > 9)", 12},
      // Errors that do not matter cost, too.
      {"any.indexOf(1 / (n - 7)) == 1 || true", 6},
      {"cidr('x').containsIP(any) || true", 1},
      {"string(1 / (n - 7)).indexOf('a') == 1 || true", 6},
      {"list[1 / (n - 7)] == 1 || true", 6},
      {"map[?dyn(1 / (n - 7))].orValue(1) == 1 || true", 6},
      {"any.matches('a') || true", 2},
      {"string(1 / (n - 7)).matches('a') || true", 4},
      {"'ab'.split(string(1 / (n - 7))).join() == '' || true", 6},
  };
  for (const auto& test : kTests) {
    const Program::Result result = Evaluate(test.expression);
    ASSERT_THAT(result.value, IsOk()) << test.expression;
    EXPECT_EQ(result.cost, test.cost) << test.expression;
  }
}

TEST(ProgramTest, CostIsLimited) {
  EXPECT_THAT(Evaluate("list.all(x, x > 0)", 27).value, IsOk());
  EXPECT_THAT(Evaluate("list.all(x, x > 0)", 26).value,
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "operation cancelled: actual cost limit exceeded"));
  // Errors are absorbed, but not this one.
  EXPECT_THAT(Evaluate("list.all(x, list.all(y, x > 0)) || true", 20).value,
              StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(ProgramTest, HugeResultsAreNotBuilt) {
  for (const char* expression :
       {"lists.range(1000000000)", "lists.range(2000).map(x, lists.range(2000))"}) {
    EXPECT_THAT(Evaluate(expression).value, StatusIs(absl::StatusCode::kResourceExhausted))
        << expression;
  }
}

TEST(ProgramTest, ContextEndsTheEvaluation) {
  const absl::StatusOr<Program> program = Program::Compile("n + 1", MakeEnvironment());
  ASSERT_THAT(program, IsOk());
  Context context;
  CancelScope scope = WithCancel(context);
  scope.Cancel();
  EXPECT_THAT(program->Evaluate(scope.context(), MakeVariables()).value,
              StatusIs(absl::StatusCode::kCancelled, "operation interrupted"));
}

TEST(ProgramTest, ConstantsAreComputedBefore) {
  const Environment environment;
  EXPECT_THAT(
      Program::Compile("int('a')", environment),
      StatusIs(absl::StatusCode::kInvalidArgument, "type conversion error from 'string' to 'int'"));
  EXPECT_THAT(
      Program::Compile("'a'.find('[')", environment),
      StatusIs(absl::StatusCode::kInvalidArgument, "error parsing regexp: missing closing ]: `[`"));
  EXPECT_THAT(Program::Compile("[1][null]", environment),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ProgramTest, NeedsACompiledTree) {
  const absl::StatusOr<Ast> ast = Parse("1");
  ASSERT_THAT(ast, IsOk());
  EXPECT_THAT(Program::Make(*ast), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ProgramTest, CopiesShareTheCode) {
  const absl::StatusOr<Program> program = Program::Compile("n * 2", MakeEnvironment());
  ASSERT_THAT(program, IsOk());
  const Program copy = *program;
  EXPECT_EQ(copy.type(), IntType());
  Context context;
  EXPECT_EQ(copy.Evaluate(context, MakeVariables()).value->integer(), 14);
}

TEST(ProgramTest, DeepExpressions) {
  std::string nested = "n";
  for (int i = 0; i < 40; ++i) nested = absl::StrCat("[", nested, "].map(x, x)[0]");
  const absl::StatusOr<Program> program = Program::Compile(nested, MakeEnvironment());
  ASSERT_THAT(program, IsOk());
  Context context;
  EXPECT_EQ(program->Evaluate(context, MakeVariables()).value->integer(), 7);
}

}  // namespace
}  // namespace kube::cel
