#ifndef ENVTEST_WORKLOADS_INTERNAL_COMPLETED_INDEXES_H_
#define ENVTEST_WORKLOADS_INTERNAL_COMPLETED_INDEXES_H_

#include <set>
#include <string>

#include "absl/strings/string_view.h"

// How the status of an indexed job says which indexes are done: "1,3-5,7". Two neighbours are
// "1,2". Pure functions. (orderedIntervals)
namespace kube::envtest::internal {

// What is no number, or not below `completions`, is left out.
std::set<int> ParseIndexes(absl::string_view text, int completions);
std::string FormatIndexes(const std::set<int>& indexes);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_COMPLETED_INDEXES_H_
