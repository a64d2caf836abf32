#ifndef TESTS_SIMULATION_FOO_WRITER_H_
#define TESTS_SIMULATION_FOO_WRITER_H_

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "tests/simulation/foo_cluster.h"

namespace kube::simulation {

// Returns true with the given probability, depending on the simulation's seed.
bool Chance(double probability);
// Returns a random duration up to `most`.
absl::Duration UpTo(absl::Duration most);

// The field manager of users who apply labels, and the label.
inline constexpr char kHuman[] = "human";
inline constexpr char kHumanLabel[] = "human";

struct WriterOptions {
  // Whether users also change the labels of Foos, take the size out of a Foo, and label the
  // Deployments of Foos by server-side apply. Such a label is never removed.
  bool labels = false;
};

// Imitates users at random until `ctx` is done. It creates Foos, at most four, and deletes them in
// the background and in the foreground; it changes their size and the name of their Deployment,
// sometimes to one that another Foo or a foreign Deployment has; it deletes and scales Deployments
// behind the controller's back; and it puts foreign Deployments where a Foo wants one, or in the
// place of one that a Foo has, as similar as possible. It does not scale foreign ones. Different
// writers have different Foos.
absl::Status WriteAtRandom(const Context& ctx, const FooCluster& cluster, int writer,
                           const WriterOptions& options = {});

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_FOO_WRITER_H_
