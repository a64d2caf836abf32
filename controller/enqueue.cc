#include "controller/enqueue.h"

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"

namespace kube::controller {

std::optional<meta::ObjectName> ControllerNameOf(const api::meta::v1::ObjectMeta& object,
                                                 const schema::GroupVersionKind& controller_kind,
                                                 OwnerScope scope) {
  const api::meta::v1::OwnerReference* controller = meta::GetControllerOf(object);
  if (controller == nullptr) return std::nullopt;
  const absl::StatusOr<schema::GroupVersion> version =
      schema::ParseGroupVersion(controller->api_version.view());
  if (!version.ok() || version->group != controller_kind.group ||
      controller->kind != controller_kind.kind) {
    return std::nullopt;
  }
  meta::ObjectName name = {.name = std::string(controller->name)};
  if (scope == OwnerScope::kNamespace) name.namespace_name = std::string(object.namespace_);
  return name;
}

}  // namespace kube::controller
