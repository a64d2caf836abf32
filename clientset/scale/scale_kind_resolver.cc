#include "clientset/scale/scale_kind_resolver.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/discovery/server_resources.h"

namespace kube::scale {

absl::StatusOr<schema::GroupVersionKind> DiscoveryScaleKindResolver::Ask(
    const Context& ctx, const schema::GroupVersionResource& resource) const {
  KUBE_ASSIGN_OR_RETURN(
      const discovery::ResourceList list,
      discovery_->ServerResourcesForGroupVersion(ctx, resource.group_version().ToString()),
      "unable to fetch discovery information for ", resource.ToString());
  const std::string name = absl::StrCat(resource.resource, "/scale");
  for (const api::meta::v1::APIResource& each : list->resources) {
    if (each.name != name) continue;
    // If the server does not say the group-version, it is that of the resource.
    const bool own = !each.group.empty() && !each.version.empty();
    const schema::GroupVersion version =
        own ? schema::GroupVersion{.group = each.group, .version = each.version}
            : resource.group_version();
    return version.WithKind(each.kind);
  }
  return absl::NotFoundError(absl::StrCat("could not find scale subresource for ",
                                          resource.ToString(), " in discovery information"));
}

absl::StatusOr<schema::GroupVersionKind> DiscoveryScaleKindResolver::ScaleForResource(
    const Context& ctx, const schema::GroupVersionResource& resource) const {
  {
    base::MutexLock lock(mutex_);
    const auto found = known_.find(resource);
    if (found != known_.end()) return found->second;
  }
  KUBE_ASSIGN_OR_RETURN(schema::GroupVersionKind kind, Ask(ctx, resource));
  base::MutexLock lock(mutex_);
  known_.insert_or_assign(resource, kind);
  return kind;
}

}  // namespace kube::scale
