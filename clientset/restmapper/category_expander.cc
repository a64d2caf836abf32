#include "clientset/restmapper/category_expander.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/discovery/server_resources.h"

namespace kube::restmapper {

namespace metav1 = api::meta::v1;

std::optional<std::vector<schema::GroupResource>> SimpleCategoryExpander::Expand(
    const Context&, absl::string_view category) const {
  const auto found = expansions_.find(std::string(category));
  if (found == expansions_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::vector<schema::GroupResource>> DiscoveryCategoryExpander::Expand(
    const Context& ctx, absl::string_view category) const {
  const absl::StatusOr<discovery::ServerResources> all = discovery_->ServerGroupsAndResources(ctx);
  if (!all.ok()) return std::nullopt;
  std::vector<schema::GroupResource> result;
  for (const discovery::ResourceList& list : all->resources) {
    const absl::StatusOr<schema::GroupVersion> version =
        schema::ParseGroupVersion(list->group_version);
    if (!version.ok()) continue;
    for (const metav1::APIResource& resource : list->resources) {
      for (const auto& each : resource.categories) {
        if (each != category) continue;
        result.push_back({.group = version->group, .resource = resource.name});
      }
    }
  }
  if (result.empty()) return std::nullopt;
  return result;
}

std::optional<std::vector<schema::GroupResource>> UnionCategoryExpander::Expand(
    const Context& ctx, absl::string_view category) const {
  std::optional<std::vector<schema::GroupResource>> result;
  for (const std::shared_ptr<const CategoryExpander>& expander : expanders_) {
    std::optional<std::vector<schema::GroupResource>> more = expander->Expand(ctx, category);
    if (!more.has_value()) continue;
    if (!result.has_value()) result.emplace();
    for (schema::GroupResource& resource : *more) {
      if (std::find(result->begin(), result->end(), resource) != result->end()) continue;
      result->push_back(std::move(resource));
    }
  }
  return result;
}

}  // namespace kube::restmapper
