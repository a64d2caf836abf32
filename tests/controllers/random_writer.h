#ifndef TESTS_CONTROLLERS_RANDOM_WRITER_H_
#define TESTS_CONTROLLERS_RANDOM_WRITER_H_

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "tests/controllers/operator_cluster.h"

namespace kube::controllers {

// Imitates users at random until `ctx` is done: creates, changes and deletes sets, mirrors, sources
// and records, deletes children behind the controller's back, and creates and deletes the
// namespaces of them. Different writers have different objects, but the same namespaces.
absl::Status WriteAtRandom(const Context& ctx, const OperatorCluster& cluster, int writer);

}  // namespace kube::controllers

#endif  // TESTS_CONTROLLERS_RANDOM_WRITER_H_
