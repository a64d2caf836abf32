#ifndef TESTS_SIMULATION_FOO_WRITER_H_
#define TESTS_SIMULATION_FOO_WRITER_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "tests/simulation/foo_cluster.h"

namespace kube::simulation {

// True so often, by the simulation's seed.
bool Chance(double probability);
// A time at random.
absl::Duration UpTo(absl::Duration most);

// Does at random, until `ctx` is done, what people do: makes Foos, at most four, and deletes them,
// in the background and in the foreground; gives them another size and the Deployment another name,
// sometimes one that a Foo or a foreigner has; deletes Deployments and scales them behind the
// controller's back; puts a foreign Deployment where a Foo wants one, or in the place of one that
// it has, as like to it as can be. It scales no foreign ones. Two writers have different Foos.
absl::Status WriteAtRandom(const Context& ctx, const FooCluster& cluster, int writer);

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_FOO_WRITER_H_
