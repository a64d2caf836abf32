#ifndef ENVTEST_SERVER_CALL_READ_CACHE_H_
#define ENVTEST_SERVER_CALL_READ_CACHE_H_

#include <cstdint>

#include "envtest/server/call/call.h"
#include "envtest/server/call/core.h"

namespace kube::envtest::internal {

// Where a read comes from that may be served by the watch cache.
struct ReadCache {
  int64_t lag = 0;
  int64_t revision = 0;  // that it has
};

// The cache of the call's resource. A read that may not be stale comes from the storage, which does
// not lag.
ReadCache CacheOf(const Core& core, const Call& call, bool may_be_stale);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_SERVER_CALL_READ_CACHE_H_
