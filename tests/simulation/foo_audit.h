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
//     the name has another owner, or none: the name is taken;
//   * each Deployment with a controller has that Foo, and no object is about to be deleted.
struct Converged {
  int64_t taken = 0;  // Foos whose names are taken
  // Of these, of how many an event ErrResourceExists says so. It may lack for a few: two events
  // about one name and of one instant have one name too, and the second is lost, as upstream;
  // outside of simulations no two are of one instant.
  int64_t told = 0;
};
absl::StatusOr<Converged> CheckConverged(const FooCluster& cluster);

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
