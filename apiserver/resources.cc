#include "apiserver/resources.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/version/api_version.h"
#include "apiserver/custom_kind.h"

namespace kube::apiserver {
namespace {

struct Served {
  absl::string_view group;
  absl::string_view version;
};

// Listed in the order of kube-apiserver's /apis: by group priority, then by version priority.
constexpr Served kServed[] = {
    {"", "v1"},
    {"apiregistration.k8s.io", "v1"},
    {"apps", "v1"},
    {"events.k8s.io", "v1"},
    {"authentication.k8s.io", "v1"},
    {"authorization.k8s.io", "v1"},
    {"autoscaling", "v2"},
    {"autoscaling", "v1"},
    {"batch", "v1"},
    {"certificates.k8s.io", "v1"},
    {"networking.k8s.io", "v1"},
    {"policy", "v1"},
    {"rbac.authorization.k8s.io", "v1"},
    {"storage.k8s.io", "v1"},
    {"admissionregistration.k8s.io", "v1"},
    {"apiextensions.k8s.io", "v1"},
    {"scheduling.k8s.io", "v1"},
    {"coordination.k8s.io", "v1"},
    {"node.k8s.io", "v1"},
    {"discovery.k8s.io", "v1"},
    {"resource.k8s.io", "v1"},
    {"flowcontrol.apiserver.k8s.io", "v1"},
};

bool IsServed(const KindInfo& kind) {
  return std::any_of(std::begin(kServed), std::end(kServed), [&](const Served& served) {
    return served.group == kind.group && served.version == kind.version;
  });
}

// Returns the kind as which objects of `kind` are stored, or null if they are stored as they are.
// As in a real server, events are stored as those of the core group, and autoscalers in the
// preferred version of their group.
const KindInfo* StoredKindOf(const KindInfo& kind) {
  if (kind.group == "events.k8s.io" && kind.kind == "Event") return api::FindKind("v1", "Event");
  if (kind.group == "autoscaling" && kind.version == "v1" &&
      kind.kind == "HorizontalPodAutoscaler") {
    return api::FindKind("autoscaling/v2", kind.kind);
  }
  return nullptr;
}

}  // namespace

bool Resource::HasVerb(absl::string_view verb) const {
  return std::find(kind->verbs.begin(), kind->verbs.end(), verb) != kind->verbs.end();
}

const SubresourceInfo* Resource::FindSubresource(absl::string_view name) const {
  for (const SubresourceInfo& each : kind->subresources) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

std::string Resource::ApiVersion() const {
  return absl::StrCat(kind->group, kind->group.empty() ? "" : "/", kind->version);
}

schema::GroupResource Resource::group_resource() const {
  return {.group = std::string(kind->group), .resource = std::string(kind->plural)};
}

schema::GroupKind Resource::group_kind() const {
  return {.group = std::string(kind->group), .kind = std::string(kind->kind)};
}

std::string Resource::KeyOf(absl::string_view namespace_name, absl::string_view name) const {
  return namespaced() ? absl::StrCat(namespace_name, "/", name) : std::string(name);
}

std::string Resource::PrefixOf(absl::string_view namespace_name) const {
  return namespaced() && !namespace_name.empty() ? absl::StrCat(namespace_name, "/")
                                                 : std::string();
}

Resources Resources::BuiltIn() {
  Resources resources;
  for (const Served& served : kServed) {
    resources.group_versions_.push_back(
        {.group = std::string(served.group), .version = std::string(served.version)});
  }
  std::map<std::tuple<absl::string_view, absl::string_view, absl::string_view>, const KindInfo*>
      lists;
  const std::vector<const KindInfo*> kinds = api::AllKinds();
  for (const KindInfo* kind : kinds) {
    if (!kind->list_of.empty()) lists[{kind->group, kind->version, kind->list_of}] = kind;
  }
  for (const KindInfo* kind : kinds) {
    if (kind->scope == Scope::kNone || !IsServed(*kind)) continue;
    Resource resource{.kind = kind};
    auto list = lists.find({kind->group, kind->version, kind->kind});
    if (list != lists.end()) resource.list_kind = list->second;
    resource.stored_kind = StoredKindOf(*kind);
    const KindInfo& stored = resource.stored_kind == nullptr ? *kind : *resource.stored_kind;
    resource.storage = absl::StrCat(stored.group, "/", stored.plural);
    resources.Add(std::move(resource));
  }
  return resources;
}

Resources Resources::With(const std::vector<ServedKind>& kinds) {
  Resources resources = BuiltIn();
  for (const auto& [custom, terminating] : kinds) {
    const KindInfo& kind = custom->kind();
    if (resources.Find(kind.group, kind.version, kind.plural) != nullptr) continue;
    resources.AddGroupVersion(kind.group, kind.version);
    resources.Add({.kind = &kind,
                   .list_kind = &custom->list_kind(),
                   // All versions share their objects.
                   .storage = absl::StrCat(kind.group, "/", kind.plural),
                   .custom = custom,
                   .terminating = terminating});
  }
  return resources;
}

void Resources::Add(Resource resource) {
  const KindInfo& kind = *resource.kind;
  const auto name =
      std::make_tuple(std::string(kind.group), std::string(kind.version), std::string(kind.plural));
  const Resource* const added = &resources_.emplace(name, std::move(resource)).first->second;
  by_kind_.emplace(std::make_tuple(added->ApiVersion(), std::string(kind.kind)), added);
  if (added->stored_kind == nullptr) by_storage_.emplace(added->storage, added);
  // Of a definition it is the version that is stored, if that is served.
  const CustomKind* const custom = added->custom.get();
  if (custom != nullptr && custom == &custom->stored()) by_storage_[added->storage] = added;
}

// Inserts it behind the built-in group versions: groups by name, versions by preference
// (kube-apiserver: `DiscoveryController`).
void Resources::AddGroupVersion(absl::string_view group, absl::string_view version) {
  if (HasGroupVersion(group, version)) return;
  const bool known = HasGroup(group);
  const auto comes_after = [&](const schema::GroupVersion& each) {
    if (each.group != group) return !known && each.group > group;
    return version::CompareKubeAwareVersionStrings(each.version, version) < 0;
  };
  auto begin = group_versions_.begin() + std::size(kServed);
  if (known) {
    begin = std::find_if(group_versions_.begin(), group_versions_.end(),
                         [&](const auto& each) { return each.group == group; });
  }
  auto end = known ? std::find_if(begin, group_versions_.end(),
                                  [&](const auto& each) { return each.group != group; })
                   : group_versions_.end();
  group_versions_.insert(std::find_if(begin, end, comes_after),
                         {.group = std::string(group), .version = std::string(version)});
}

const Resource* Resources::FindStorage(absl::string_view storage) const {
  auto it = by_storage_.find(storage);
  return it == by_storage_.end() ? nullptr : it->second;
}

bool Resources::Has(const Resource& resource) const {
  const KindInfo& kind = *resource.kind;
  const Resource* const found = Find(kind.group, kind.version, kind.plural);
  return found != nullptr && found->kind == resource.kind;
}

const Resource* Resources::Find(absl::string_view group, absl::string_view version,
                                absl::string_view plural) const {
  auto it = resources_.find({std::string(group), std::string(version), std::string(plural)});
  return it == resources_.end() ? nullptr : &it->second;
}

const Resource* Resources::FindKind(absl::string_view api_version, absl::string_view kind) const {
  auto it = by_kind_.find({std::string(api_version), std::string(kind)});
  return it == by_kind_.end() ? nullptr : it->second;
}

bool Resources::HasGroupVersion(absl::string_view group, absl::string_view version) const {
  return std::any_of(group_versions_.begin(), group_versions_.end(), [&](const auto& each) {
    return each.group == group && each.version == version;
  });
}

bool Resources::HasGroup(absl::string_view group) const {
  return std::any_of(group_versions_.begin(), group_versions_.end(),
                     [&](const auto& each) { return each.group == group; });
}

bool Resources::IsBuiltInGroup(absl::string_view group) {
  return std::any_of(std::begin(kServed), std::end(kServed),
                     [&](const Served& served) { return served.group == group; });
}

std::vector<const Resource*> Resources::InGroupVersion(
    const schema::GroupVersion& group_version) const {
  std::vector<const Resource*> found;
  for (const auto& [name, resource] : resources_) {
    if (std::get<0>(name) == group_version.group && std::get<1>(name) == group_version.version) {
      found.push_back(&resource);
    }
  }
  return found;
}

std::vector<const Resource*> Resources::Stored() const {
  std::vector<const Resource*> found;
  std::set<std::string> seen;
  for (const schema::GroupVersion& group_version : group_versions_) {
    for (const Resource* resource : InGroupVersion(group_version)) {
      if (resource->HasVerb("list") && seen.insert(resource->storage).second) {
        found.push_back(resource);
      }
    }
  }
  return found;
}

}  // namespace kube::apiserver
