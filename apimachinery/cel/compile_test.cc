#include "apimachinery/cel/compile.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/type.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

using base::StatusIs;

TEST(CompileTest, FindsTheType) {
  Environment environment;
  environment.AddVariable("n", IntType());
  const absl::StatusOr<Ast> ast = Compile("n > 1 ? [n] : []", environment);
  ASSERT_TRUE(ast.ok()) << ast.status();
  EXPECT_TRUE(ast->checked);
  EXPECT_EQ(FormatType(*ast->root->type), "list(int)");
}

TEST(CompileTest, RefusesWithTheTextOfAnApiServer) {
  const struct {
    const char* expression;
    const char* message;
  } kTests[] = {
      {"1 +", "ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>' expecting"},
      {"x", "ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n | x\n | ^"},
      {"'a'.matches('(')",
       "ERROR: <input>:1:13: invalid matches argument\n"
       " | 'a'.matches('(')\n | ............^"},
      {"duration('1')",
       "ERROR: <input>:1:10: invalid duration argument\n"
       " | duration('1')\n | .........^"},
  };
  for (const auto& test : kTests) {
    EXPECT_THAT(Compile(test.expression, Environment()),
                StatusIs(absl::StatusCode::kInvalidArgument, testing::StartsWith(test.message)))
        << test.expression;
  }
}

}  // namespace
}  // namespace kube::cel
