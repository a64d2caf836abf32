#include "apiserver/validation/match_condition.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/base/status.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/compile.h"
#include "apimachinery/cel/environment.h"
#include "apimachinery/cel/program.h"
#include "apimachinery/cel/schema.h"
#include "apimachinery/cel/type.h"
#include "apimachinery/cel/value.h"
#include "apiserver/validation/admission_environment.h"

namespace kube::apiserver::internal {
namespace {

// What all conditions of a webhook may cost together (kube-apiserver:
// `RuntimeCELCostBudgetMatchConditions`).
constexpr uint64_t kBudget = 2'500'000;

cel::Environment MakeEnvironment() {
  cel::Environment environment;
  AddAdmissionVariables(environment);
  environment.SetTypes(AdmissionTypes());
  return environment;
}

const cel::Environment& MatchEnvironment() {
  static base::NoDestructor<cel::Environment> environment(MakeEnvironment());
  return *environment;
}

// Returns the errors as upstream joins them: alone, or as "[a, b]".
absl::Status Joined(const std::vector<absl::Status>& errors) {
  const absl::Status joined = base::JoinErrors(errors);
  return absl::InvalidArgumentError(joined.message());
}

}  // namespace

absl::StatusOr<cel::Program> CompileMatchCondition(absl::string_view expression) {
  KUBE_ASSIGN_OR_RETURN(const cel::Ast ast, cel::Compile(expression, MatchEnvironment()),
                        "compilation failed");
  if (!cel::SameType(*ast.root->type, *cel::BoolType())) {
    return absl::InvalidArgumentError(
        absl::StrCat("must evaluate to bool but got ", cel::FormatType(*ast.root->type)));
  }
  KUBE_ASSIGN_OR_RETURN(cel::Program program, cel::Program::Make(ast),
                        "program instantiation failed");
  return program;
}

absl::StatusOr<bool> EvaluateMatchConditions(const Context& ctx,
                                             const std::vector<CompiledCondition>& conditions,
                                             const MatchInput& input) {
  cel::Variables variables;
  variables.emplace("object", cel::ToValue(input.object));
  variables.emplace("oldObject", cel::ToValue(input.old_object));
  variables.emplace("request", cel::ToValue(input.request));
  // As upstream, where webhooks do not get it.
  variables.emplace("namespaceObject", cel::Value());
  uint64_t budget = kBudget;
  bool any_false = false;
  std::vector<absl::Status> errors;
  for (const CompiledCondition& condition : conditions) {
    if (!condition.program.ok()) {
      errors.push_back(absl::InvalidArgumentError(
          absl::StrCat("compilation error: ", condition.program.status().message())));
      continue;
    }
    const cel::Program::Result result = condition.program->Evaluate(ctx, variables);
    if (result.cost > budget) {
      return absl::InvalidArgumentError(
          "validation failed due to running out of cost budget, no further validation rules will "
          "be run");
    }
    budget -= result.cost;
    if (!result.value.ok()) {
      errors.push_back(absl::InvalidArgumentError(
          absl::StrCat("expression '", condition.expression,
                       "' resulted in error: ", result.value.status().message())));
    } else if (result.value->IsFalse()) {
      any_false = true;
    }
  }
  if (any_false) return false;
  if (!errors.empty()) return Joined(errors);
  return true;
}

}  // namespace kube::apiserver::internal
