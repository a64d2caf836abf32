#include "envtest/server/call/read_cache.h"

#include <cstdint>

#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"
#include "envtest/server/faults/read_faults.h"

namespace kube::envtest::internal {

ReadCache CacheOf(const Core& core, const Call& call, bool may_be_stale) {
  const int64_t lag = may_be_stale && call.faults != nullptr ? call.faults->Lag() : 0;
  return {.lag = lag, .revision = LaggingRevision(core.storage, call.resource->storage, lag)};
}

}  // namespace kube::envtest::internal
