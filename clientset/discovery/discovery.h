#ifndef CLIENTSET_DISCOVERY_DISCOVERY_H_
#define CLIENTSET_DISCOVERY_DISCOVERY_H_

#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/version/info.kube.h"
#include "clientset/discovery/server_resources.h"

namespace kube::discovery {

// The groups, and all resources if the server said both at once.
struct GroupsAndMaybeResources {
  GroupList groups = {};
  // Nothing: each group-version is still to be asked for.
  std::optional<ResourcesByGroupVersion> resources = {};
  // Of `resources`.
  FailedGroupVersions failed = {};
};

// Asks a server what it serves: groups, their versions, resources with their names, scope, verbs,
// short names and categories. (discovery.DiscoveryInterface and AggregatedDiscoveryInterface)
//
//   discovery::DiscoveryClient server(client);
//   KUBE_ASSIGN_OR_RETURN(const ServerResources all, server.ServerGroupsAndResources(ctx));
//   for (const ResourceList& list : all.resources) ...    // list->group_version: "apps/v1"
//
// DiscoveryClient asks each time; MemoryCache and DiskCache stand before it. All calls may block
// until a server answers or `ctx` is done. Errors are those of rest::Client; what is incomplete is
// no error but ServerResources::status().
//
// Implementations are thread-safe.
class Discovery {
 public:
  virtual ~Discovery() = default;

  virtual absl::StatusOr<GroupList> ServerGroups(const Context& ctx) const = 0;

  // Of "apps/v1" or "v1". NOT_FOUND, errors::IsNotFound: there is no such group-version.
  virtual absl::StatusOr<ResourceList> ServerResourcesForGroupVersion(
      const Context& ctx, absl::string_view group_version) const = 0;

  virtual absl::StatusOr<version::Info> ServerVersion(const Context& ctx) const = 0;

  // For implementations of what follows. Here: ServerGroups, and no resources.
  virtual absl::StatusOr<GroupsAndMaybeResources> MaybeResources(const Context& ctx) const;

  // Everything: from one answer, or else by asking for each group-version, several at a time.
  virtual absl::StatusOr<ServerResources> ServerGroupsAndResources(const Context& ctx) const;

  // Each resource in one version, the one that the server prefers for its group where it has it
  // there; no subresources.
  virtual absl::StatusOr<ServerResources> ServerPreferredResources(const Context& ctx) const;

  // Those of them that are in namespaces.
  absl::StatusOr<ServerResources> ServerPreferredNamespacedResources(const Context& ctx) const;

  // Of a cache: forgets. What is answered from now on was asked for after this.
  virtual void Invalidate() {}
};

// One that remembers. (CachedDiscoveryInterface)
class CachedDiscovery : public Discovery {
 public:
  // Whether what is not found here is not at the server either, as far as this cache can know.
  // False: Invalidate, and ask again.
  virtual bool Fresh() const = 0;
  void Invalidate() override = 0;
};

// Whether the server has the resource. One request. (IsResourceEnabled)
absl::StatusOr<bool> IsResourceEnabled(const Context& ctx, const Discovery& discovery,
                                       const schema::GroupVersionResource& resource);

// OK, also if the server names no versions at all; UNIMPLEMENTED if it does not have this one.
// (ServerSupportsVersion)
absl::Status ServerSupportsVersion(const Context& ctx, const Discovery& discovery,
                                   const schema::GroupVersion& required);

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_DISCOVERY_H_
