#include "apimachinery/cel/program.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/status.h"
#include "apimachinery/cel/compile.h"
#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/internal/library/kubernetes_library.h"
#include "apimachinery/cel/internal/plan/node.h"
#include "apimachinery/cel/internal/plan/planner.h"
#include "apimachinery/cel/internal/regexp.h"

namespace kube::cel {

namespace {

absl::Status StopStatus(const internal::Budget& budget) {
  const std::string message = budget.StopError().error();
  if (budget.interrupted()) return absl::CancelledError(message);
  if (budget.failed()) return absl::InvalidArgumentError(message);
  return absl::ResourceExhaustedError(message);
}

}  // namespace

struct Program::Code {
  internal::Plan plan;
};

absl::StatusOr<Program> Program::Compile(absl::string_view expression,
                                         const Environment& environment) {
  KUBE_ASSIGN_OR_RETURN(const Ast ast, cel::Compile(expression, environment));
  return Make(ast);
}

absl::StatusOr<Program> Program::Make(const Ast& ast) {
  if (!ast.checked) return absl::InvalidArgumentError("expression was not compiled");
  KUBE_ASSIGN_OR_RETURN(internal::Plan plan,
                        internal::MakePlan(ast, internal::KubernetesFunctions()));
  return Program(std::make_shared<const Code>(Code{.plan = std::move(plan)}), ast.root->type);
}

Program::Result Program::Evaluate(const Context& ctx, const Variables& variables,
                                  uint64_t cost_limit) const {
  const internal::Plan& plan = code_->plan;
  internal::Budget budget(ctx, cost_limit);
  internal::RegexpCache regexps;
  internal::Frame frame{.budget = budget, .regexps = regexps, .variables = {}, .locals = {}};
  for (const std::string& name : plan.variables) {
    const auto found = variables.find(name);
    frame.variables.push_back(found != variables.end()
                                  ? found->second
                                  : Value::Error(absl::StrCat("no such attribute(s): ", name)));
  }
  frame.locals.resize(plan.locals);
  budget.CheckContext();
  Value value = budget.stopped() ? budget.StopError() : plan.root->Evaluate(frame);
  if (budget.stopped()) {
    return {.value = StopStatus(budget), .cost = budget.cost()};
  }
  if (value.is_error()) {
    return {.value = absl::InvalidArgumentError(value.error()), .cost = budget.cost()};
  }
  return {.value = std::move(value), .cost = budget.cost()};
}

}  // namespace kube::cel
