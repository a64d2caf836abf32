#include "clientset/discovery/server_resources.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/string.h"

namespace kube::discovery {

namespace metav1 = api::meta::v1;

namespace {

constexpr char kFailedPayload[] = "kubernetes.io/GroupDiscoveryFailed";
constexpr char kStalePayload[] = "kubernetes.io/StaleGroupVersion";
constexpr char kEmptyPayload[] = "kubernetes.io/EmptyDiscoveryResponse";
constexpr char kCachePayload[] = "kubernetes.io/DiscoveryCacheNotFound";

absl::Status Marked(absl::Status status, absl::string_view payload) {
  status.SetPayload(payload, absl::Cord("true"));
  return status;
}

}  // namespace

absl::Status ServerResources::status() const { return GroupDiscoveryFailedError(failed); }

absl::Status GroupDiscoveryFailedError(const FailedGroupVersions& failed) {
  if (failed.empty()) return absl::OkStatus();
  std::vector<std::string> texts;
  for (const auto& [group_version, status] : failed) {
    texts.push_back(
        absl::StrCat(group_version.ToString(), ": ", absl::string_view(status.message())));
  }
  std::sort(texts.begin(), texts.end());
  return Marked(
      absl::UnavailableError(absl::StrCat("unable to retrieve the complete list of server APIs: ",
                                          absl::StrJoin(texts, ", "))),
      kFailedPayload);
}

bool IsGroupDiscoveryFailed(const absl::Status& status) {
  return status.GetPayload(kFailedPayload).has_value();
}

absl::Status StaleGroupVersionError(const schema::GroupVersion& group_version) {
  return Marked(absl::UnavailableError(
                    absl::StrCat("stale GroupVersion discovery: ", group_version.ToString())),
                kStalePayload);
}

bool IsStaleGroupVersion(const absl::Status& status) {
  return status.GetPayload(kStalePayload).has_value();
}

absl::Status EmptyResponseError(absl::string_view group_version) {
  return Marked(
      absl::UnavailableError(absl::StrCat("received empty response for: ", group_version)),
      kEmptyPayload);
}

bool IsEmptyResponse(const absl::Status& status) {
  return status.GetPayload(kEmptyPayload).has_value();
}

absl::Status CacheNotFoundError(absl::string_view group_version) {
  return Marked(absl::NotFoundError(
                    absl::StrCat("get resources of \"", group_version, "\" from cache: not found")),
                kCachePayload);
}

bool IsCacheNotFound(const absl::Status& status) {
  return status.GetPayload(kCachePayload).has_value();
}

std::vector<ResourceList> FilteredBy(ResourcePredicate keep, absl::Span<const ResourceList> lists) {
  std::vector<ResourceList> result;
  for (const ResourceList& list : lists) {
    auto kept = std::make_shared<metav1::APIResourceList>();
    kept->group_version = list->group_version;
    for (const metav1::APIResource& resource : list->resources) {
      if (keep(list->group_version, resource)) kept->resources.push_back(resource);
    }
    if (!kept->resources.empty()) result.push_back(std::move(kept));
  }
  return result;
}

bool SupportsAllVerbs(const metav1::APIResource& resource,
                      absl::Span<const absl::string_view> verbs) {
  return std::all_of(verbs.begin(), verbs.end(), [&resource](absl::string_view verb) {
    return std::find(resource.verbs.begin(), resource.verbs.end(), verb) != resource.verbs.end();
  });
}

absl::StatusOr<std::set<schema::GroupVersionResource>> GroupVersionResources(
    absl::Span<const ResourceList> lists) {
  std::set<schema::GroupVersionResource> result;
  for (const ResourceList& list : lists) {
    KUBE_ASSIGN_OR_RETURN(const schema::GroupVersion group_version,
                          schema::ParseGroupVersion(list->group_version));
    for (const metav1::APIResource& resource : list->resources) {
      result.insert(group_version.WithResource(resource.name));
    }
  }
  return result;
}

}  // namespace kube::discovery
