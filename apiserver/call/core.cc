#include "apiserver/call/core.h"

namespace kube::apiserver::internal {

void Core::Settle() {
  do {
    registry.collector().Settle();
    registry.aggregator().Settle();
  } while (definitions.Settle());
}

}  // namespace kube::apiserver::internal
