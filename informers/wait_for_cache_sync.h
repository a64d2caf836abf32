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

// Returns whether `why`, a result of Syncable::WhyNotSynced, is an error that trying again does not
// cure, so that a program should report it instead of waiting: unauthorized, forbidden, an unknown
// resource, a method or media type that the server does not support, a request that the server
// rejects (400, 422), invalid options, a response that cannot be decoded. Returns false for OK, for
// UNAVAILABLE and for errors that pass, such as a lost connection. An informer keeps retrying
// nevertheless, and syncs if the cause is removed: if a role is granted, or if a definition that
// was missing is created; a program that expects the latter tests errors::IsNotFound first. An
// informer that has stopped is not told by its error, but by Syncable::IsStopped. Thread-safe.
bool CannotSync(const absl::Status& why);

struct WaitForCacheSyncOptions {
  // Return as soon as one of them has an error that trying again does not cure; see CannotSync. The
  // informers keep retrying nevertheless. Default: false, as in client-go, since what is missing
  // may still be created.
  bool fail_fast = false;
  // Log nothing, for a caller that calls again and again with a short timeout. Default: false.
  bool quiet = false;
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
