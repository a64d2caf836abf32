// Four controllers on one manager, in two replicas of which one leads, in virtual time
// (operator.h), while everything goes wrong that can (fault_kinds.h).
//
// One seed is one run. Two writers write at random for two minutes, also whole namespaces, while
// one kind of fault strikes and leadership is lost again and again. Then all is well, and
//   * within 30 minutes everything agrees (CheckConverged in cluster_audit.h): no key was lost;
//   * when every back-off has passed, and the watches that were stalled have ended, both replicas
//     are quiet (CheckQuiet);
//   * in all the time no key had two workers, nor a controller two leaders, and nothing was
//     reconciled after the stop of its manager (Recorder);
//   * no child was created while the one that was created before in its place existed, where caches
//     are behind for five seconds at most (FaultKind::creates_once).
// A run in which time stands still is an error of the simulation: a livelock, or a deadlock.
//
// Seed N has fault kind N modulo the number of kinds. KUBE_SIM_SEEDS says how many seeds; by
// default each kind has one, and the long run is a thousand times the number of kinds, which the
// test prints. A failure names its seed and tells what happened before. This runs it again, and
// prints the log and all that the server was asked:
//
//   bazel test --test_env=KUBE_SIM_SEED=N --test_output=all
//       //tests/controllers:controllers_simulation_test

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <optional>
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
#include "tests/controllers/cluster_audit.h"
#include "tests/controllers/fault_kinds.h"
#include "tests/controllers/operator_cluster.h"
#include "tests/controllers/random_writer.h"

namespace kube::controllers {
namespace {

using base::IsOk;

constexpr int kWriters = 2;
constexpr absl::Duration kFaults = absl::Minutes(2);
constexpr absl::Duration kPatience = absl::Minutes(30);
// After this time each back-off has passed, and each watch that was stalled has ended: a watch
// lasts for ten minutes at most.
constexpr absl::Duration kSettling = absl::Minutes(11);

// What happened in all runs, to see that there was something to be seen.
struct Totals {
  int64_t runs = 0;
  int64_t reconciles = 0;
  int64_t programs = 0;
  int64_t addresses = 0;
};

bool IsReplay() { return std::getenv("KUBE_SIM_SEED") != nullptr; }

void WriteWhileItFails(OperatorCluster& cluster, const FaultKind& kind) {
  base::ThreadGroup others{WithTimeout(Context(), kFaults)};
  for (int i = 0; i < kWriters; ++i) {
    others.Go("writer", [&cluster, i](const Context& ctx) {
      WriteAtRandom(ctx, cluster, i).IgnoreError();
      return absl::OkStatus();
    });
  }
  others.Go("faults", [&](const Context& ctx) { return CauseFaults(ctx, cluster, kind); });
  others.Wait().IgnoreError();
}

absl::Status AwaitConvergence(const OperatorCluster& cluster) {
  absl::Status converged;
  base::PollUntilTimeout(Context(), absl::Seconds(10), kPatience, base::FirstPoll::kAfterInterval,
                         [&](const Context&) -> absl::StatusOr<bool> {
                           converged = CheckConverged(cluster);
                           return converged.ok() || !cluster.recorder().status().ok();
                         })
      .IgnoreError();
  if (converged.ok()) return absl::OkStatus();
  return base::Annotate(converged,
                        absl::StrCat("not converged in ", absl::FormatDuration(kPatience)));
}

absl::Status Audit(OperatorCluster& cluster) {
  const absl::Status converged = AwaitConvergence(cluster);
  KUBE_RETURN_IF_ERROR(cluster.recorder().status());
  KUBE_RETURN_IF_ERROR(converged);
  KUBE_RETURN_IF_ERROR(base::SleepFor(Context(), kSettling));
  KUBE_RETURN_IF_ERROR(CheckQuiet(cluster));
  return CheckConverged(cluster);
}

void PrintRequests(const OperatorCluster& cluster) {
  for (const apiserver::LoggedRequest& each : cluster.server().Requests()) {
    std::cerr << each.user << " " << each.method << " " << each.target << " " << each.code << " "
              << each.fault << "\n";
  }
}

absl::Status Simulate(const FaultKind& kind, Totals& totals) {
  OperatorCluster cluster({.creates_once = kind.creates_once});
  KUBE_RETURN_IF_ERROR(cluster.Start());
  WriteWhileItFails(cluster, kind);
  absl::Status status = Audit(cluster);
  if (!status.ok() && cluster.recorder().status().ok()) {
    status =
        absl::Status(status.code(), absl::StrCat(status.message(), cluster.recorder().Story()));
  }
  if (!status.ok() && IsReplay()) PrintRequests(cluster);
  cluster.Stop();
  status.Update(cluster.recorder().status());
  if (status.ok() && cluster.server().watches() != 0) {
    status = absl::DataLossError("a watch is left after the end of all managers");
  }
  ++totals.runs;
  totals.reconciles += cluster.recorder().reconciles();
  totals.programs += cluster.recorder().programs();
  totals.addresses += static_cast<int64_t>(cluster.other_system().addresses().size());
  return status;
}

absl::Status SimulateSeed(base::SimRuntime& sim, Totals& totals) {
  const std::vector<FaultKind> kinds = FaultKinds();
  const FaultKind& kind = kinds[sim.seed() % kinds.size()];
  std::optional<log::LogCapture> quiet;
  if (!IsReplay()) quiet.emplace();
  absl::Status outcome;
  absl::Status end = sim.Run([&] { outcome = Simulate(kind, totals); });
  end.Update(outcome);
  return base::Annotate(end, kind.name);
}

TEST(ControllersSimulation, ConvergesAndIsQuietAfterEveryFault) {
  Totals totals;
  const auto kinds = static_cast<int64_t>(FaultKinds().size());
  EXPECT_THAT(
      base::SearchSeeds([&totals](base::SimRuntime& sim) { return SimulateSeed(sim, totals); },
                        {.seeds = base::SimulationSeeds(kinds)}),
      IsOk());
  std::cout << totals.runs << " runs of " << kinds << " kinds of faults: " << totals.reconciles
            << " reconciles by " << totals.programs << " programs; " << totals.addresses
            << " records at the end" << std::endl;
  if (IsReplay()) return;
  EXPECT_GT(totals.reconciles, 50 * totals.runs);
  EXPECT_GT(totals.programs, 2 * totals.runs);
  EXPECT_GT(totals.addresses, 0);
}

TEST(ControllersSimulation, ASeedReplaysExactly) {
  if (IsReplay()) return;
  uint64_t fingerprints[2];
  for (uint64_t& fingerprint : fingerprints) {
    base::SimRuntime sim({.seed = FaultKinds().size() - 1});  // the last kind: everything
    Totals totals;
    EXPECT_THAT(SimulateSeed(sim, totals), IsOk());
    fingerprint = sim.fingerprint();
  }
  EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

}  // namespace
}  // namespace kube::controllers
