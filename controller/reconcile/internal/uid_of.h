#ifndef CONTROLLER_RECONCILE_INTERNAL_UID_OF_H_
#define CONTROLLER_RECONCILE_INTERNAL_UID_OF_H_

#include "absl/strings/string_view.h"
#include "apimachinery/meta/accessor.h"
#include "listers/stored_object.h"

namespace kube::controller::internal {

// Returns the UID of an object, typed or unstructured. Valid while the object is unchanged.
template <listers::StoredObject T>
absl::string_view UidOf(const T& object) {
  if constexpr (meta::Object<T>) {
    return object.metadata.uid.view();
  } else {
    return object.uid();
  }
}

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_UID_OF_H_
