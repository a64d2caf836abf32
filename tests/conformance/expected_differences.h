#ifndef TESTS_CONFORMANCE_EXPECTED_DIFFERENCES_H_
#define TESTS_CONFORMANCE_EXPECTED_DIFFERENCES_H_

#include "absl/strings/string_view.h"

namespace kube::conformance {

// A behaviour that the embedded server intentionally does not have.
struct ExpectedDifference {
  absl::string_view behaviour = {};
  absl::string_view reason = {};
};

// All of them are tested: if the embedded server has one after all, the suite fails until its row
// is removed.
inline constexpr ExpectedDifference kExpectedDifferences[] = {
    {"A claim gets its defaults", "no finalizer pvc-protection: no controller would take it away"},
};

}  // namespace kube::conformance

#endif  // TESTS_CONFORMANCE_EXPECTED_DIFFERENCES_H_
