#ifndef TESTS_SIMULATION_FOO_SIMULATION_H_
#define TESTS_SIMULATION_FOO_SIMULATION_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/sim_runtime.h"
#include "tests/simulation/foo_audit.h"
#include "tests/simulation/foo_cluster.h"
#include "tests/simulation/foo_history.h"
#include "tests/simulation/foo_troubles.h"
#include "tests/simulation/foo_writer.h"

// A controller of Foos on the embedded API server in virtual time, while everything goes wrong that
// can.
//
// One seed is one run. Two writers make Foos, eight at most, change and delete them, and meddle
// with their Deployments (foo_writer.h), for two minutes in which one kind of trouble strikes:
// seed N has kind N modulo their number (foo_troubles.h). Then all is well, and
//   * within 30 minutes Foos, Deployments and statuses agree (CheckConverged in foo_audit.h);
//   * when every key's back-off has passed, at most 1000 s, the controllers are quiet: they write
//     nothing for a minute (CheckQuiet);
//   * in all the time they have asked for nothing that their roles do not allow (CheckRequests);
//   * by the server's history each Deployment was made for a Foo that wanted it, none twice at a
//     time, at most three for a Foo that had gone, and no foreign one was touched (CheckHistory in
//     foo_history.h).
// A run in which time stands still is an error of the simulation: a livelock, or a deadlock.
namespace kube::simulation {

// The controller, and what is particular to it.
struct FooSimulation {
  RunController controller = RunSampleController;
  Rights rights = SampleControllerRights();
  WriterOptions writers = {};
  // Checks more when everything has settled and nobody writes any longer. All requests since the
  // start are still in the server's log. Null: checks nothing more.
  std::function<absl::Status(const FooCluster& cluster, const Trouble& trouble)> check = {};
};

// What happened in all runs, to see that there was something to be seen.
struct FooTotals {
  int64_t runs = 0;
  HistoryCounts history = {};
  Converged converged = {};
};
std::string ToString(const FooTotals& totals);

// Returns whether KUBE_SIM_SEED asks for one seed again. Then runs do not hide the log, and print
// all that the server was asked if they fail.
bool IsReplay();

// Runs the seed of `sim`.
absl::Status RunFooSimulation(base::SimRuntime& sim, const FooSimulation& simulation,
                              FooTotals& totals);

// Runs as many seeds as KUBE_SIM_SEEDS says; by default one for each kind of trouble. Stops at the
// first that fails, and returns its error.
absl::Status SearchFooSeeds(const FooSimulation& simulation, FooTotals& totals);

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_FOO_SIMULATION_H_
