#ifndef TESTS_SIMULATION_FOO_APPLY_AUDIT_H_
#define TESTS_SIMULATION_FOO_APPLY_AUDIT_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tests/simulation/foo_audit.h"
#include "tests/simulation/foo_cluster.h"
#include "tests/simulation/foo_history.h"

// What must be true of RunFooApplier (foo_applier.h), and of the server's tracking of its fields,
// besides what is true of every controller of Foos.
namespace kube::simulation {

// Returns the rights that it needs. To create by an apply takes the right to create as well; the
// server logs such a request as a patch.
Rights FooApplierRights();

// Returns DATA_LOSS for a request that writes Foos or Deployments and is not a forced apply of
// kApplier. Considers all logged requests of the controllers.
absl::Status CheckApplies(const FooCluster& cluster);

struct OwnershipCounts {
  int64_t deployments = 0;  // that Foos ask for and have
  int64_t labelled = 0;     // of these, with labels of the Foo
  int64_t by_human = 0;     // of all Deployments, with the label of kHuman
};

// Checks who owns which fields when all is settled. Returns DATA_LOSS unless
//   * the managed fields of each Deployment that a Foo asks for and owns have exactly one entry of
//     kApplier: an apply of the fields that this Foo asks for, no more and no fewer. Besides
//     kHumanLabel, the Deployment has the labels of the Foo and no others;
//   * its Foo has exactly one entry of kApplier: an apply of status.availableReplicas to the status.
//     Other Foos have one such entry or none;
//   * Deployments that a Foo has asked for in former times have one entry of kApplier, an apply;
//     Deployments without a controller have none;
//   * a Deployment has kHumanLabel if and only if kHuman has an entry: an apply of this label.
absl::StatusOr<OwnershipCounts> CheckOwnership(const FooCluster& cluster);

// Returns DATA_LOSS
//   * if a write has changed nothing of an object but its resourceVersion and the times of its
//     managed fields: the server must not store such a write;
//   * if kHumanLabel has vanished from a Deployment.
absl::Status CheckApplyHistory(const std::vector<Happened>& history);

// Checks that the controllers did not apply without a cause. There are at most two applies for each
// change in `history`, which must have all changes that followed the first logged request, and for
// each apply that failed. Returns DATA_LOSS if there were more. Valid only if nothing else makes a
// controller repeat its work: no faults, no restarts and one process.
absl::Status CheckFewApplies(const FooCluster& cluster, const std::vector<Happened>& history);

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_FOO_APPLY_AUDIT_H_
