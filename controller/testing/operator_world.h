#ifndef CONTROLLER_TESTING_OPERATOR_WORLD_H_
#define CONTROLLER_TESTING_OPERATOR_WORLD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/sim_runtime.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "controller/manager/manager.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/operator_world_options.h"

namespace kube::controller {

namespace internal {
class WorldCluster;
struct WorldReport;
}  // namespace internal

// Runs an operator, unchanged, in many simulated clusters in which everything goes wrong that can,
// and audits what it has done. (controller-runtime has nothing like it)
//
//   OperatorWorld world({.seeds = 32, .replicas = 2, .restarts = true});
//   world.Add<Greeter>();
//   EXPECT_THAT(world.Run(GreetAndForget), IsOk());
//
// GreetAndForget is a scenario: a function of Play& that does what users do, and returns a status.
// docs/testing-operators.md has it.
//
// One run is one seed: the seed chooses the fault, when it strikes, and in which order the threads
// of the operator and of the server go on. Time is virtual, so that an hour passes at once. The
// first run whose scenario fails, or of which an audit finds something, ends the search. A seed
// gives the same run each time, until the program changes.
//
// It does not see data races, code that waits without base::Runtime (std::mutex, sockets, sleep),
// and what no seed has tried: see docs/simulation.md. A reconcile that computes for a minute of
// real time without waiting aborts the process.
//
// Thread-compatible. Not to be used within a simulation.
class OperatorWorld {
 public:
  // One run, for its scenario.
  class Play {
   public:
    Play(const Play&) = delete;
    Play& operator=(const Play&) = delete;

    // Returns the seed of the run.
    uint64_t seed() const { return sim_.seed(); }
    // Return a client of the administrator, which has no faults, and the configuration of it.
    const rest::Client& client() const;
    const rest::Config& admin_config() const;
    // Returns the server, for its log of requests or for faults of your own. Settle, and the end of
    // the run, remove all fault rules, also these.
    apiserver::ApiHandler& server();

    // Lets the operator work, and the faults go on, for a random time of up to `most`. Blocks.
    // Returns OK.
    absl::Status Pause(absl::Duration most = absl::Seconds(20));
    // Lets the faults go on for a while, ends them, and waits until the operator has nothing to do
    // and nothing changes any more. Then check what must be true. The faults begin again when it is
    // left. Blocks. Returns ABORTED if the operator does not settle, and AuditOptions::ignore does
    // not allow that; return it from the scenario.
    absl::Status Settle();

   private:
    friend class OperatorWorld;
    Play(base::SimRuntime& sim, const OperatorWorldOptions& options,
         internal::WorldCluster& cluster, internal::WorldReport& report)
        : sim_(sim), options_(options), cluster_(cluster), report_(report) {}

    base::SimRuntime& sim_;
    const OperatorWorldOptions& options_;
    internal::WorldCluster& cluster_;
    internal::WorldReport& report_;
  };

  // A scenario: what users do, and what must be true afterwards. It is called once for each seed,
  // in a new cluster, as the first thread of a simulation, and should do the same each time: the
  // end of all runs is compared.
  using Scenario = absl::FunctionRef<absl::Status(Play& play)>;

  explicit OperatorWorld(OperatorWorldOptions options = {});
  OperatorWorld(const OperatorWorld&) = delete;
  OperatorWorld& operator=(const OperatorWorld&) = delete;

  // Adds an operator: each program of each run has an OperatorT(manager, arguments...). It is made
  // before the manager runs, and destroyed before it. One more is made in each run that never runs,
  // to learn what it registers. The arguments are copied.
  template <typename OperatorT, typename... Args>
  void Add(const Args&... arguments) {
    AddOperator([arguments...](Manager& manager) -> std::shared_ptr<void> {
      return std::make_shared<OperatorT>(manager, arguments...);
    });
  }
  // Does the same with a function that makes the operator.
  void AddOperator(std::function<std::shared_ptr<void>(Manager&)> make);

  // Runs the scenario with one seed after another, and audits each run. Blocks. Returns OK, or the
  // error of the first run that fails: its message has the seed, how to run it alone, the fault,
  // the findings, and the story of the first of them. The code is DATA_LOSS if there are findings,
  // and that of the scenario's error otherwise.
  absl::Status Run(Scenario scenario);

  // Returns what the audits have found in the run that ended the last Run; empty if there was
  // nothing, or if that run ended with an error of the scenario.
  const std::vector<AuditFinding>& findings() const { return findings_; }

 private:
  absl::Status RunSeed(base::SimRuntime& sim, Scenario scenario,
                       std::optional<std::string>& first_end);
  void RunInside(base::SimRuntime& sim, Scenario scenario, internal::WorldReport& report) const;

  const OperatorWorldOptions options_;
  std::vector<std::function<std::shared_ptr<void>(Manager&)>> operators_;
  std::vector<AuditFinding> findings_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_TESTING_OPERATOR_WORLD_H_
