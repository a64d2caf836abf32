#ifndef APIMACHINERY_BASE_SIM_SEARCH_H_
#define APIMACHINERY_BASE_SIM_SEARCH_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "apimachinery/base/sim_runtime.h"

namespace kube::base {

struct SeedSearchOptions {
  // How many seeds to try; the first is sim.seed.
  int64_t seeds = 1000;

  // Of every run, but for the seed.
  SimOptions sim = {};
};

// Runs a simulated program with one seed after the other until one fails, and answers OK or what
// that one did wrong, with its seed and how to replay it.
//
// `program` gets a SimRuntime that has not run. It builds what it needs anew, calls Run, looks at
// the outcome and answers an error if that is wrong. Blocks; call it from a thread that is not
// simulated.
//
// With KUBE_SIM_SEED=N in the environment it runs seed N alone, and prints the trace to stderr if
// that fails. InvalidArgument when that is not a number.
//
//   EXPECT_THAT(SearchSeeds([](SimRuntime& sim) -> absl::Status {
//                 Bank bank;
//                 const absl::Status end = sim.Run([&] { RunClerks(bank); });
//                 return end.ok() ? bank.Audit() : end;
//               }),
//               IsOk());
absl::Status SearchSeeds(absl::FunctionRef<absl::Status(SimRuntime&)> program,
                         const SeedSearchOptions& options = {});

// How many seeds a search is to try: what KUBE_SIM_SEEDS says, or else so many. Aborts when that is
// not a number.
int64_t SimulationSeeds(int64_t by_default);

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_SIM_SEARCH_H_
