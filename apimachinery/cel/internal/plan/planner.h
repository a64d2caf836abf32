#ifndef APIMACHINERY_CEL_INTERNAL_PLAN_PLANNER_H_
#define APIMACHINERY_CEL_INTERNAL_PLAN_PLANNER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/internal/function.h"
#include "apimachinery/cel/internal/plan/node.h"

namespace kube::cel::internal {

// An expression that is ready to be evaluated.
struct Plan {
  NodePtr root = nullptr;
  // The names of Frame::variables.
  std::vector<std::string> variables = {};
  // The size of Frame::locals.
  size_t locals = 0;
};

// Makes the nodes of a tree that CheckTypes has accepted. Conversions and literals of constants are
// computed, and constant patterns compiled; returns INVALID_ARGUMENT if that is not possible.
// `functions` must outlive the plan, which does not refer to the tree. (cel-go:
// `interpreter.planner`, `Optimize`)
absl::StatusOr<Plan> MakePlan(const Ast& ast, const Functions& functions);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_PLAN_PLANNER_H_
