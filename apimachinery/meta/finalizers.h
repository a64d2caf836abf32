#ifndef APIMACHINERY_META_FINALIZERS_H_
#define APIMACHINERY_META_FINALIZERS_H_

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/accessor.h"

// Finalizers: names of clean-ups that must be done before a deleted object is removed.
// controller-runtime: package `controllerutil`.
//
//   if (meta::IsBeingDeleted(pod) && meta::ContainsFinalizer(pod, kFinalizer)) {
//     KUBE_RETURN_IF_ERROR(CleanUp(pod));
//     meta::RemoveFinalizer(pod, kFinalizer);  // and update the object
//   }
//
// Each function takes metadata or an object, which may be an Unstructured. If the metadata of an
// Unstructured is not an object, nothing changes and the result is false. Thread-safe as long as no
// other thread changes the object.
namespace kube::meta {

// Adds the finalizer unless it is present. Returns whether that changed the metadata.
bool AddFinalizer(api::meta::v1::ObjectMeta& metadata, absl::string_view finalizer);

// Removes all occurrences of the finalizer. Returns whether there was one.
bool RemoveFinalizer(api::meta::v1::ObjectMeta& metadata, absl::string_view finalizer);

bool ContainsFinalizer(const api::meta::v1::ObjectMeta& metadata, absl::string_view finalizer);

// ---- The same functions for objects.

template <Object T>
bool AddFinalizer(T& object, absl::string_view finalizer) {
  return AddFinalizer(object.metadata, finalizer);
}
template <Object T>
bool RemoveFinalizer(T& object, absl::string_view finalizer) {
  return RemoveFinalizer(object.metadata, finalizer);
}
template <Object T>
bool ContainsFinalizer(const T& object, absl::string_view finalizer) {
  return ContainsFinalizer(object.metadata, finalizer);
}

template <DynamicObject T>
bool ContainsFinalizer(const T& object, absl::string_view finalizer) {
  api::meta::v1::ObjectMeta metadata;
  metadata.finalizers = object.finalizers();
  return ContainsFinalizer(metadata, finalizer);
}
template <DynamicObject T>
bool AddFinalizer(T& object, absl::string_view finalizer) {
  api::meta::v1::ObjectMeta metadata;
  metadata.finalizers = object.finalizers();
  if (!AddFinalizer(metadata, finalizer)) return false;
  object.set_finalizers(metadata.finalizers);
  return ContainsFinalizer(object, finalizer);
}
template <DynamicObject T>
bool RemoveFinalizer(T& object, absl::string_view finalizer) {
  api::meta::v1::ObjectMeta metadata;
  metadata.finalizers = object.finalizers();
  if (!RemoveFinalizer(metadata, finalizer)) return false;
  object.set_finalizers(metadata.finalizers);
  return true;
}

}  // namespace kube::meta

#endif  // APIMACHINERY_META_FINALIZERS_H_
