#ifndef APIMACHINERY_BASE_SIM_SEARCH_H_
#define APIMACHINERY_BASE_SIM_SEARCH_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "apimachinery/base/sim_runtime.h"

namespace kube::base {

struct SeedSearchOptions {
  // The number of seeds to try, beginning with sim.seed.
  int64_t seeds = 1000;

  // The options of every run; the seed is increased by 1 from run to run.
  SimOptions sim = {};
};

// Runs a simulated program with one seed after another until a run fails. Returns OK if all
// succeed, otherwise the error of the failed run with its seed and how to replay it.
//
// `program` receives a SimRuntime that has not run yet. It must create all its objects, call Run,
// check the outcome and return an error if that is wrong. SimRuntime::Run says which objects must
// not be destroyed if Run fails. Blocks; do not call it from a simulated thread.
//
// If the environment has KUBE_SIM_SEED=N, only seed N runs, and its trace is printed to stderr if
// it fails. Returns INVALID_ARGUMENT if that is not a number.
//
//   const auto program = [](SimRuntime& sim) -> absl::Status {
//     Bank bank;
//     KUBE_RETURN_IF_ERROR(sim.Run([&] { RunClerks(bank); }));
//     return bank.Audit();
//   };
//   EXPECT_THAT(SearchSeeds(program, {.seeds = 100}), IsOk());
absl::Status SearchSeeds(absl::FunctionRef<absl::Status(SimRuntime&)> program,
                         const SeedSearchOptions& options = {});

// Returns the number of seeds that a search should try: KUBE_SIM_SEEDS of the environment, or else
// `by_default`. Aborts if the variable is not a number.
int64_t SimulationSeeds(int64_t by_default);

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_SIM_SEARCH_H_
