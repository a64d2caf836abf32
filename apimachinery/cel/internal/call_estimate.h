#ifndef APIMACHINERY_CEL_INTERNAL_CALL_ESTIMATE_H_
#define APIMACHINERY_CEL_INTERNAL_CALL_ESTIMATE_H_

#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/cel/ast.h"
#include "apimachinery/cel/internal/bounds.h"

// What calls of functions can cost: the counterpart of cost.h, which knows the values. (cel-go:
// `checker.Cost`, `ext`; k8s.io/apiserver: `library.CostEstimator`)
namespace kube::cel::internal {

// An argument, or the receiver of a method.
struct EstimatedNode {
  const Expr* expr = nullptr;
  // Nullopt if nothing is known of its size.
  std::optional<Bounds> size = {};
  // The size of each element of a list.
  Bounds element_size = Anything();

  Bounds SizeOrAny() const { return size.value_or(Anything()); }
};

struct CallEstimate {
  // Without the costs of the arguments.
  Bounds cost = {};
  // The size of the result. Nullopt if it does not matter, or is not known.
  std::optional<Bounds> result_size = {};
};

// Estimates a call of an overload. `target` is null for a function that is not a method. Operators
// whose cost depends on the costs of their operands, and those that join texts or lists, are not
// known here. Pure function: thread-safe.
CallEstimate EstimateCall(absl::string_view function, absl::string_view overload,
                          const EstimatedNode* target, absl::Span<const EstimatedNode> arguments);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_CALL_ESTIMATE_H_
