#ifndef TESTS_SIMULATION_FOO_TROUBLES_H_
#define TESTS_SIMULATION_FOO_TROUBLES_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apiserver/fault_rule.h"
#include "tests/simulation/foo_cluster.h"

namespace kube::simulation {

// A kind of trouble.
struct Trouble {
  // Something that happens, and is over when it returns or `ctx` is done.
  using Strike = absl::Status (*)(const Context& ctx, FooCluster& cluster);

  const char* name = "";
  size_t processes = 1;
  bool elects = false;
  // Apply to the controller's requests and watches all the time.
  std::vector<apiserver::FaultRule> rules = {};
  // Happen from time to time, in random order.
  std::vector<Strike> strikes = {};
};

// Returns everything that the server can do to a client; the first one is no trouble at all.
//
// Except for one: a watch never drops events silently (fault::DropEvent). A client cannot detect
// that, and a real server does not do it.
std::vector<Trouble> Troubles();

// Causes the trouble until `ctx` is done, and then restores normal operation.
void CauseTrouble(const Context& ctx, FooCluster& cluster, const Trouble& trouble);

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_FOO_TROUBLES_H_
