#include "tests/simulation/foo_simulation.h"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "tests/simulation/foo_audit.h"
#include "tests/simulation/foo_cluster.h"
#include "tests/simulation/foo_history.h"
#include "tests/simulation/foo_troubles.h"
#include "tests/simulation/foo_writer.h"

namespace kube::simulation {
namespace {

constexpr absl::Duration kTroubles = absl::Minutes(2);
constexpr absl::Duration kPatience = absl::Minutes(30);
// The longest back-off of the controller's rate limiter, which a failed key may still have to wait
// for.
constexpr absl::Duration kLongestBackOff = absl::Seconds(1000);

void MakeTrouble(FooCluster& cluster, const Trouble& trouble, const WriterOptions& writers) {
  base::ThreadGroup others{WithTimeout(Context(), kTroubles)};
  for (int i = 0; i < 2; ++i) {
    others.Go("writer",
              [&, i](const Context& ctx) { return WriteAtRandom(ctx, cluster, i, writers); });
  }
  others.Go("trouble", [&](const Context& ctx) {
    CauseTrouble(ctx, cluster, trouble);
    return absl::OkStatus();
  });
  others.Wait().IgnoreError();
}

absl::StatusOr<Converged> AwaitConvergence(const FooCluster& cluster) {
  absl::StatusOr<Converged> converged;
  base::PollUntilTimeout(Context(), absl::Seconds(10), kPatience, base::FirstPoll::kAfterInterval,
                         [&](const Context&) -> absl::StatusOr<bool> {
                           converged = CheckConverged(cluster);
                           return converged.ok();
                         })
      .IgnoreError();
  return converged;
}

absl::Status Audit(const FooSimulation& simulation, const Trouble& trouble, FooCluster& cluster,
                   FooTotals& totals) {
  KUBE_RETURN_IF_ERROR(AwaitConvergence(cluster).status());
  KUBE_RETURN_IF_ERROR(CheckRequests(cluster, simulation.rights));
  KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), kLongestBackOff));
  KUBE_ASSIGN_OR_RETURN(const Converged converged, CheckConverged(cluster));
  if (simulation.check != nullptr) {
    KUBE_RETURN_IF_ERROR(simulation.check(cluster, trouble));
  }
  KUBE_RETURN_IF_ERROR(CheckQuiet(cluster, converged.taken));
  KUBE_RETURN_IF_ERROR(CheckConverged(cluster).status());
  cluster.StopControllers();
  KUBE_ASSIGN_OR_RETURN(const std::vector<Happened> history, ReadHistory(cluster));
  KUBE_ASSIGN_OR_RETURN(const HistoryCounts counts, CheckHistory(history));
  ++totals.runs;
  totals.converged.taken += converged.taken;
  totals.converged.told += converged.told;
  totals.history.foos += counts.foos;
  totals.history.deployments += counts.deployments;
  totals.history.foreign += counts.foreign;
  totals.history.orphans += counts.orphans;
  return absl::OkStatus();
}

void PrintRequests(const FooCluster& cluster) {
  for (const apiserver::LoggedRequest& each : cluster.server().Requests()) {
    std::cerr << each.user << " " << each.method << " " << each.target << " " << each.code << " "
              << each.fault << "\n";
  }
}

absl::Status Simulate(const FooSimulation& simulation, const Trouble& trouble, FooTotals& totals) {
  FooCluster cluster({.processes = trouble.processes,
                      .elects = trouble.elects,
                      .controller = simulation.controller});
  KUBE_RETURN_IF_ERROR(cluster.Start());
  MakeTrouble(cluster, trouble, simulation.writers);
  const absl::Status status = Audit(simulation, trouble, cluster, totals);
  if (!status.ok() && IsReplay()) PrintRequests(cluster);
  return status;
}

}  // namespace

std::string ToString(const FooTotals& totals) {
  return absl::StrCat(
      totals.runs, " runs: ", totals.history.foos, " Foos, ", totals.history.deployments,
      " Deployments of theirs, ", totals.history.orphans, " of Foos that had gone, ",
      totals.history.foreign, " foreign ones; ", totals.converged.taken,
      " names were taken at the end, of ", totals.converged.told, " of which an event tells");
}

bool IsReplay() { return std::getenv("KUBE_SIM_SEED") != nullptr; }

absl::Status RunFooSimulation(base::SimRuntime& sim, const FooSimulation& simulation,
                              FooTotals& totals) {
  const std::vector<Trouble> troubles = Troubles();
  const Trouble& trouble = troubles[sim.seed() % troubles.size()];
  std::optional<log::LogCapture> quiet;
  if (!IsReplay()) quiet.emplace();
  absl::Status outcome;
  absl::Status end = sim.Run([&] { outcome = Simulate(simulation, trouble, totals); });
  end.Update(outcome);
  return base::Annotate(end, trouble.name);
}

absl::Status SearchFooSeeds(const FooSimulation& simulation, FooTotals& totals) {
  const auto by_default = static_cast<int64_t>(Troubles().size());
  return base::SearchSeeds(
      [&](base::SimRuntime& sim) { return RunFooSimulation(sim, simulation, totals); },
      {.seeds = base::SimulationSeeds(by_default)});
}

}  // namespace kube::simulation
