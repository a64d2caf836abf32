#include "apimachinery/base/sim_search.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/status.h"

namespace kube::base {
namespace {

constexpr char kSeedVariable[] = "KUBE_SIM_SEED";
constexpr char kSeedsVariable[] = "KUBE_SIM_SEEDS";

absl::Status RunSeed(absl::FunctionRef<absl::Status(SimRuntime&)> program,
                     const SimOptions& options, bool print_trace) {
  SimRuntime sim(options);
  const absl::Status status = program(sim);
  if (status.ok()) return status;
  if (print_trace) std::fprintf(stderr, "%s", sim.trace().c_str());
  return Annotate(status, absl::StrCat("seed ", options.seed, " (to replay: ", kSeedVariable, "=",
                                       options.seed, ")"));
}

}  // namespace

absl::Status SearchSeeds(absl::FunctionRef<absl::Status(SimRuntime&)> program,
                         const SeedSearchOptions& options) {
  SimOptions sim = options.sim;
  if (const char* text = std::getenv(kSeedVariable); text != nullptr) {
    if (!absl::SimpleAtoi(text, &sim.seed)) {
      return absl::InvalidArgumentError(
          absl::StrCat("read ", kSeedVariable, "=\"", text, "\": not a number"));
    }
    sim.keep_trace = true;
    return RunSeed(program, sim, /*print_trace=*/true);
  }
  for (int64_t i = 0; i < options.seeds; ++i, ++sim.seed) {
    KUBE_RETURN_IF_ERROR(RunSeed(program, sim, /*print_trace=*/false));
  }
  return absl::OkStatus();
}

int64_t SimulationSeeds(int64_t by_default) {
  int64_t seeds = by_default;
  const char* const text = std::getenv(kSeedsVariable);
  KUBE_CHECK(text == nullptr || absl::SimpleAtoi(text, &seeds)) << kSeedsVariable;
  return seeds;
}

}  // namespace kube::base
