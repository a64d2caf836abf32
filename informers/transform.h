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

// Changes each object before it is stored, once, on the reflector's thread: to leave out what
// nobody reads, for instance. It gets a copy to change. What it does to the name, namespace, uid
// and resourceVersion is undone: caches cannot do without. With an error the object is not
// stored; of a list, none is, and it is listed again. It depends on nothing but the object.
// (cache.TransformFunc; it is called with what was deleted too, never with a tombstone)
//
// To leave out fields, ListerWatcherOptions::projection is better: it costs nothing, where this
// copies each object, which then shares no structure with others.
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
