// The sample controller, unchanged, on the embedded API server in virtual time, while everything
// goes wrong that can.
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
//
// KUBE_SIM_SEEDS says how many seeds; by default each kind has one, and 1000 are the long run. A
// failure names its seed. This runs it again, and prints the log and all that the server was asked:
//
//   bazel test --test_env=KUBE_SIM_SEED=N --test_output=all
//       //tests/simulation:sample_controller_simulation_test

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
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "gtest/gtest.h"
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

// Over all runs, to see that there was something to be seen.
struct Totals {
  int64_t runs = 0;
  HistoryCounts history = {};
  Converged converged = {};
};

bool IsReplay() { return std::getenv("KUBE_SIM_SEED") != nullptr; }

void MakeTrouble(FooCluster& cluster, const Trouble& trouble) {
  base::ThreadGroup others{WithTimeout(Context(), kTroubles)};
  for (int i = 0; i < 2; ++i) {
    others.Go("writer", [&, i](const Context& ctx) { return WriteAtRandom(ctx, cluster, i); });
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

absl::Status Audit(FooCluster& cluster, Totals& totals) {
  KUBE_RETURN_IF_ERROR(AwaitConvergence(cluster).status());
  KUBE_RETURN_IF_ERROR(CheckRequests(cluster));
  KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), kLongestBackOff));
  KUBE_ASSIGN_OR_RETURN(const Converged converged, CheckConverged(cluster));
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

absl::Status Simulate(const Trouble& trouble, Totals& totals) {
  FooCluster cluster(trouble.processes, trouble.elects);
  KUBE_RETURN_IF_ERROR(cluster.Start());
  MakeTrouble(cluster, trouble);
  const absl::Status status = Audit(cluster, totals);
  if (!status.ok() && IsReplay()) PrintRequests(cluster);
  return status;
}

absl::Status RunOnce(base::SimRuntime& sim, Totals& totals) {
  const std::vector<Trouble> troubles = Troubles();
  const Trouble& trouble = troubles[sim.seed() % troubles.size()];
  absl::Status outcome;
  absl::Status end = sim.Run([&] { outcome = Simulate(trouble, totals); });
  end.Update(outcome);
  return base::Annotate(end, trouble.name);
}

class SampleControllerSimulation : public testing::Test {
 protected:
  SampleControllerSimulation() {
    if (!IsReplay()) quiet_.emplace();
  }

 private:
  std::optional<log::LogCapture> quiet_;
};

TEST_F(SampleControllerSimulation, ConvergesAndIsQuietAfterEveryTrouble) {
  Totals totals;
  const auto seeds = static_cast<int64_t>(Troubles().size());
  EXPECT_THAT(base::SearchSeeds([&](base::SimRuntime& sim) { return RunOnce(sim, totals); },
                                {.seeds = base::SimulationSeeds(seeds)}),
              base::IsOk());
  std::cout << totals.runs << " runs: " << totals.history.foos << " Foos, "
            << totals.history.deployments << " Deployments of theirs, " << totals.history.orphans
            << " of Foos that had gone, " << totals.history.foreign << " foreign ones; "
            << totals.converged.taken << " names were taken at the end, of "
            << totals.converged.told << " of which an event tells" << std::endl;
  if (IsReplay()) return;
  EXPECT_GT(totals.history.foos, 2 * totals.runs);
  EXPECT_GT(totals.history.deployments, totals.history.foos);
  EXPECT_GT(2 * totals.history.foreign, totals.runs);
  EXPECT_GT(totals.converged.taken, 0);
  EXPECT_GE(10 * totals.converged.told, 9 * totals.converged.taken);
}

TEST_F(SampleControllerSimulation, ASeedReplaysExactly) {
  if (IsReplay()) return;
  uint64_t fingerprints[2];
  for (uint64_t& fingerprint : fingerprints) {
    base::SimRuntime sim({.seed = Troubles().size() - 1});  // the last kind: everything
    Totals totals;
    EXPECT_THAT(RunOnce(sim, totals), base::IsOk());
    fingerprint = sim.fingerprint();
  }
  EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

}  // namespace
}  // namespace kube::simulation
