#include "clientset/discovery/aggregated.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "api/apidiscovery/v2/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/box.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/server_resources.h"

namespace kube::discovery {

namespace discoveryv2 = api::apidiscovery::v2;
namespace metav1 = api::meta::v1;

namespace {

// Returns false if there is no kind. An empty kind counts as missing.
bool SetKind(const Box<metav1::GroupVersionKind>& kind, metav1::APIResource& resource) {
  if (kind == nullptr || *kind == metav1::GroupVersionKind()) return false;
  resource.group = kind->group;
  resource.version = kind->version;
  resource.kind = kind->kind;
  return true;
}

void AppendResource(const discoveryv2::APIResourceDiscovery& from, metav1::APIResourceList& list) {
  metav1::APIResource resource;
  resource.name = from.resource;
  resource.singular_name = from.singular_resource;
  resource.namespaced = from.scope == discoveryv2::kScopeNamespace;
  resource.verbs = from.verbs;
  resource.short_names = from.short_names;
  resource.categories = from.categories;
  // A resource without a kind may still have subresources with one.
  if (SetKind(from.response_kind, resource)) list.resources.push_back(resource);
  for (const discoveryv2::APISubresourceDiscovery& each : from.subresources) {
    metav1::APIResource subresource;
    if (!SetKind(each.response_kind, subresource)) continue;
    subresource.name = absl::StrCat(from.resource.view(), "/", each.subresource.view());
    subresource.singular_name = from.singular_resource;
    subresource.namespaced = resource.namespaced;
    subresource.verbs = each.verbs;
    list.resources.push_back(std::move(subresource));
  }
}

}  // namespace

GroupsAndMaybeResources SplitGroupsAndResources(
    const discoveryv2::APIGroupDiscoveryList& document) {
  auto groups = std::make_shared<metav1::APIGroupList>();
  GroupsAndMaybeResources result;
  result.resources.emplace();
  for (const discoveryv2::APIGroupDiscovery& from : document.items) {
    metav1::APIGroup group;
    group.name = from.metadata.name;
    for (const discoveryv2::APIVersionDiscovery& version : from.versions) {
      const schema::GroupVersion name = {.group = from.metadata.name, .version = version.version};
      if (version.freshness == discoveryv2::kDiscoveryFreshnessStale) {
        result.failed[name] = StaleGroupVersionError(name);
        continue;
      }
      const metav1::GroupVersionForDiscovery listed = {.group_version = name.ToString(),
                                                       .version = version.version};
      if (group.versions.empty()) group.preferred_version = listed;
      group.versions.push_back(listed);
      auto list = std::make_shared<metav1::APIResourceList>();
      list->group_version = name.ToString();
      for (const discoveryv2::APIResourceDiscovery& resource : version.resources) {
        AppendResource(resource, *list);
      }
      (*result.resources)[name] = std::move(list);
    }
    groups->groups.push_back(std::move(group));
  }
  result.groups = std::move(groups);
  return result;
}

}  // namespace kube::discovery
