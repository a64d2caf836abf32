#ifndef TESTS_CONTROLLERS_FAULT_KINDS_H_
#define TESTS_CONTROLLERS_FAULT_KINDS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apiserver/fault_rule.h"
#include "tests/controllers/operator_cluster.h"

namespace kube::controllers {

// A kind of fault.
struct FaultKind {
  // Something that happens, and is over when it returns or `ctx` is done.
  using Strike = absl::Status (*)(const Context& ctx, OperatorCluster& cluster);

  const char* name = "";
  // Apply to the requests and watches of both replicas all the time.
  std::vector<apiserver::FaultRule> rules = {};
  // Happen from time to time, in random order, beside the loss of leadership.
  std::vector<Strike> strikes = {};
  // Whether no cache is ever behind for longer than a key waits for its own writes, and each answer
  // arrives: then no child may be created twice.
  bool creates_once = false;
};

// Returns all kinds; the first one has no faults but the loss of leadership, which they all have.
//
// No watch drops events silently (fault::DropEvent): a client cannot detect that, and a real server
// does not do it.
std::vector<FaultKind> FaultKinds();

// Causes the faults until `ctx` is done, and then restores normal operation.
absl::Status CauseFaults(const Context& ctx, OperatorCluster& cluster, const FaultKind& kind);

// Returns true with the given probability, depending on the simulation's seed.
bool Chance(double probability);
// Returns a random duration up to `most`.
absl::Duration UpTo(absl::Duration most);

}  // namespace kube::controllers

#endif  // TESTS_CONTROLLERS_FAULT_KINDS_H_
