#include "controller/reconcile/internal/require_access.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "clientset/typed/resource.h"
#include "controller/cache/cache.h"
#include "controller/cache/namespace_set.h"
#include "controller/cache/required_access.h"
#include "controller/cache/watched_core.h"
#include "controller/reconcile/writes_options.h"

namespace kube::controller::internal {
namespace {

// Returns where a writer writes; empty means everywhere.
std::vector<std::string> NamespacesOf(const Cache& cache, const typed::Resource& resource,
                                      const WatchedCore* store, const WriteAccess& access) {
  if (!resource.namespaced) return {};
  if (!access.namespaces.empty()) return access.namespaces;
  return store != nullptr ? store->namespaces().names() : cache.options().namespaces;
}

}  // namespace

void RequireOnWatched(Cache& cache, const WatchedCore& watched, absl::string_view subresource,
                      std::vector<std::string> verbs) {
  std::string resource = watched.resource().resource;
  if (!subresource.empty()) absl::StrAppend(&resource, "/", subresource);
  cache.RequireAccess({.group = watched.resource().group,
                       .resource = std::move(resource),
                       .verbs = std::move(verbs),
                       .namespaces = watched.namespaces().names()});
}

void RequireEvents(Cache& cache, const WatchedCore& primary) {
  std::vector<std::string> namespaces = {"default"};
  if (primary.namespaced()) namespaces = primary.namespaces().names();
  cache.RequireAccess(
      {.resource = "events", .verbs = {"create", "patch"}, .namespaces = std::move(namespaces)});
}

void RequireForWriter(Cache& cache, const typed::Resource& resource, const WatchedCore* store,
                      const WriteAccess& access) {
  cache.RequireAccess({.group = std::string(resource.group),
                       .resource = std::string(resource.plural),
                       .verbs = access.verbs,
                       .names = access.names,
                       .namespaces = NamespacesOf(cache, resource, store, access)});
}

}  // namespace kube::controller::internal
