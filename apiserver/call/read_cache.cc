#include "apiserver/call/read_cache.h"

#include <cstdint>

#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/faults/read_faults.h"

namespace kube::apiserver::internal {

ReadCache CacheOf(const Core& core, const Call& call, bool may_be_stale) {
  const int64_t lag = may_be_stale && call.faults != nullptr ? call.faults->Lag() : 0;
  return {.lag = lag, .revision = LaggingRevision(core.storage, call.resource->storage, lag)};
}

}  // namespace kube::apiserver::internal
