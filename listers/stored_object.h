#ifndef LISTERS_STORED_OBJECT_H_
#define LISTERS_STORED_OBJECT_H_

#include "absl/strings/string_view.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/dynamic_metadata.h"
#include "apimachinery/types/message_type.h"

namespace kube::listers {

// The types that stores and informers hold: API structs with metadata, including
// metav1::PartialObjectMetadata, and unstructured::Unstructured.
template <typename T>
concept StoredObject = ApiStruct<T> &&(meta::Object<T> || meta::DynamicObject<T>);

// Return the named part of an object's metadata, for typed and unstructured objects alike, or "" if
// it is not set. The views are valid while the object is unchanged. Thread-safe.
template <StoredObject T>
absl::string_view NamespaceOf(const T& object) {
  if constexpr (meta::Object<T>) {
    return object.metadata.namespace_.view();
  } else {
    return object.namespace_name();
  }
}
template <StoredObject T>
absl::string_view NameOf(const T& object) {
  if constexpr (meta::Object<T>) {
    return object.metadata.name.view();
  } else {
    return object.name();
  }
}
template <StoredObject T>
absl::string_view ResourceVersionOf(const T& object) {
  if constexpr (meta::Object<T>) {
    return object.metadata.resource_version.view();
  } else {
    return object.resource_version();
  }
}

}  // namespace kube::listers

#endif  // LISTERS_STORED_OBJECT_H_
