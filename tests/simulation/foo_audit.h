#ifndef TESTS_SIMULATION_FOO_AUDIT_H_
#define TESTS_SIMULATION_FOO_AUDIT_H_

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tests/simulation/foo_cluster.h"

namespace kube::simulation {

// UNAVAILABLE, which says what is missing, unless now
//   * each Foo's Deployment is there under the name that it asks for, and is its own, of its size
//     (where it says one), fully available, and the Foo's status says how much of it is; or that of
//     the name has another owner, or none, and an event ErrResourceExists says so;
//   * each Deployment with a controller has that Foo, and no object is about to be deleted.
// Answers how many Foos have found their name taken.
absl::StatusOr<int64_t> CheckConverged(const FooCluster& cluster);

// What a cluster does that has converged, and in which nobody writes: for a minute the controllers
// write nothing, but leases, and at most two events for each Foo whose name is `taken`; and they
// read nothing but what begins the few watches anew that end in that time. DATA_LOSS, which names
// the first request too many. Forgets the log of requests. Blocks.
absl::Status CheckQuiet(FooCluster& cluster, int64_t taken);

// DATA_LOSS for a request of the controllers that the roles of
// examples/sample_controller/deploy/sample-controller.yaml do not allow: a deletion, for one.
absl::Status CheckRequests(const FooCluster& cluster);

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_FOO_AUDIT_H_
