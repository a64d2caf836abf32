#ifndef INFORMERS_WAIT_FOR_CACHE_SYNC_H_
#define INFORMERS_WAIT_FOR_CACHE_SYNC_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"

namespace kube::informers {

// What can be waited for: an informer, or one of its handlers. (cache.DoneChecker)
class Syncable {
 public:
  virtual ~Syncable() = default;

  // Set once, when it has synced.
  virtual const base::Event& synced() const = 0;
  // OK when it has; else what stands in the way, with the name of what it is about.
  virtual absl::Status WhyNotSynced() const = 0;
  // It will not sync any more.
  virtual bool IsStopped() const = 0;
};

struct WaitForCacheSyncOptions {
  // Give up as soon as one of them has an error that trying again does not cure: not allowed, no
  // such resource, a request that the server refuses, an answer that cannot be decoded. The
  // informer goes on trying. Default: no, as client-go: what is missing may be created yet.
  bool fail_fast = false;
};

// Blocks until all have synced. Call it after they were started, and before work that believes in
// their stores.
//
//   KUBE_RETURN_IF_ERROR(WaitForCacheSync(ctx, {&pods, &nodes}, {.fail_fast = true}));
//
// Errors name all that have not synced, and why: "wait for cache sync: pods: list pods: pods is
// forbidden: User ...; nodes: connection refused". Their code is that of ctx.status(); with
// fail_fast, that of the error, with its payload, so that errors::IsForbidden knows it.
// FAILED_PRECONDITION: one has stopped before it had synced, and `ctx` is not done.
// Where it has to wait, it logs "waiting for caches to sync" and "caches are synced" at level 0;
// log::SetVerbosity(-1), or the flag -v=-1, turns that off.
// (cache.WaitForCacheSync, which says false, and WaitForNamedCacheSync)
absl::Status WaitForCacheSync(const Context& ctx, absl::Span<const Syncable* const> what,
                              const WaitForCacheSyncOptions& options = {});

}  // namespace kube::informers

#endif  // INFORMERS_WAIT_FOR_CACHE_SYNC_H_
