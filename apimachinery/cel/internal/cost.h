#ifndef APIMACHINERY_CEL_INTERNAL_COST_H_
#define APIMACHINERY_CEL_INTERNAL_COST_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/value.h"

// What calls of functions cost, in cel-go's units. (cel-go: `interpreter.CostTracker`;
// k8s.io/apiserver: `library.CostEstimator`)
namespace kube::cel::internal {

// How the cost depends on the arguments. a and b are the sizes of the first two.
enum class CostRule : uint8_t {
  kOne,
  kTraversal,             // all that the first argument consists of
  kTenth,                 // a / 10
  kFifth,                 // a / 5
  kSum,                   // (a + b) / 10
  kSmaller,               // the smaller of a and b, / 10
  kEqual,                 // the same, but 1 for values of Kubernetes
  kSecond,                // b
  kContains,              // a / 10 times b / 10
  kPattern,               // (a + 1) / 10 times b / 4
  kValidate,              // the same, with the size of the format's pattern
  kCidrContainsIp,        // a / 5
  kCidrContainsIpText,    // and b / 10
  kCidrContainsCidr,      // a / 5, a / 10 and 1
  kCidrContainsCidrText,  // and b / 10
  kProduct,               // a times b
  kTwoProducts,
  kSlice,  // the size of the result, as of the following
  kRange,
  kReverse,
  kFlatten,   // a times the depth
  kSort,      // the square of a
  kSortBy,    // the square of b
  kJoin,      // depends on the result: see ResultCost
  kCheck,     // a check of the authorizer
  kSelector,  // parses b, a selector
};

// Returns the rule for a function. `overload_id` is empty if the checker found several.
CostRule FindCostRule(absl::string_view function, absl::string_view overload_id);

// Returns the cost before the call. Arguments may be errors. Looking at the arguments counts as
// work of the budget.
uint64_t CallCost(CostRule rule, absl::Span<const Value> arguments, Budget& budget);

// Returns what else the call costs, since its result is known.
uint64_t ResultCost(CostRule rule, const Value& result);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_COST_H_
