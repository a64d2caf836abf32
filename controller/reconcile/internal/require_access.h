#ifndef CONTROLLER_RECONCILE_INTERNAL_REQUIRE_ACCESS_H_
#define CONTROLLER_RECONCILE_INTERNAL_REQUIRE_ACCESS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "clientset/typed/resource.h"
#include "controller/cache/cache.h"
#include "controller/cache/watched_core.h"
#include "controller/reconcile/writes_options.h"

// Note in a cache what a controller needs rights for. Do not block; thread-safe.
namespace kube::controller::internal {

// Notes verbs on the objects of a watch, or on a subresource of them if `subresource` is not empty.
void RequireOnWatched(Cache& cache, const WatchedCore& watched, absl::string_view subresource,
                      std::vector<std::string> verbs);

// Notes that events are written about the objects of a controller's primary watch: in their
// namespaces, and in "default" if the kind is cluster-scoped.
void RequireEvents(Cache& cache, const WatchedCore& primary);

// Notes what a writer needs. `store` is the watch to which it belongs, or null.
void RequireForWriter(Cache& cache, const typed::Resource& resource, const WatchedCore* store,
                      const WriteAccess& access);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_REQUIRE_ACCESS_H_
