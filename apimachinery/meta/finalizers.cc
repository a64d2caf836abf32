#include "apimachinery/meta/finalizers.h"

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"

namespace kube::meta {

bool AddFinalizer(api::meta::v1::ObjectMeta& metadata, absl::string_view finalizer) {
  if (ContainsFinalizer(metadata, finalizer)) return false;
  metadata.finalizers.push_back(finalizer);
  return true;
}

bool RemoveFinalizer(api::meta::v1::ObjectMeta& metadata, absl::string_view finalizer) {
  return erase_if(metadata.finalizers, [&](const String& each) { return each == finalizer; }) != 0;
}

bool ContainsFinalizer(const api::meta::v1::ObjectMeta& metadata, absl::string_view finalizer) {
  return absl::c_any_of(metadata.finalizers, [&](const String& each) { return each == finalizer; });
}

}  // namespace kube::meta
