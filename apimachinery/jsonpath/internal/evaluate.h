#ifndef APIMACHINERY_JSONPATH_INTERNAL_EVALUATE_H_
#define APIMACHINERY_JSONPATH_INTERNAL_EVALUATE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "apimachinery/jsonpath/internal/node.h"
#include "apimachinery/unstructured/value.h"

namespace kube::jsonpath::internal {

// Pointers into an object, or to literals of the nodes.
using Values = std::vector<const unstructured::Value*>;

// The values that a step leads to. There may be values even with an error: upstream's existence
// filters accept them.
struct Outcome {
  Values values;
  absl::Status status;
};

// Follows `nodes` from `values`, one step after the other. Thread-safe.
Outcome Evaluate(Values values, absl::Span<const Node> nodes, bool allow_missing_keys);

}  // namespace kube::jsonpath::internal

#endif  // APIMACHINERY_JSONPATH_INTERNAL_EVALUATE_H_
