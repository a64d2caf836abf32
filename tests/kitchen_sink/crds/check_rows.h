#ifndef TESTS_KITCHEN_SINK_CRDS_CHECK_ROWS_H_
#define TESTS_KITCHEN_SINK_CRDS_CHECK_ROWS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "clientset/rest/config.h"

// The CRDs of the kitchen sink in a server. Functions fail the running test. Thread-safe.
namespace kube::kitchen {

// The files that Bazel wrote, among the test's data.
inline constexpr char kKitchenCrds[] = "tests/kitchen_sink/crds/kitchen_crds.yaml";
inline constexpr char kPotCrds[] = "tests/kitchen_sink/crds/pot_crds.yaml";

// What the server warns of whoever lists the objects of an old version, as InstallCrds does.
inline constexpr char kDeprecation[] = "kitchen.example.com/v1beta1 Basin is deprecated; use v1";

// Installs both files, and returns what the server warned of meanwhile.
std::vector<std::string> InstallKitchenCrds(const rest::Config& config);

// Whether it does with the objects of ValueRows and ResultRows what is said there, in a namespace
// that is there.
void CheckRows(const rest::Config& config, absl::string_view in_namespace);

// The same with CelRows.
void CheckCelRows(const rest::Config& config, absl::string_view in_namespace);

}  // namespace kube::kitchen

#endif  // TESTS_KITCHEN_SINK_CRDS_CHECK_ROWS_H_
