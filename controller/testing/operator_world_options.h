#ifndef CONTROLLER_TESTING_OPERATOR_WORLD_OPTIONS_H_
#define CONTROLLER_TESTING_OPERATOR_WORLD_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apiserver/handler.h"
#include "controller/manager/manager_options.h"
#include "controller/testing/audit_options.h"
#include "envtest/crds.h"
#include "envtest/service_account.h"
#include "envtest/webhooks.h"
#include "envtest/workloads/workloads_options.h"

namespace kube::controller {

// What goes wrong between an operator and the server while a scenario runs. Only requests
// of the operator are hit: those of the scenario are answered as ever, and its watches go on.
enum class WorldFault {
  kNone,
  kSlowServer,      // requests take up to 40 s
  kSlowAnswers,     // writes are done, and their answers come 10 s later
  kLostRequests,    // connections break before the server has the request
  kLostAnswers,     // writes are done, and their answers never come
  kServerErrors,    // 500 and 503
  kThrottling,      // 429, with and without Retry-After
  kConflicts,       // updates and patches get 409
  kUnreachable,     // no connection for up to 30 s
  kLaggingCaches,   // watches are behind for up to 30 s
  kStalledWatches,  // watches send nothing for up to 30 s, and never what they have missed
  kExpiredWatches,  // watches and lists get 410
  kBrokenWatches,   // watches end and break
  kRepeatedEvents,  // events come twice
  kServerRestarts,  // the server restarts at once: all connections break, its data stay
  kEverything,      // all of these, more seldom
};

// Returns "lagging caches" and so on.
absl::string_view WorldFaultName(WorldFault fault);

// Returns all faults, in the order of the enumerators.
std::vector<WorldFault> AllWorldFaults();

// Options of an OperatorWorld.
struct OperatorWorldOptions {
  // The number of runs; each has a seed of its own, from 1 on. The environment variable
  // KUBE_SIM_SEEDS replaces it, and KUBE_SIM_SEED=N runs seed N alone. Default: 48, three for each
  // fault.
  int64_t seeds = 48;
  // The faults. The run of seed N has fault N modulo their number, so that each has its turn.
  // Default: all. Empty: none.
  std::vector<WorldFault> faults = AllWorldFaults();
  // How many replicas of the operator run. With more than one of them there is leader election, the
  // lease is in `manager.leader_election` or in the namespace "default", and leaders are made to
  // lose it. Default: 1.
  int replicas = 1;
  // Whether replicas are stopped now and then, and start again with a new manager and new
  // operators. Default: no.
  bool restarts = false;
  // Whether the time of day jumps now and then, up to five minutes to and fro, for the operator and
  // the server. Default: no.
  bool clock_jumps = false;

  // The embedded server. With `account` its authorization is that of RBAC in any case.
  apiserver::HandlerOptions server = {};
  // The definitions, which exist before the operator starts. Those for whose kind the operator has
  // registered a conversion are converted by it.
  envtest::CrdOptions crds = {};
  // The configurations of webhooks, which exist from when the operator first runs. Default: those
  // that webhook::WebhookConfigurations derives from what the operator has registered.
  envtest::WebhookOptions webhooks = {};
  // The manifests of the operator's service account and rights, such as those that the program
  // prints with --print-manifests. The operator then has these rights and no others, and a right
  // that it lacks is a finding. The token is valid for a day at least.
  // Default: the operator may do everything.
  std::optional<envtest::ServiceAccountOptions> account = {};
  // The manager. The name is "operator" if it is empty. There is no health endpoint, the server of
  // webhooks does not listen, and `fail_fast` is set, so that a controller that cannot start ends
  // the program, which is then started again.
  ManagerOptions manager = {};
  // The controllers of a cluster, the scheduler and the nodes: with them Deployments get pods.
  // Default: none.
  std::optional<envtest::WorkloadsOptions> workloads = {};

  // What the audits know of the operator: its finalizers, what it owns, what they must not report.
  // `user`, `user_agent`, `rules` and `settled` are those of the run. How often something may be
  // requested counts from when the faults have ended. An allowance of kOrderMatters without an
  // object turns the comparison of ends off, for scenarios that do not do the same in each run; one
  // with an object leaves that out, if it contains versions of others, for example. A reconcile or
  // a program that does not end is always reported, because the run cannot go on.
  AuditOptions audits = {};
  // Whether a right of the account that no request needed is a finding. Only a scenario in which
  // the operator does all that it can should set it. Default: no.
  bool audit_unused_rights = false;

  // How long the faults go on after the scenario has called Settle or has ended: up to this time,
  // as the seed says. Default: 1 minute.
  absl::Duration fault_time = absl::Minutes(1);
  // How long everything may take, after the faults have ended, until nothing changes any more.
  // Longer is the finding "not converged". It must exceed the longest back-off of a controller.
  // Default: 1 hour.
  absl::Duration settle_timeout = absl::Hours(1);
  // How long the operator is watched at the end, when nothing changes any more. What it still sends
  // is what it sends for ever. Default: 20 minutes.
  absl::Duration quiet_time = absl::Minutes(20);
  // How long one reconcile may take. It must exceed the reconcile timeout of the controllers, after
  // which their contexts are done. Default: 15 minutes.
  absl::Duration reconcile_bound = absl::Minutes(15);
};

}  // namespace kube::controller

#endif  // CONTROLLER_TESTING_OPERATOR_WORLD_OPTIONS_H_
