#ifndef APISERVER_CALL_READ_CACHE_H_
#define APISERVER_CALL_READ_CACHE_H_

#include <cstdint>

#include "apiserver/call/call.h"
#include "apiserver/call/core.h"

namespace kube::apiserver::internal {

// Where a read comes from that may be served by the watch cache.
struct ReadCache {
  int64_t lag = 0;
  int64_t revision = 0;  // that it has
};

// The cache of the call's resource. A read that may not be stale comes from the storage, which does
// not lag.
ReadCache CacheOf(const Core& core, const Call& call, bool may_be_stale);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_READ_CACHE_H_
