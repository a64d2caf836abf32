#include "envtest/workloads/internal/cluster/ref_manager.h"

#include <algorithm>
#include <utility>

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"

namespace kube::envtest::internal {

namespace metav1 = api::meta::v1;

Claim ClaimOf(const metav1::ObjectMeta& controller, bool matches,
              const metav1::ObjectMeta& object) {
  const bool ending = controller.deletion_timestamp.has_value();
  const metav1::OwnerReference* owner = meta::GetControllerOf(object);
  if (owner != nullptr) {
    if (owner->uid != controller.uid) return Claim::kIgnore;
    if (matches) return Claim::kKeep;
    return ending ? Claim::kIgnore : Claim::kRelease;
  }
  if (ending || !matches || object.deletion_timestamp.has_value()) return Claim::kIgnore;
  return controller.namespace_ == object.namespace_ ? Claim::kAdopt : Claim::kIgnore;
}

void Adopt(const metav1::ObjectMeta& controller, const schema::GroupVersionKind& kind,
           absl::string_view finalizer, metav1::ObjectMeta& object) {
  List<String>& finalizers = object.finalizers;
  if (!finalizer.empty() &&
      std::find(finalizers.begin(), finalizers.end(), finalizer) == finalizers.end()) {
    finalizers.push_back(finalizer);
  }
  metav1::OwnerReference owner = meta::NewControllerRef(controller, kind);
  for (metav1::OwnerReference& each : object.owner_references) {
    if (each.uid != owner.uid) continue;
    each = std::move(owner);
    return;
  }
  object.owner_references.push_back(std::move(owner));
}

void Release(const metav1::ObjectMeta& controller, absl::string_view finalizer,
             metav1::ObjectMeta& object) {
  erase_if(object.owner_references,
           [&](const metav1::OwnerReference& each) { return each.uid == controller.uid; });
  erase_if(object.finalizers, [&](const String& each) { return each == finalizer; });
}

}  // namespace kube::envtest::internal
