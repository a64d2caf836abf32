#ifndef TESTS_SIMULATION_FOO_TROUBLES_H_
#define TESTS_SIMULATION_FOO_TROUBLES_H_

#include <cstddef>
#include <vector>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apiserver/fault_rule.h"
#include "tests/simulation/foo_cluster.h"

namespace kube::simulation {

// One kind of what goes wrong.
struct Trouble {
  // Something that happens and is over when it returns, or when `ctx` is done.
  using Strike = absl::Status (*)(const Context& ctx, FooCluster& cluster);

  const char* name = "";
  size_t processes = 1;
  bool elects = false;
  // Of the controller's requests and watches, all the time.
  std::vector<apiserver::FaultRule> rules = {};
  // Now and then, any of them.
  std::vector<Strike> strikes = {};
};

// All that the server can do to a client; the first is nothing.
//
// But one: events that a watch leaves out without a word (fault::DropEvent) are not among them. No
// client can know of these, and a real server has none.
std::vector<Trouble> Troubles();

// Until `ctx` is done; then all is well again.
void CauseTrouble(const Context& ctx, FooCluster& cluster, const Trouble& trouble);

}  // namespace kube::simulation

#endif  // TESTS_SIMULATION_FOO_TROUBLES_H_
