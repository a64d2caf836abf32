#ifndef CLIENTSET_DISCOVERY_SERVER_RESOURCES_H_
#define CLIENTSET_DISCOVERY_SERVER_RESOURCES_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/schema/group_version.h"

// The results of discovery and its errors. Lists are shared and immutable: caches give the same
// list to all callers. Groups and lists have no kind and apiVersion.
namespace kube::discovery {

// Never null, neither here nor inside other results.
using GroupList = std::shared_ptr<const api::meta::v1::APIGroupList>;
using ResourceList = std::shared_ptr<const api::meta::v1::APIResourceList>;

using ResourcesByGroupVersion = std::map<schema::GroupVersion, ResourceList>;
// Why the resources of a group-version are unknown. No status is OK.
using FailedGroupVersions = std::map<schema::GroupVersion, absl::Status>;

// The groups and resources that could be found out. If an extension API server is down, the result
// is incomplete, but the rest of it is still useful:
//
//   KUBE_ASSIGN_OR_RETURN(const ServerResources all, discovery.ServerGroupsAndResources(ctx));
//   if (!all.status().ok()) log::Error(all.status(), "discovery is incomplete");
//
// (client-go returns the lists together with an error.)
struct ServerResources {
  GroupList groups = std::make_shared<const api::meta::v1::APIGroupList>();
  // In the order of the groups and their versions.
  std::vector<ResourceList> resources = {};
  FailedGroupVersions failed = {};

  // Returns OK, or GroupDiscoveryFailedError(failed).
  absl::Status status() const;
};

// Returns UNAVAILABLE with the name of each failed group-version and its reason, or OK if none has
// failed. (client-go: `discovery.ErrGroupDiscoveryFailed`, whose groups are
// ServerResources::failed)
absl::Status GroupDiscoveryFailedError(const FailedGroupVersions& failed);
// Also true if context was added to the error. (client-go: `discovery.IsGroupDiscoveryFailedError`)
bool IsGroupDiscoveryFailed(const absl::Status& status);

// Returns UNAVAILABLE: an aggregating server has lost contact with the server of the group-version.
// (client-go: `discovery.StaleGroupVersionError`)
absl::Status StaleGroupVersionError(const schema::GroupVersion& group_version);
bool IsStaleGroupVersion(const absl::Status& status);

// Returns UNAVAILABLE: a group-version is listed but has no resources, for example because its
// server has just started. Caches treat that as an error.
absl::Status EmptyResponseError(absl::string_view group_version);
bool IsEmptyResponse(const absl::Status& status);

// Returns NOT_FOUND: a cache does not have the group-version. (client-go:
// `memory.ErrCacheNotFound`)
absl::Status CacheNotFoundError(absl::string_view group_version);
bool IsCacheNotFound(const absl::Status& status);

// ---- Choosing resources. Pure functions: thread-safe.

using ResourcePredicate =
    absl::FunctionRef<bool(absl::string_view group_version, const api::meta::v1::APIResource&)>;

// Returns the resources for which `keep` returns true; lists that are empty then are left out.
// (client-go: `discovery.FilteredBy`)
std::vector<ResourceList> FilteredBy(ResourcePredicate keep, absl::Span<const ResourceList> lists);

// (client-go: `discovery.SupportsAllVerbs.Match`)
bool SupportsAllVerbs(const api::meta::v1::APIResource& resource,
                      absl::Span<const absl::string_view> verbs);

// Returns all resources and subresources of the lists. Returns INVALID_ARGUMENT if the
// group-version of a list is malformed. (client-go: `discovery.GroupVersionResources`)
absl::StatusOr<std::set<schema::GroupVersionResource>> GroupVersionResources(
    absl::Span<const ResourceList> lists);

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_SERVER_RESOURCES_H_
