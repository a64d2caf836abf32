#include "apimachinery/cel/internal/macros.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/parse.h"
#include "gtest/gtest.h"

namespace kube::cel::internal {
namespace {

TEST(MacrosTest, Expansions) {
  struct Row {
    const char* text;
    const char* expanded;
  };
  for (
      const Row& row : {
          Row{"has(a.b)", "a.b~test-only~"},
          Row{"a.all(x, x)",
              "__fold__(x, a, @result, true, @not_strictly_false(@result), _&&_(@result, x), "
              "@result)"},
          Row{"a.exists(i, x, x)",
              "__fold__(i, x, a, @result, false, @not_strictly_false(!_(@result)), "
              "_||_(@result, x), @result)"},
          Row{"a.existsOne(x, x)",
              "__fold__(x, a, @result, 0, true, _?_:_(x, _+_(@result, 1), @result), "
              "_==_(@result, 1))"},
          Row{"a.map(x, f(x))", "__fold__(x, a, @result, [], true, _+_(@result, [f(x)]), @result)"},
          Row{"a.map(x, p, x)",
              "__fold__(x, a, @result, [], true, _?_:_(p, _+_(@result, [x]), @result), @result)"},
          Row{"a.filter(x, p)",
              "__fold__(x, a, @result, [], true, _?_:_(p, _+_(@result, [x]), @result), @result)"},
          Row{"a.transformList(i, x, p, x)",
              "__fold__(i, x, a, @result, [], true, _?_:_(p, _+_(@result, [x]), @result), "
              "@result)"},
          Row{"a.transformMap(k, v, v)",
              "__fold__(k, v, a, @result, {}, true, cel.@mapInsert(@result, k, v), @result)"},
          Row{"a.transformMapEntry(k, v, e)",
              "__fold__(k, v, a, @result, {}, true, cel.@mapInsert(@result, e), @result)"},
          Row{"a.optMap(x, y)",
              "_?_:_(a.hasValue(), optional.of(__fold__(#unused, [], x, a.value(), false, x, y)), "
              "optional.none())"},
          Row{"a.optFlatMap(x, y)",
              "_?_:_(a.hasValue(), __fold__(#unused, [], x, a.value(), false, x, y), "
              "optional.none())"},
          Row{"a.sortBy(x, k)",
              "__fold__(#unused, [], @__sortBy_input__, a, false, @__sortBy_input__, "
              "@__sortBy_input__.@sortByAssociatedKeys(__fold__(x, @__sortBy_input__, @result, [], "
              "true, _+_(@result, [k]), @result)))"},
      }) {
    const absl::StatusOr<Ast> ast = Parse(row.text);
    ASSERT_THAT(ast, base::IsOk()) << row.text;
    std::string shown = DebugString(*ast->root);
    EXPECT_EQ(shown, row.expanded) << row.text;
  }
}

TEST(MacrosTest, OnlyTheRightNumberOfArgumentsIsAMacro) {
  for (const absl::string_view text :
       {"all(a, b)", "a.all(b)", "a.has(b)", "has(a, b)", "a.map(b)", "a.filter(b, c, d)",
        "a.transformMap(b, c)", "a.optMap(b)"}) {
    const absl::StatusOr<Ast> ast = Parse(text);
    ASSERT_THAT(ast, base::IsOk()) << text;
    EXPECT_EQ(ast->root->kind, ExprKind::kCall) << text;
  }
}

TEST(MacrosTest, Errors) {
  struct Row {
    const char* text;
    int column;
    const char* message;
  };
  for (const Row& row : {
           Row{"has(a)", 5, "invalid argument to has() macro"},
           Row{"a.all(b.c, d)", 8, "argument must be a simple name"},
           Row{"a.all(__result__, d)", 7, "iteration variable overwrites accumulator variable"},
           Row{"a.map(1, d)", 7, "argument is not an identifier"},
           Row{"a.all(x, x, d)", 10, "duplicate variable name: x"},
           Row{"a.optMap(b(), d)", 11, "optMap() variable name must be a simple identifier"},
           Row{"1.sortBy(x, x)", 1,
               "sortBy can only be applied to a list, identifier, comprehension, call or select "
               "expression"},
       }) {
    const std::string start =
        absl::StrCat("ERROR: <input>:1:", row.column, ": ", row.message, "\n");
    EXPECT_THAT(Parse(row.text),
                base::StatusIs(absl::StatusCode::kInvalidArgument, testing::StartsWith(start)));
  }
}

}  // namespace
}  // namespace kube::cel::internal
