#ifndef APIMACHINERY_JSONPATH_INTERNAL_EVALUATE_H_
#define APIMACHINERY_JSONPATH_INTERNAL_EVALUATE_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "apimachinery/jsonpath/internal/node.h"
#include "apimachinery/unstructured/value.h"

namespace kube::jsonpath::internal {

// Values within an object, or literals of the nodes.
using Values = std::vector<const unstructured::Value*>;

// What a step leads to. With an error there may be values all the same: upstream's filters take
// them for a proof of existence.
struct Outcome {
  Values values;
  absl::Status status;
};

// Follows `nodes` from `values`. Thread-safe.
Outcome Evaluate(Values values, absl::Span<const Node> nodes, bool allow_missing_keys);

}  // namespace kube::jsonpath::internal

#endif  // APIMACHINERY_JSONPATH_INTERNAL_EVALUATE_H_
