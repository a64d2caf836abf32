#ifndef APIMACHINERY_CEL_INTERNAL_EQUALITY_H_
#define APIMACHINERY_CEL_INTERNAL_EQUALITY_H_

#include <optional>

#include "apimachinery/cel/internal/budget.h"
#include "apimachinery/cel/value.h"

// Compares values.
namespace kube::cel::internal {

// Returns a bool, or an error if the values cannot be compared. Numbers of different types are
// equal if their values are, and null equals null only. Lists of an object are compared as their
// schema says. After the budget has stopped the result has no meaning. (cel-go: `types.Equal`)
Value Equal(const Value& a, const Value& b, Budget& budget);

// Does the same, but as a list looks for an element: the left operand decides even if the right one
// is null. (cel-go: `Val.Equal`)
Value EqualBy(const Value& a, const Value& b, Budget& budget, int depth = 0);

// Returns -1, 0 or 1, or an error: "no such overload" if values of these kinds have no order, and
// an error for NaN. (cel-go: `Comparer.Compare`)
Value CompareValues(const Value& a, const Value& b);

// Returns whether values of this kind have an order.
bool IsComparable(const Value& value);

// Compare two numbers of any type. Return nullopt if one of them is NaN.
std::optional<int> CompareNumbers(const Value& a, const Value& b);

// Returns a bool or an error: whether a list has an element that equals `value`, or a map has the
// key. (cel-go: `Container.Contains`)
Value Contains(const Value& container, const Value& value, Budget& budget);

}  // namespace kube::cel::internal

#endif  // APIMACHINERY_CEL_INTERNAL_EQUALITY_H_
