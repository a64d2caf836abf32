#include "apiserver/policies/policy_evaluation.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/cel/value.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apiserver/policies/policy_set.h"
#include "apiserver/validation/policy_compiler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using unstructured::Value;

// Costs more than one expression may.
constexpr char kDear[] = "lists.range(1000).all(x, lists.range(1000).all(y, x + y >= 0))";
constexpr char kOutOfBudget[] =
    "validation failed due to running out of cost budget, no further validation rules will be run";

// A policy, and the messages of its denials for the object {"x": 1}.
class World {
 public:
  World() : compiler_(PolicyCompiler::Options{.params = true, .variables = true}) {}

  World& Variable(absl::string_view name, absl::string_view expression) {
    policy_.variables.push_back(
        {.name = std::string(name),
         .expression = {.text = std::string(expression),
                        .program = compiler_.AddVariable(name, expression)}});
    return *this;
  }
  World& Condition(absl::string_view expression) {
    policy_.conditions.push_back(Compiled(PolicyExpression::kMatchCondition, expression));
    return *this;
  }
  World& Validation(absl::string_view expression) {
    policy_.validations.push_back(
        {.expression = Compiled(PolicyExpression::kValidation, expression)});
    return *this;
  }
  World& Annotation(absl::string_view expression) {
    policy_.annotations.push_back(Compiled(PolicyExpression::kAuditAnnotation, expression));
    return *this;
  }
  World& IgnoreFailures() {
    policy_.ignores_failures = true;
    return *this;
  }

  PolicyResult Evaluate() const {
    const Value object = unstructured::Value(Map<Value>{{"x", 1}});
    const Value null = Value();
    return EvaluatePolicy(Context(), policy_,
                          {.object = object,
                           .old_object = null,
                           .condition_request = null,
                           .request = null,
                           .namespace_object = null,
                           .params = null,
                           .authorizer = cel::Value(),
                           .request_resource = cel::Value()});
  }
  std::vector<std::string> Denials() const {
    std::vector<std::string> messages;
    for (const PolicyDenial& each : Evaluate().denials) messages.push_back(each.message);
    return messages;
  }

 private:
  CompiledExpression Compiled(PolicyExpression purpose, absl::string_view expression) const {
    return {.text = std::string(expression), .program = compiler_.Compile(purpose, expression)};
  }

  PolicyCompiler compiler_;
  Policy policy_;
};

TEST(EvaluatePolicy, TellsWhatIsFalse) {
  EXPECT_THAT(World().Validation("object.x == 1").Denials(), IsEmpty());
  EXPECT_THAT(World().Validation("object.x == 2").Validation("params != null").Denials(),
              ElementsAre("failed expression: object.x == 2", "failed expression: params != null"));
}

TEST(EvaluatePolicy, AFalseConditionDecides) {
  EXPECT_THAT(World().Condition("object.y == 1").Condition("false").Validation("false").Denials(),
              IsEmpty());
}

TEST(EvaluatePolicy, ErrorsOfConditionsDeny) {
  World world;
  world.Condition("object.y == 1").Condition("true").Condition("object.z == 1");
  EXPECT_THAT(world.Denials(),
              ElementsAre("[expression 'object.y == 1' resulted in error: no such key: y, "
                          "expression 'object.z == 1' resulted in error: no such key: z]"));
  EXPECT_THAT(world.IgnoreFailures().Denials(), IsEmpty());
}

TEST(EvaluatePolicy, ErrorsOfTheCompilerDeny) {
  World world;
  world.Validation("1");
  EXPECT_THAT(world.Denials(), ElementsAre("compilation error: must evaluate to bool but got int"));
  EXPECT_THAT(world.IgnoreFailures().Denials(), IsEmpty());
}

TEST(EvaluatePolicy, HasABudgetForAllValidations) {
  World world;
  for (int i = 0; i < 12; ++i) world.Validation(kDear);
  EXPECT_THAT(world.Denials(), ElementsAre(kOutOfBudget));
}

TEST(EvaluatePolicy, HasABudgetForAllConditions) {
  World world;
  for (int i = 0; i < 3; ++i) world.Condition(kDear);
  EXPECT_THAT(world.Denials(), ElementsAre(kOutOfBudget));
}

TEST(EvaluatePolicy, WhatIsNotReadCostsNothing) {
  EXPECT_THAT(World().Variable("dear", kDear).Validation("true || variables.dear").Denials(),
              IsEmpty());
}

// Under a leak checker.
TEST(EvaluatePolicy, VariablesMayContainEachOther) {
  EXPECT_THAT(
      World().Variable("all", "[variables]").Validation("size(variables.all) == 1").Denials(),
      IsEmpty());
}

TEST(EvaluatePolicy, AnnotationsOnlyDenyIfTheyFail) {
  World world;
  world.Annotation("'a'").Annotation("null").Annotation("string(object.y)");
  EXPECT_THAT(world.Evaluate().denials, IsEmpty());
  EXPECT_THAT(world.Evaluate().annotation_errors,
              ElementsAre("expression 'string(object.y)' resulted in error: no such key: y"));
  EXPECT_THAT(world.IgnoreFailures().Evaluate().annotation_errors, IsEmpty());
}

}  // namespace
}  // namespace kube::apiserver::internal
