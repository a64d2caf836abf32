#include "envtest/server/call/core.h"

namespace kube::envtest::internal {

void Core::Settle() {
  do {
    registry.collector().Settle();
  } while (definitions.Settle());
}

}  // namespace kube::envtest::internal
