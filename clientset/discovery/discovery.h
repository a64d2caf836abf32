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

// The groups of a server, and all resources if the server has sent both together.
struct GroupsAndMaybeResources {
  GroupList groups = {};
  // If unset, each group-version must still be requested.
  std::optional<ResourcesByGroupVersion> resources = {};
  // The group-versions that are missing in `resources`, with the reasons.
  FailedGroupVersions failed = {};
};

// Asks a server what it serves: groups, their versions, and resources with their names, scope,
// verbs, short names and categories. (client-go: `discovery.DiscoveryInterface`,
// `discovery.AggregatedDiscoveryInterface`)
//
//   const discovery::DiscoveryClient server(client);
//   KUBE_ASSIGN_OR_RETURN(const ServerResources all, server.ServerGroupsAndResources(ctx));
//   std::vector<std::string> names;  // "v1", "apps/v1" and so on
//   for (const ResourceList& list : all.resources) names.push_back(list->group_version);
//
// DiscoveryClient asks the server each time; MemoryCache and DiskCache cache its answers. All calls
// may block until the server answers or `ctx` is done, and return the errors of rest::Client. If
// some group-versions fail, that is not an error of the call: see ServerResources::status().
//
// Implementations are thread-safe.
class Discovery {
 public:
  virtual ~Discovery() = default;

  // Returns the groups and their versions.
  virtual absl::StatusOr<GroupList> ServerGroups(const Context& ctx) const = 0;

  // Returns the resources of a group-version such as "apps/v1" or "v1". Returns NOT_FOUND
  // (errors::IsNotFound) if it does not exist.
  virtual absl::StatusOr<ResourceList> ServerResourcesForGroupVersion(
      const Context& ctx, absl::string_view group_version) const = 0;

  // Returns the version of the server.
  virtual absl::StatusOr<version::Info> ServerVersion(const Context& ctx) const = 0;

  // Returns the groups, and the resources if they come with them. The methods below are built on
  // it. This implementation returns ServerGroups without resources.
  virtual absl::StatusOr<GroupsAndMaybeResources> MaybeResources(const Context& ctx) const;

  // Returns all groups and resources, from one answer if the server sends one, and otherwise with a
  // request for each group-version, several at a time.
  virtual absl::StatusOr<ServerResources> ServerGroupsAndResources(const Context& ctx) const;

  // Returns each resource in one version: the preferred version of its group if that has the
  // resource, otherwise the first version that does. Subresources are left out.
  virtual absl::StatusOr<ServerResources> ServerPreferredResources(const Context& ctx) const;

  // Returns those of ServerPreferredResources that are namespaced.
  absl::StatusOr<ServerResources> ServerPreferredNamespacedResources(const Context& ctx) const;

  // Makes a cache forget everything. Later answers come from requests that are sent after this
  // call.
  virtual void Invalidate() {}
};

// A Discovery that caches. (client-go: `discovery.CachedDiscoveryInterface`)
class CachedDiscovery : public Discovery {
 public:
  // Returns whether something that is missing here is missing on the server as well, as far as the
  // cache can know. If false, call Invalidate and ask again.
  virtual bool Fresh() const = 0;
  void Invalidate() override = 0;
};

// Returns whether the server has the resource. Sends one request, and returns its error.
// (client-go: `discovery.IsResourceEnabled`)
absl::StatusOr<bool> IsResourceEnabled(const Context& ctx, const Discovery& discovery,
                                       const schema::GroupVersionResource& resource);

// Returns OK if the server has the group-version or names no versions at all, and UNIMPLEMENTED if
// it has others only. (client-go: `discovery.ServerSupportsVersion`)
absl::Status ServerSupportsVersion(const Context& ctx, const Discovery& discovery,
                                   const schema::GroupVersion& required);

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_DISCOVERY_H_
