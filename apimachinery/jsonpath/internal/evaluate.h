#ifndef APIMACHINERY_JSONPATH_INTERNAL_EVALUATE_H_
#define APIMACHINERY_JSONPATH_INTERNAL_EVALUATE_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "apimachinery/jsonpath/internal/node.h"
#include "apimachinery/unstructured/value.h"

namespace kube::jsonpath::internal {

// Pointers into an object, to literals of the nodes, or to values with static lifetime.
using Values = std::vector<const unstructured::Value*>;

// The values that a step leads to. There may be values even with an error: upstream's existence
// filters accept them.
struct Outcome {
  Values values;
  absl::Status status;
};

// How many values one evaluation may look at. Unions and ".." can repeat values, so that a short
// path would otherwise lead to more of them than any memory can hold.
inline constexpr int64_t kMaxVisited = 20'000'000;

// What evaluations of the actions of one template have in common. The numbers of ranges are
// upstream's, which range and end change wherever they stand in an action.
struct State {
  bool allow_missing_keys = false;
  int begin_range = 0;  // ranges that the current action begins
  int in_range = 0;     // ranges around the current action
  int end_range = 0;    // ends that the current action has
  int64_t budget = kMaxVisited;
};

// Follows `nodes` from `values`, one step after the other. Returns RESOURCE_EXHAUSTED if that looks
// at more values than the budget allows. Thread-safe.
Outcome Evaluate(Values values, absl::Span<const Node> nodes, State& state);

// Does the same for a path, which has no ranges.
Outcome Evaluate(Values values, absl::Span<const Node> nodes, bool allow_missing_keys);

// Returns the value that is not even null, which a range without elements has in Go. It is null.
const unstructured::Value& NoValue();

}  // namespace kube::jsonpath::internal

#endif  // APIMACHINERY_JSONPATH_INTERNAL_EVALUATE_H_
