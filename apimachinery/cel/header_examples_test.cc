// The examples of the public headers.
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/compile.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/parse.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/cel/rules.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apimachinery/validation/field_path.h"
#include "gtest/gtest.h"

namespace kube::cel {
namespace {

using base::IsOkAndHolds;
using validation::field::Path;

absl::StatusOr<std::string> ParseExample() {
  KUBE_ASSIGN_OR_RETURN(Ast ast, Parse("self.replicas <= self.max"));
  return DebugString(*ast.root);
}

absl::StatusOr<std::string> CompileExample() {
  Environment environment;
  environment.AddVariable("limit", IntType());
  environment.AddVariable("labels", MapType(StringType(), StringType()));
  environment.AddVariable("ports", MapType(StringType(), ListType(IntType())));
  environment.AddVariable("self", DynType());
  KUBE_ASSIGN_OR_RETURN(Ast ast, Compile("self.replicas <= limit", environment));
  return FormatType(*ast.root->type);
}

absl::StatusOr<bool> ProgramExample(const Context& ctx, const unstructured::Value& object) {
  Environment environment;
  environment.AddVariable("self", MapType(StringType(), IntType()));
  KUBE_ASSIGN_OR_RETURN(const Program program,
                        Program::Compile("self.all(k, self[k] < 10)", environment));
  const Program::Result result = program.Evaluate(ctx, {{"self", ToValue(object)}});
  KUBE_RETURN_IF_ERROR(result.value);
  return result.value->IsTrue();
}

absl::StatusOr<bool> ValueExample(const Context& ctx) {
  Environment environment;
  environment.AddVariable("limit", IntType());
  KUBE_ASSIGN_OR_RETURN(const Program program, Program::Compile("limit > 3", environment));
  Variables variables;
  variables.emplace("limit", Value::FromInt(5));
  KUBE_ASSIGN_OR_RETURN(const Value result, program.Evaluate(ctx, variables).value);
  const bool holds = result.kind() == ValueKind::kBool && result.boolean();
  return holds;
}

absl::StatusOr<size_t> RulesExample(const Context& ctx, const SchemaPtr& schema,
                                    const unstructured::Value& spec) {
  KUBE_ASSIGN_OR_RETURN(const RuleSet rules,
                        RuleSet::Compile({{.rule = "self.min <= self.max"}}, schema));
  KUBE_ASSIGN_OR_RETURN(const RuleSet::Outcome outcome,
                        rules.Evaluate(ctx, Path("spec"), spec, nullptr, kObjectCostLimit));
  return outcome.errors.size();
}

TEST(HeaderExamplesTest, Run) {
  Context context;
  EXPECT_THAT(ParseExample(), IsOkAndHolds("_<=_(self.replicas, self.max)"));
  EXPECT_THAT(CompileExample(), IsOkAndHolds("bool"));
  EXPECT_THAT(ProgramExample(context, unstructured::ParseJson(R"({"a": 1, "b": 20})").value()),
              IsOkAndHolds(false));
  EXPECT_THAT(ValueExample(context), IsOkAndHolds(true));
  Schema schema;
  schema.kind = SchemaKind::kObject;
  for (const char* name : {"min", "max"}) {
    schema.properties.emplace(name,
                              std::make_shared<const Schema>(Schema{.kind = SchemaKind::kInteger}));
  }
  EXPECT_THAT(RulesExample(context, std::make_shared<const Schema>(std::move(schema)),
                           unstructured::ParseJson(R"({"min": 2, "max": 1})").value()),
              IsOkAndHolds(1u));
}

}  // namespace
}  // namespace kube::cel
