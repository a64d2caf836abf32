#include "clientset/restmapper/shortcut_expander.h"

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/restmapper/errors.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/string.h"
#include "clientset/discovery/server_resources.h"

namespace kube::restmapper {

namespace metav1 = api::meta::v1;

namespace {

bool MayBeOf(const schema::GroupVersionResource& resource, const std::string& group) {
  return resource.group.empty() || resource.group == group;
}

// Returns the resources that have this short name, in the order of the groups; nullopt if it is a
// full name.
std::optional<std::vector<schema::GroupResource>> WithShortName(
    const schema::GroupVersionResource& resource, absl::Span<const discovery::ResourceList> lists) {
  std::vector<schema::GroupResource> result;
  for (const discovery::ResourceList& list : lists) {
    const absl::StatusOr<schema::GroupVersion> version =
        schema::ParseGroupVersion(list->group_version);
    if (!version.ok()) continue;
    for (const metav1::APIResource& each : list->resources) {
      if (MayBeOf(resource, version->group) &&
          (each.name == resource.resource || each.singular_name == resource.resource)) {
        return std::nullopt;
      }
      for (const String& name : each.short_names) {
        if (name != resource.resource) continue;
        result.push_back({.group = version->group, .resource = each.name});
      }
    }
  }
  return result;
}

}  // namespace

schema::GroupVersionResource ShortcutExpander::Expand(
    const Context& ctx, const schema::GroupVersionResource& resource) const {
  const absl::StatusOr<discovery::ServerResources> all = discovery_->ServerGroupsAndResources(ctx);
  const absl::Status status = all.ok() ? all->status() : all.status();
  if (!status.ok()) {
    KUBE_VLOG_CTX(ctx, 1, "error loading discovery information", {"err", status.ToString()});
  }
  if (!all.ok()) return resource;
  const std::optional<std::vector<schema::GroupResource>> candidates =
      WithShortName(resource, all->resources);
  if (!candidates.has_value()) return resource;

  std::optional<schema::GroupResource> found;
  std::set<schema::GroupResource> warned;
  for (const schema::GroupResource& each : *candidates) {
    if (!MayBeOf(resource, each.group)) continue;
    if (!found.has_value()) {
      found = each;
    } else if (each != *found && warned.insert(each).second && on_warning_ != nullptr) {
      on_warning_(absl::StrCat("short name \"", resource.resource,
                               "\" could also match lower priority resource ", each.ToString()));
    }
  }
  if (found.has_value()) return found->WithVersion("");
  if (resource.group.empty()) return resource;
  // A group may be abbreviated: "autoscal" for "autoscaling".
  for (const schema::GroupResource& each : *candidates) {
    if (!absl::StartsWith(each.group, resource.group)) continue;
    return each.WithVersion(resource.version);
  }
  return resource;
}

absl::StatusOr<schema::GroupVersionKind> ShortcutExpander::KindFor(
    const Context& ctx, const schema::GroupVersionResource& partial) const {
  const absl::StatusOr<schema::GroupVersionKind> kind =
      delegate_->KindFor(ctx, Expand(ctx, partial));
  if (!IsNoMatch(kind.status())) return kind;
  // The delegate may have asked the server again, so the short name may be known now.
  return delegate_->KindFor(ctx, Expand(ctx, partial));
}

absl::StatusOr<std::vector<schema::GroupVersionKind>> ShortcutExpander::KindsFor(
    const Context& ctx, const schema::GroupVersionResource& partial) const {
  return delegate_->KindsFor(ctx, Expand(ctx, partial));
}

absl::StatusOr<schema::GroupVersionResource> ShortcutExpander::ResourceFor(
    const Context& ctx, const schema::GroupVersionResource& partial) const {
  return delegate_->ResourceFor(ctx, Expand(ctx, partial));
}

absl::StatusOr<std::vector<schema::GroupVersionResource>> ShortcutExpander::ResourcesFor(
    const Context& ctx, const schema::GroupVersionResource& partial) const {
  return delegate_->ResourcesFor(ctx, Expand(ctx, partial));
}

absl::StatusOr<RestMapping> ShortcutExpander::RestMappingFor(
    const Context& ctx, const schema::GroupKind& kind,
    absl::Span<const std::string> versions) const {
  return delegate_->RestMappingFor(ctx, kind, versions);
}

absl::StatusOr<std::vector<RestMapping>> ShortcutExpander::RestMappingsFor(
    const Context& ctx, const schema::GroupKind& kind,
    absl::Span<const std::string> versions) const {
  return delegate_->RestMappingsFor(ctx, kind, versions);
}

absl::StatusOr<std::string> ShortcutExpander::ResourceSingularizer(
    const Context& ctx, absl::string_view resource) const {
  return delegate_->ResourceSingularizer(ctx,
                                         Expand(ctx, {.resource = std::string(resource)}).resource);
}

}  // namespace kube::restmapper
