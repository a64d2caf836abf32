#ifndef INFORMERS_WAIT_FOR_CACHE_SYNC_H_
#define INFORMERS_WAIT_FOR_CACHE_SYNC_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"

namespace kube::informers {

// Something whose synchronisation can be waited for: an informer or one of its handlers.
// Thread-safe. (client-go: `cache.DoneChecker`)
class Syncable {
 public:
  virtual ~Syncable() = default;

  // Returns an event that is set, once and for all, when this has synced.
  virtual const base::Event& synced() const = 0;
  // Returns OK if this has synced. Otherwise returns the reason, prefixed with its name.
  virtual absl::Status WhyNotSynced() const = 0;
  // Returns whether this has stopped and so cannot sync later.
  virtual bool IsStopped() const = 0;
};

struct WaitForCacheSyncOptions {
  // Return as soon as one of them has an error that a retry does not cure: forbidden, unknown
  // resource, a request that the server rejects, a response that cannot be decoded. The informers
  // keep retrying nevertheless. Default: false, as in client-go, since what is missing may still be
  // created.
  bool fail_fast = false;
};

// Blocks until all of `what` have synced. Call it after starting the informers and before work that
// relies on their stores.
//
//   KUBE_RETURN_IF_ERROR(WaitForCacheSync(ctx, {&pods}, {.fail_fast = true}));
//
// Errors name everything that has not synced, with the reasons: "wait for cache sync: pods: list
// pods: pods is forbidden: User ...; nodes: connection refused". Returns the code of ctx.status()
// if `ctx` is done. Returns FAILED_PRECONDITION if one of them stopped before it synced and `ctx`
// is not done. With `fail_fast`, returns the lasting error itself with its payload, so that
// errors::IsForbidden recognises it.
//
// If it has to wait, it logs "waiting for caches to sync" and "caches are synced" at level 0;
// log::SetVerbosity(-1), or the flag -v=-1, turns that off. (client-go: `cache.WaitForCacheSync`,
// which returns false instead of an error, and `WaitForNamedCacheSync`)
absl::Status WaitForCacheSync(const Context& ctx, absl::Span<const Syncable* const> what,
                              const WaitForCacheSyncOptions& options = {});

}  // namespace kube::informers

#endif  // INFORMERS_WAIT_FOR_CACHE_SYNC_H_
