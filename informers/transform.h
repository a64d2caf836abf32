#ifndef INFORMERS_TRANSFORM_H_
#define INFORMERS_TRANSFORM_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/types/string.h"
#include "informers/any_transform.h"
#include "listers/stored_object.h"

namespace kube::informers {

// Modifies an object before it is stored, for example to drop fields that are not needed. Called
// once per object, on the reflector's thread, with a copy that it may change. Changes to name,
// namespace, uid and resourceVersion are undone, since caches depend on them. If it returns an
// error, the object is not stored; if the object belongs to a list, the whole list is discarded and
// requested again. It must depend on nothing but the object. It is also called for deleted objects.
// (client-go: `cache.TransformFunc`; this one is never called with a tombstone.)
//
// To drop fields, prefer ListerWatcherOptions::projection, which costs nothing. A transform copies
// each object, and the copies share no structure.
template <typename T>
using Transform = std::function<absl::Status(T& object)>;

namespace internal {

template <listers::StoredObject T>
AnyTransform EraseTransform(Transform<T> transform) {
  if (transform == nullptr) return nullptr;
  return [transform = std::move(transform)](
             std::shared_ptr<const void> any) -> absl::StatusOr<std::shared_ptr<const void>> {
    const T& original = *static_cast<const T*>(any.get());
    auto object = std::make_shared<T>(original);
    if (absl::Status status = transform(*object); !status.ok()) return status;
    if constexpr (meta::Object<T>) {
      const auto& from = original.metadata;
      auto& to = object->metadata;
      to.name = from.name;
      to.namespace_ = from.namespace_;
      to.uid = from.uid;
      to.resource_version = from.resource_version;
    } else {
      object->set_name(original.name());
      object->set_namespace(original.namespace_name());
      object->set_uid(original.uid());
      object->set_resource_version(original.resource_version());
    }
    return std::shared_ptr<const void>(std::move(object));
  };
}

}  // namespace internal
}  // namespace kube::informers

#endif  // INFORMERS_TRANSFORM_H_
