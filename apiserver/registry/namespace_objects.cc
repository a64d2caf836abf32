#include "apiserver/registry/namespace_objects.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apiserver/object.h"
#include "apiserver/registry/registry.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"

namespace kube::apiserver::internal {
namespace {

namespace corev1 = api::core::v1;

Target TargetOf(const Resources& resources, absl::string_view plural,
                const std::string& namespace_name, absl::string_view name) {
  return {.resource = resources.Find("", "v1", plural),
          .namespace_name = namespace_name,
          .name = std::string(name),
          .subresource = ""};
}

bool Exists(Registry& registry, const Target& target) {
  return registry.storage().Get(target.resource->storage, target.key()) != nullptr;
}

void Publish(corev1::ConfigMap& map, const std::string& root_ca) {
  map.data = Map<String>{{kRootCaKey, root_ca}};
  map.metadata.annotations[kDescription] = kRootCaDescription;
}

// As upstream, any description will do.
bool IsPublished(const corev1::ConfigMap& map, const std::string& root_ca) {
  const String* const description = map.metadata.annotations.find(kDescription);
  return map.data == Map<String>{{kRootCaKey, root_ca}} && description != nullptr &&
         !description->empty();
}

}  // namespace

bool IsNamespaceObject(absl::string_view storage, absl::string_view name) {
  return (storage == "/serviceaccounts" && name == kDefaultAccount) ||
         (storage == "/configmaps" && name == kRootCaMap);
}

void EnsureNamespaceObjects(Registry& registry, const Resources& resources,
                            const std::string& namespace_name, const std::string& root_ca) {
  const auto create = [&registry](const Target& target, Object object) {
    object.metadata().name = target.name;
    // Somebody else may create it at the same time, or delete the namespace.
    registry.Create(target, std::move(object)).IgnoreError();
  };
  const Target account = TargetOf(resources, "serviceaccounts", namespace_name, kDefaultAccount);
  if (!Exists(registry, account)) {
    create(account, Object(codec::AnyObject(*account.resource->kind)));
  }
  if (root_ca.empty()) return;
  const Target map = TargetOf(resources, "configmaps", namespace_name, kRootCaMap);
  if (!Exists(registry, map)) {
    Object object{codec::AnyObject(*map.resource->kind)};
    Publish(*object.As<corev1::ConfigMap>(), root_ca);
    return create(map, std::move(object));
  }
  registry
      .Update(map,
              [&root_ca](const StoredObject& current) -> absl::StatusOr<Object> {
                Object changed = current.object().Copy();
                corev1::ConfigMap& content = *changed.As<corev1::ConfigMap>();
                if (!IsPublished(content, root_ca)) Publish(content, root_ca);
                return changed;
              })
      .IgnoreError();
}

}  // namespace kube::apiserver::internal
