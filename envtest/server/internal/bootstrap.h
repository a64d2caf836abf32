#ifndef ENVTEST_SERVER_INTERNAL_BOOTSTRAP_H_
#define ENVTEST_SERVER_INTERNAL_BOOTSTRAP_H_

#include "envtest/server/internal/core.h"

namespace kube::envtest::internal {

// What every cluster has from the start: its four namespaces.
void Bootstrap(Core& core);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_INTERNAL_BOOTSTRAP_H_
