// The sample controller, unchanged, in the simulation that foo_simulation.h describes.
//
// KUBE_SIM_SEEDS says how many seeds; by default each kind has one, and 1000 are the long run. A
// failure names its seed. This runs it again, and prints the log and all that the server was asked:
//
//   bazel test --test_env=KUBE_SIM_SEED=N --test_output=all
//       //tests/simulation:sample_controller_simulation_test

#include <cstdint>
#include <iostream>

#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"
#include "tests/simulation/foo_simulation.h"
#include "tests/simulation/foo_troubles.h"

namespace kube::simulation {
namespace {

TEST(SampleControllerSimulation, ConvergesAndIsQuietAfterEveryTrouble) {
  FooTotals totals;
  EXPECT_THAT(SearchFooSeeds({}, totals), base::IsOk());
  std::cout << ToString(totals) << std::endl;
  if (IsReplay()) return;
  EXPECT_GT(totals.history.foos, 2 * totals.runs);
  EXPECT_GT(totals.history.deployments, totals.history.foos);
  EXPECT_GT(2 * totals.history.foreign, totals.runs);
  EXPECT_GT(totals.converged.taken, 0);
  EXPECT_GE(10 * totals.converged.told, 9 * totals.converged.taken);
}

TEST(SampleControllerSimulation, ASeedReplaysExactly) {
  if (IsReplay()) return;
  uint64_t fingerprints[2];
  for (uint64_t& fingerprint : fingerprints) {
    base::SimRuntime sim({.seed = Troubles().size() - 1});  // the last kind: everything
    FooTotals totals;
    EXPECT_THAT(RunFooSimulation(sim, {}, totals), base::IsOk());
    fingerprint = sim.fingerprint();
  }
  EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

}  // namespace
}  // namespace kube::simulation
