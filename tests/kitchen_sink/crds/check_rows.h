#ifndef TESTS_KITCHEN_SINK_CRDS_CHECK_ROWS_H_
#define TESTS_KITCHEN_SINK_CRDS_CHECK_ROWS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "clientset/rest/config.h"

// Tests a server with the CRDs of the kitchen sink. Failures fail the running test. Thread-safe.
namespace kube::kitchen {

// The files that Bazel generated, in the test's data.
inline constexpr char kKitchenCrds[] = "tests/kitchen_sink/crds/kitchen_crds.yaml";
inline constexpr char kPotCrds[] = "tests/kitchen_sink/crds/pot_crds.yaml";

// The server's warning when objects of the deprecated version are listed, as InstallCrds does.
inline constexpr char kDeprecation[] = "kitchen.example.com/v1beta1 Basin is deprecated; use v1";

// Installs both files, and returns the server's warnings.
std::vector<std::string> InstallKitchenCrds(const rest::Config& config);

// Checks that the server treats the objects of ValueRows and ResultRows as these say. The namespace
// must exist.
void CheckRows(const rest::Config& config, absl::string_view in_namespace);

// Does the same for CelRows.
void CheckCelRows(const rest::Config& config, absl::string_view in_namespace);

}  // namespace kube::kitchen

#endif  // TESTS_KITCHEN_SINK_CRDS_CHECK_ROWS_H_
