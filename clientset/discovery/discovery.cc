#include "clientset/discovery/discovery.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/discovery/internal/fetch_group_versions.h"
#include "clientset/discovery/server_resources.h"

namespace kube::discovery {

namespace metav1 = api::meta::v1;

namespace {

std::vector<schema::GroupVersion> VersionsOf(const metav1::APIGroupList& groups) {
  std::vector<schema::GroupVersion> result;
  for (const metav1::APIGroup& group : groups.groups) {
    for (const metav1::GroupVersionForDiscovery& version : group.versions) {
      result.push_back({.group = group.name, .version = version.version});
    }
  }
  return result;
}

// Fetches all groups and resources, in no particular order.
absl::StatusOr<GroupsAndMaybeResources> FetchAll(const Context& ctx, const Discovery& discovery) {
  KUBE_ASSIGN_OR_RETURN(GroupsAndMaybeResources all, discovery.MaybeResources(ctx));
  if (all.resources.has_value()) return all;
  std::vector<std::string> names;
  const std::vector<schema::GroupVersion> versions = VersionsOf(*all.groups);
  for (const schema::GroupVersion& version : versions) names.push_back(version.ToString());
  std::vector<absl::StatusOr<ResourceList>> answers = internal::FetchGroupVersions(
      ctx, names, [&discovery](const Context& fetch_ctx, const std::string& name) {
        return discovery.ServerResourcesForGroupVersion(fetch_ctx, name);
      });
  // An answer that is incomplete because the caller's context has ended is useless.
  KUBE_RETURN_IF_ERROR(ctx.status());
  all.resources.emplace();
  for (size_t i = 0; i < versions.size(); ++i) {
    if (answers[i].ok()) {
      (*all.resources)[versions[i]] = *std::move(answers[i]);
    } else {
      all.failed[versions[i]] = answers[i].status();
    }
  }
  return all;
}

using Choices = std::map<schema::GroupResource, const metav1::APIResource*>;

// Chooses for each resource the one of the preferred version, or else of the version that is listed
// first.
Choices Choose(const metav1::APIGroupList& groups, const ResourcesByGroupVersion& resources) {
  Choices chosen;
  for (const metav1::APIGroup& group : groups.groups) {
    for (const metav1::GroupVersionForDiscovery& version : group.versions) {
      const auto list = resources.find({.group = group.name, .version = version.version});
      if (list == resources.end()) continue;
      const bool preferred = version.version == group.preferred_version.version;
      for (const metav1::APIResource& resource : list->second->resources) {
        if (absl::StrContains(resource.name.view(), "/")) continue;
        const metav1::APIResource*& choice =
            chosen[{.group = group.name, .resource = resource.name}];
        if (choice == nullptr || preferred) choice = &resource;
      }
    }
  }
  return chosen;
}

}  // namespace

absl::StatusOr<GroupsAndMaybeResources> Discovery::MaybeResources(const Context& ctx) const {
  GroupsAndMaybeResources result;
  KUBE_ASSIGN_OR_RETURN(result.groups, ServerGroups(ctx));
  return result;
}

absl::StatusOr<ServerResources> Discovery::ServerGroupsAndResources(const Context& ctx) const {
  KUBE_ASSIGN_OR_RETURN(GroupsAndMaybeResources all, FetchAll(ctx, *this));
  ServerResources result = {.groups = std::move(all.groups), .failed = std::move(all.failed)};
  for (const schema::GroupVersion& version : VersionsOf(*result.groups)) {
    const auto found = all.resources->find(version);
    if (found == all.resources->end()) continue;
    result.resources.push_back(std::move(found->second));
    all.resources->erase(found);  // a group-version that is listed twice is here once
  }
  return result;
}

absl::StatusOr<ServerResources> Discovery::ServerPreferredResources(const Context& ctx) const {
  KUBE_ASSIGN_OR_RETURN(GroupsAndMaybeResources all, FetchAll(ctx, *this));
  const Choices chosen = Choose(*all.groups, *all.resources);
  ServerResources result = {.groups = std::move(all.groups), .failed = std::move(all.failed)};
  for (const schema::GroupVersion& version : VersionsOf(*result.groups)) {
    const auto found = all.resources->find(version);
    if (found == all.resources->end()) continue;
    auto list = std::make_shared<metav1::APIResourceList>();
    list->group_version = version.ToString();
    for (const metav1::APIResource& resource : found->second->resources) {
      const auto choice = chosen.find({.group = version.group, .resource = resource.name});
      if (choice != chosen.end() && choice->second == &resource) {
        list->resources.push_back(resource);
      }
    }
    result.resources.push_back(std::move(list));
    all.resources->erase(found);
  }
  return result;
}

absl::StatusOr<ServerResources> Discovery::ServerPreferredNamespacedResources(
    const Context& ctx) const {
  // Not the override of DiscoveryClient, which tries twice: as in client-go.
  KUBE_ASSIGN_OR_RETURN(ServerResources result, Discovery::ServerPreferredResources(ctx));
  result.resources = FilteredBy(
      [](absl::string_view, const metav1::APIResource& resource) { return resource.namespaced; },
      result.resources);
  return result;
}

absl::StatusOr<bool> IsResourceEnabled(const Context& ctx, const Discovery& discovery,
                                       const schema::GroupVersionResource& resource) {
  const absl::StatusOr<ResourceList> list =
      discovery.ServerResourcesForGroupVersion(ctx, resource.group_version().ToString());
  if (errors::IsNotFound(list.status())) return false;
  KUBE_RETURN_IF_ERROR(list);
  for (const metav1::APIResource& served : (*list)->resources) {
    if (served.name == resource.resource) return true;
  }
  return false;
}

absl::Status ServerSupportsVersion(const Context& ctx, const Discovery& discovery,
                                   const schema::GroupVersion& required) {
  KUBE_ASSIGN_OR_RETURN(const GroupList groups, discovery.ServerGroups(ctx));
  bool any = false;
  for (const metav1::APIGroup& group : groups->groups) {
    for (const metav1::GroupVersionForDiscovery& version : group.versions) {
      if (version.group_version == required.ToString()) return absl::OkStatus();
      any = true;
    }
  }
  // A server that does not show its versions to this client may still have it.
  if (!any) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("server does not support API version \"", required.ToString(), "\""));
}

}  // namespace kube::discovery
