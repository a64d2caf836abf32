#include "clientset/restmapper/discovery_rest_mapper.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/restmapper/default_rest_mapper.h"
#include "apimachinery/restmapper/multi_rest_mapper.h"
#include "apimachinery/restmapper/priority_rest_mapper.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/server_resources.h"

namespace kube::restmapper {

namespace metav1 = api::meta::v1;

namespace {

void Prefer(RestMapperPriority& priority, const std::string& group, const std::string& version) {
  priority.resources.push_back({.group = group, .version = version, .resource = kAny});
  priority.kinds.push_back({.group = group, .version = version, .kind = kAny});
}

void AddResource(DefaultRestMapper& mapper, const schema::GroupVersion& version,
                 const metav1::APIResource& resource) {
  if (absl::StrContains(resource.name.view(), "/")) return;  // a subresource
  const Scope scope = resource.namespaced ? Scope::kNamespaced : Scope::kCluster;
  const schema::GroupVersionResource plural = version.WithResource(resource.name);
  // Old servers do not send the singular name.
  const schema::GroupVersionResource singular =
      resource.singular_name.empty()
          ? UnsafeGuessKindToResource(version.WithKind(resource.kind)).singular
          : version.WithResource(resource.singular_name);
  mapper.AddSpecific(version.WithKind(absl::AsciiStrToLower(resource.kind.view())), plural,
                     singular, scope);
  mapper.AddSpecific(version.WithKind(resource.kind), plural, singular, scope);
  // As in client-go this is a guess: some of these kinds do not exist.
  mapper.Add(version.WithKind(absl::StrCat(resource.kind.view(), "List")), scope);
}

std::shared_ptr<RestMapper> MapperOf(const schema::GroupVersion& version,
                                     const metav1::APIResourceList& list) {
  auto mapper = std::make_shared<DefaultRestMapper>(std::vector<schema::GroupVersion>{version});
  for (const metav1::APIResource& resource : list.resources) {
    AddResource(*mapper, version, resource);
  }
  // No server lists the kind "List".
  mapper->Add(version.WithKind("List"), Scope::kCluster);
  return mapper;
}

}  // namespace

absl::StatusOr<std::vector<ApiGroupResources>> GetApiGroupResources(
    const Context& ctx, const discovery::Discovery& discovery) {
  KUBE_ASSIGN_OR_RETURN(const discovery::ServerResources all,
                        discovery.ServerGroupsAndResources(ctx));
  std::map<std::string, discovery::ResourceList> lists;
  for (const discovery::ResourceList& list : all.resources) lists[list->group_version] = list;
  std::vector<ApiGroupResources> result;
  for (const metav1::APIGroup& group : all.groups->groups) {
    ApiGroupResources resources = {.group = group};
    for (const metav1::GroupVersionForDiscovery& version : group.versions) {
      const auto list = lists.find(version.group_version);
      if (list != lists.end()) resources.versioned_resources[version.version] = list->second;
    }
    result.push_back(std::move(resources));
  }
  return result;
}

std::shared_ptr<RestMapper> NewDiscoveryRestMapper(absl::Span<const ApiGroupResources> groups) {
  std::vector<std::shared_ptr<RestMapper>> mappers;
  RestMapperPriority priority;
  Prefer(priority, "", "v1");  // always the first
  for (const ApiGroupResources& each : groups) {
    const std::string name = each.group.name;
    const std::string preferred = each.group.preferred_version.version;
    if (!preferred.empty() && each.versioned_resources.count(preferred) > 0) {
      Prefer(priority, name, preferred);
    }
    for (const metav1::GroupVersionForDiscovery& version : each.group.versions) {
      const auto list = each.versioned_resources.find(version.version);
      if (list == each.versioned_resources.end()) continue;
      // Some resources exist only in a version that is not preferred.
      if (version.version != preferred) Prefer(priority, name, version.version);
      mappers.push_back(MapperOf({.group = name, .version = version.version}, *list->second));
    }
  }
  for (const ApiGroupResources& each : groups) Prefer(priority, each.group.name, kAny);
  return std::make_shared<PriorityRestMapper>(std::make_shared<MultiRestMapper>(std::move(mappers)),
                                              std::move(priority));
}

}  // namespace kube::restmapper
