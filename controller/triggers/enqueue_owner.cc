#include "controller/triggers/enqueue_owner.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace kube::controller::internal {

namespace {

using api::meta::v1::ObjectMeta;
using api::meta::v1::OwnerReference;

bool IsOfKind(const OwnerReference& owner, const schema::GroupVersionKind& kind) {
  if (owner.kind != kind.kind) return false;
  const absl::StatusOr<schema::GroupVersion> version =
      schema::ParseGroupVersion(owner.api_version.view());
  return version.ok() && version->group == kind.group;
}

}  // namespace

OwnerRule OwnerRuleOf(const typed::Resource& owner, OwnerOptions options) {
  return {.kind = {.group = std::string(owner.group),
                   .version = std::string(owner.version),
                   .kind = std::string(owner.kind)},
          .scope = owner.namespaced ? OwnerScope::kNamespace : OwnerScope::kCluster,
          .every_owner = options.every_owner};
}

std::vector<meta::ObjectName> OwnersOf(const ObjectMeta& object, const OwnerRule& rule) {
  std::vector<meta::ObjectName> names;
  const bool namespaced = rule.scope == OwnerScope::kNamespace;
  // An object without a namespace cannot have an owner in one.
  if (namespaced && object.namespace_.empty()) return names;
  if (!rule.every_owner) {
    std::optional<meta::ObjectName> controller = ControllerNameOf(object, rule.kind, rule.scope);
    if (controller.has_value() && !controller->name.empty()) {
      names.push_back(*std::move(controller));
    }
    return names;
  }
  for (const OwnerReference& owner : object.owner_references) {
    if (owner.name.empty() || !IsOfKind(owner, rule.kind)) continue;
    meta::ObjectName name = {.name = std::string(owner.name)};
    if (namespaced) name.namespace_name = std::string(object.namespace_);
    names.push_back(std::move(name));
  }
  return names;
}

}  // namespace kube::controller::internal
