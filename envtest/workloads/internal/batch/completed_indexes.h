#ifndef ENVTEST_WORKLOADS_INTERNAL_BATCH_COMPLETED_INDEXES_H_
#define ENVTEST_WORKLOADS_INTERNAL_BATCH_COMPLETED_INDEXES_H_

#include <set>
#include <string>

#include "absl/strings/string_view.h"

// The format for completed indexes in the status of an indexed job: "1,3-5,7"; two neighbours are
// "1,2". Pure functions. (Go: `orderedIntervals`)
namespace kube::envtest::internal {

// Ignores what is not a number below `completions`.
std::set<int> ParseIndexes(absl::string_view text, int completions);
std::string FormatIndexes(const std::set<int>& indexes);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_BATCH_COMPLETED_INDEXES_H_
