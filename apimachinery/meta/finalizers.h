#ifndef APIMACHINERY_META_FINALIZERS_H_
#define APIMACHINERY_META_FINALIZERS_H_

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/accessor.h"

// What has to be done before an object that is deleted can go. (controllerutil of
// controller-runtime)
//
//   if (meta::IsBeingDeleted(web)) {
//     KUBE_RETURN_IF_ERROR(CleanUp(web));
//     if (meta::RemoveFinalizer(web, kFinalizer)) return webs.Update(ctx, web).status();
//   }
//
// Each function takes the metadata or the object, also an Unstructured. If an Unstructured has
// metadata that is not an object, nothing changes, and they return false.
// Thread-safe where nobody changes the object meanwhile.
namespace kube::meta {

// Adds it unless it is there; whether that changed something.
bool AddFinalizer(api::meta::v1::ObjectMeta& metadata, absl::string_view finalizer);

// Removes it, wherever it is; whether it was there.
bool RemoveFinalizer(api::meta::v1::ObjectMeta& metadata, absl::string_view finalizer);

bool ContainsFinalizer(const api::meta::v1::ObjectMeta& metadata, absl::string_view finalizer);

// ---- the same of objects

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
