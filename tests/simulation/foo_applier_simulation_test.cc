// The sample controller, rewritten so that it uses nothing but server-side apply, in the simulation
// that foo_simulation.h describes. The users also change labels of Foos, take sizes out of them,
// and label Deployments by applies of their own. In addition
//   * all writes to Foos and Deployments were forced applies (CheckApplies in foo_apply_audit.h);
//   * at the end the controller owns exactly the fields that the Foos ask for, people own what they
//     have applied, and what Foos no longer ask for is gone (CheckOwnership);
//   * no write that changed nothing made a new version, and no label of people was lost
//     (CheckApplyHistory);
//   * where nothing went wrong, there were few applies for each change (CheckFewApplies).
//
// KUBE_SIM_SEEDS says how many seeds; by default each kind has one, and 1000 are the long run. A
// failure names its seed. This runs it again, and prints the log and all that the server was asked:
//
//   bazel test --test_env=KUBE_SIM_SEED=N --test_output=all
//       //tests/simulation:foo_applier_simulation_test

#include <cstdint>
#include <iostream>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"
#include "tests/simulation/foo_applier.h"
#include "tests/simulation/foo_apply_audit.h"
#include "tests/simulation/foo_cluster.h"
#include "tests/simulation/foo_history.h"
#include "tests/simulation/foo_simulation.h"
#include "tests/simulation/foo_troubles.h"

namespace kube::simulation {
namespace {

absl::Status Check(const FooCluster& cluster, const Trouble& trouble, OwnershipCounts& totals) {
  KUBE_RETURN_IF_ERROR(CheckApplies(cluster));
  KUBE_ASSIGN_OR_RETURN(const OwnershipCounts counts, CheckOwnership(cluster));
  KUBE_ASSIGN_OR_RETURN(const std::vector<Happened> history, ReadHistory(cluster));
  KUBE_RETURN_IF_ERROR(CheckApplyHistory(history));
  if (trouble.rules.empty() && trouble.strikes.empty()) {
    KUBE_RETURN_IF_ERROR(CheckFewApplies(cluster, history));
  }
  totals.deployments += counts.deployments;
  totals.labelled += counts.labelled;
  totals.by_human += counts.by_human;
  return absl::OkStatus();
}

// `totals` must outlive the result.
FooSimulation Simulation(OwnershipCounts& totals) {
  return {.controller = RunFooApplier,
          .rights = FooApplierRights(),
          .writers = {.labels = true},
          .check = [&totals](const FooCluster& cluster, const Trouble& trouble) {
            return Check(cluster, trouble, totals);
          }};
}

TEST(FooApplierSimulation, ConvergesAndOwnsWhatItAppliesAfterEveryTrouble) {
  OwnershipCounts owned;
  FooTotals totals;
  EXPECT_THAT(SearchFooSeeds(Simulation(owned), totals), base::IsOk());
  std::cout << ToString(totals) << "; Foos had " << owned.deployments << " Deployments at the end, "
            << owned.labelled << " with labels of the Foo; " << owned.by_human
            << " Deployments had a label of people" << std::endl;
  if (IsReplay()) return;
  EXPECT_GT(totals.history.foos, totals.runs);
  EXPECT_GT(2 * totals.history.deployments, totals.history.foos);
  EXPECT_GT(totals.history.foreign, 0);
  EXPECT_GT(owned.deployments, totals.runs);
  EXPECT_GT(owned.labelled, 0);
  EXPECT_GT(owned.by_human, 0);
}

TEST(FooApplierSimulation, ASeedReplaysExactly) {
  if (IsReplay()) return;
  uint64_t fingerprints[2];
  for (uint64_t& fingerprint : fingerprints) {
    base::SimRuntime sim({.seed = Troubles().size() - 1});  // the last kind: everything
    OwnershipCounts owned;
    FooTotals totals;
    EXPECT_THAT(RunFooSimulation(sim, Simulation(owned), totals), base::IsOk());
    fingerprint = sim.fingerprint();
  }
  EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

}  // namespace
}  // namespace kube::simulation
