#ifndef CONTROLLER_RECONCILE_INTERNAL_METADATA_OF_H_
#define CONTROLLER_RECONCILE_INTERNAL_METADATA_OF_H_

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/accessor.h"
#include "listers/stored_object.h"

namespace kube::controller::internal {

// Return what a writer needs of the metadata of an object: at least name, namespace, UID and
// resource version.
template <meta::Object T>
const api::meta::v1::ObjectMeta& MetadataOf(const T& object) {
  return object.metadata;
}
template <meta::DynamicObject T>
api::meta::v1::ObjectMeta MetadataOf(const T& object) {
  api::meta::v1::ObjectMeta metadata;
  metadata.name = object.name();
  metadata.namespace_ = object.namespace_name();
  metadata.uid = object.uid();
  metadata.resource_version = object.resource_version();
  return metadata;
}

template <listers::StoredObject T>
void SetNamespaceOf(T& object, absl::string_view namespace_name) {
  if constexpr (meta::Object<T>) {
    object.metadata.namespace_ = namespace_name;
  } else {
    object.set_namespace(namespace_name);
  }
}

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_METADATA_OF_H_
