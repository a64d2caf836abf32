#ifndef APIMACHINERY_META_FINALIZERS_H_
#define APIMACHINERY_META_FINALIZERS_H_

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"

// What has to be done before an object that is deleted can go. (controllerutil of
// controller-runtime, CR-9)
//
//   if (meta::IsBeingDeleted(web.metadata)) {
//     KUBE_RETURN_IF_ERROR(CleanUp(web));
//     if (meta::RemoveFinalizer(web.metadata, kFinalizer)) return webs.Update(ctx, web).status();
//   }
//
// Thread-safe where nobody changes the metadata meanwhile.
namespace kube::meta {

// Adds it unless it is there; whether that changed something.
bool AddFinalizer(api::meta::v1::ObjectMeta& metadata, absl::string_view finalizer);

// Removes it, wherever it is; whether it was there.
bool RemoveFinalizer(api::meta::v1::ObjectMeta& metadata, absl::string_view finalizer);

bool ContainsFinalizer(const api::meta::v1::ObjectMeta& metadata, absl::string_view finalizer);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_FINALIZERS_H_
