#include "apiserver/validation/policy_compiler.h"

#include <string>

#include "absl/status/statusor.h"
#include "apimachinery/cel/program.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string ErrorOf(const absl::StatusOr<cel::Program>& program) {
  return program.ok() ? "" : std::string(program.status().message());
}

PolicyCompiler MakeCompiler(bool params, bool variables) {
  const PolicyCompiler::Options options = {.params = params, .variables = variables};
  return PolicyCompiler(options);
}

TEST(PolicyCompiler, KnowsWhatExpressionsAreFor) {
  struct Row {
    const char* name;
    PolicyExpression purpose;
    const char* expression;
    const char* error;
  };
  const PolicyCompiler compiler = MakeCompiler(/*params=*/true, /*variables=*/true);
  for (const Row& row : {
           Row{"a validation", PolicyExpression::kValidation, "object.a == params.b", ""},
           Row{"a validation that is no bool", PolicyExpression::kValidation, "1",
               "must evaluate to bool but got int"},
           Row{"a condition", PolicyExpression::kMatchCondition,
               "authorizer.path('/').check('get').allowed()", ""},
           Row{"a message", PolicyExpression::kMessage, "'a'", ""},
           Row{"a message that is no string", PolicyExpression::kMessage, "1",
               "must evaluate to string but got int"},
           Row{"an annotation", PolicyExpression::kAuditAnnotation, "'a'", ""},
           Row{"no annotation", PolicyExpression::kAuditAnnotation, "null", ""},
           Row{"an annotation that is no string", PolicyExpression::kAuditAnnotation, "1",
               "must evaluate to one of [string null_type] but got int"},
           Row{"a configuration", PolicyExpression::kApplyConfiguration,
               "Object{metadata: Object.metadata{labels: {'a': object.b}}}", ""},
           Row{"a configuration that is none", PolicyExpression::kApplyConfiguration,
               "Object.spec{}", "must evaluate to Object but got Object.spec"},
           Row{"a patch", PolicyExpression::kJsonPatch,
               "[JSONPatch{op: 'add', path: '/a/' + jsonpatch.escapeKey('b/c'), "
               "value: Object.a{}}]",
               ""},
           Row{"a patch that is no list", PolicyExpression::kJsonPatch, "JSONPatch{op: 'add'}",
               "must evaluate to list(JSONPatch) but got JSONPatch"},
       }) {
    EXPECT_EQ(ErrorOf(compiler.Compile(row.purpose, row.expression)), row.error) << row.name;
  }
}

TEST(PolicyCompiler, KnowsWhichVariablesThereAre) {
  const PolicyCompiler all = MakeCompiler(/*params=*/true, /*variables=*/true);
  const PolicyCompiler none = MakeCompiler(/*params=*/false, /*variables=*/false);
  EXPECT_THAT(ErrorOf(none.Compile(PolicyExpression::kValidation, "params.a == 1")),
              HasSubstr("undeclared reference to 'params'"));
  EXPECT_THAT(ErrorOf(none.Compile(PolicyExpression::kValidation, "variables.a == 1")),
              HasSubstr("undeclared reference to 'variables'"));
  EXPECT_THAT(ErrorOf(all.Compile(PolicyExpression::kMatchCondition, "variables.a == 1")),
              HasSubstr("undeclared reference to 'variables'"));
  EXPECT_THAT(ErrorOf(all.Compile(PolicyExpression::kMessage, "authorizer == null ? 'a' : 'b'")),
              HasSubstr("undeclared reference to 'authorizer'"));
}

TEST(PolicyCompiler, OnlyMutationsMakeObjects) {
  PolicyCompiler compiler = MakeCompiler(/*params=*/false, /*variables=*/true);
  EXPECT_THAT(ErrorOf(compiler.Compile(PolicyExpression::kValidation, "Object{} == Object{}")),
              HasSubstr("undeclared reference to 'Object'"));
  EXPECT_THAT(ErrorOf(compiler.AddVariable("a", "Object{}")),
              HasSubstr("undeclared reference to 'Object'"));
  EXPECT_EQ(ErrorOf(compiler.AddVariable("b", "1")), "");
  EXPECT_EQ(ErrorOf(compiler.Compile(PolicyExpression::kApplyConfiguration,
                                     "Object{spec: Object.spec{replicas: variables.b}}")),
            "");
}

TEST(PolicyCompiler, VariablesHaveTypes) {
  PolicyCompiler compiler = MakeCompiler(/*params=*/false, /*variables=*/true);
  EXPECT_THAT(ErrorOf(compiler.Compile(PolicyExpression::kValidation, "variables.a == 1")),
              StartsWith("compilation failed: ERROR: <input>:1:10: undefined field 'a'"));
  EXPECT_EQ(ErrorOf(compiler.AddVariable("a", "1 + 1")), "");
  EXPECT_EQ(ErrorOf(compiler.AddVariable("b", "[variables.a]")), "");
  EXPECT_EQ(ErrorOf(compiler.Compile(PolicyExpression::kValidation, "variables.b[0] == 2")), "");
  EXPECT_THAT(ErrorOf(compiler.Compile(PolicyExpression::kValidation, "variables.a == 'x'")),
              HasSubstr("found no matching overload for '_==_' applied to '(int, string)'"));
  // One that does not compile could be anything.
  EXPECT_THAT(ErrorOf(compiler.AddVariable("c", "none")), HasSubstr("undeclared reference"));
  EXPECT_EQ(ErrorOf(compiler.Compile(PolicyExpression::kValidation, "variables.c == 'x'")), "");
}

}  // namespace
}  // namespace kube::apiserver::internal
