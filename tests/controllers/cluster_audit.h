#ifndef TESTS_CONTROLLERS_CLUSTER_AUDIT_H_
#define TESTS_CONTROLLERS_CLUSTER_AUDIT_H_

#include "absl/status/status.h"
#include "tests/controllers/operator_cluster.h"

namespace kube::controllers {

// Returns OK if nothing is left to do, or UNAVAILABLE with what is missing:
//   * nothing is being deleted, and each child has its set;
//   * each set has one child in each slot, and no other;
//   * each mirror has the value of its source;
//   * the other system has the addresses of the records that exist, and no others;
//   * the census of each replica has seen each config map in its last version.
absl::Status CheckConverged(const OperatorCluster& cluster);

// Checks that a converged cluster in which nobody writes stays quiet: for one minute the replicas
// write nothing but leases. Returns DATA_LOSS with the first write. Clears the log of requests.
// Blocks for that minute.
absl::Status CheckQuiet(OperatorCluster& cluster);

}  // namespace kube::controllers

#endif  // TESTS_CONTROLLERS_CLUSTER_AUDIT_H_
