#ifndef APISERVER_CALL_READ_CACHE_H_
#define APISERVER_CALL_READ_CACHE_H_

#include <cstdint>

#include "apiserver/call/call.h"
#include "apiserver/call/core.h"

namespace kube::apiserver::internal {

// The watch cache, as a read sees it.
struct ReadCache {
  int64_t lag = 0;
  int64_t revision = 0;  // the latest that the cache has
};

// Returns the cache of the call's resource. It never lags for a read that must not be stale, since
// that one is served from the storage.
ReadCache CacheOf(const Core& core, const Call& call, bool may_be_stale);

}  // namespace kube::apiserver::internal

#endif  // APISERVER_CALL_READ_CACHE_H_
