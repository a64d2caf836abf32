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

// What discovery answers, and its errors. Lists are shared and nobody changes them: caches give the
// same ones to all. No group or list says its own kind and apiVersion.
namespace kube::discovery {

// Null nowhere.
using GroupList = std::shared_ptr<const api::meta::v1::APIGroupList>;
using ResourceList = std::shared_ptr<const api::meta::v1::APIResourceList>;

using ResourcesByGroupVersion = std::map<schema::GroupVersion, ResourceList>;
// Why nothing is known of a group-version. None is OK.
using FailedGroupVersions = std::map<schema::GroupVersion, absl::Status>;

// What could be found out of groups and resources. One extension server that is down makes the
// answer incomplete, and is no reason to go without the rest:
//
//   KUBE_ASSIGN_OR_RETURN(ServerResources all, discovery.ServerGroupsAndResources(ctx));
//   if (!all.status().ok()) log::Error(all.status(), "discovery is incomplete");
//
// (client-go returns lists and an error at once)
struct ServerResources {
  GroupList groups = std::make_shared<const api::meta::v1::APIGroupList>();
  // In the order of the groups and their versions.
  std::vector<ResourceList> resources = {};
  FailedGroupVersions failed = {};

  // OK, or GroupDiscoveryFailedError.
  absl::Status status() const;
};

// UNAVAILABLE; names each group-version, with its reason. OK if there is none.
// (ErrGroupDiscoveryFailed; the groups are ServerResources::failed)
absl::Status GroupDiscoveryFailedError(const FailedGroupVersions& failed);
// Also where context was added. (IsGroupDiscoveryFailedError)
bool IsGroupDiscoveryFailed(const absl::Status& status);

// UNAVAILABLE: an aggregating server has lost touch with the one that serves the group-version.
// (StaleGroupVersionError)
absl::Status StaleGroupVersionError(const schema::GroupVersion& group_version);
bool IsStaleGroupVersion(const absl::Status& status);

// UNAVAILABLE: a group-version that is listed and has no resources, as one whose server has just
// begun. Caches take it for an error.
absl::Status EmptyResponseError(absl::string_view group_version);
bool IsEmptyResponse(const absl::Status& status);

// NOT_FOUND: a cache does not have the group-version. (memory.ErrCacheNotFound)
absl::Status CacheNotFoundError(absl::string_view group_version);
bool IsCacheNotFound(const absl::Status& status);

// ---- choosing among resources. Pure functions: thread-safe.

using ResourcePredicate =
    absl::FunctionRef<bool(absl::string_view group_version, const api::meta::v1::APIResource&)>;

// Those that `keep` wants; lists that have none left are left away. (FilteredBy)
std::vector<ResourceList> FilteredBy(ResourcePredicate keep, absl::Span<const ResourceList> lists);

// (SupportsAllVerbs.Match)
bool SupportsAllVerbs(const api::meta::v1::APIResource& resource,
                      absl::Span<const absl::string_view> verbs);

// All resources and subresources of the lists. INVALID_ARGUMENT where a list is of no
// group-version. (GroupVersionResources)
absl::StatusOr<std::set<schema::GroupVersionResource>> GroupVersionResources(
    absl::Span<const ResourceList> lists);

}  // namespace kube::discovery

#endif  // CLIENTSET_DISCOVERY_SERVER_RESOURCES_H_
