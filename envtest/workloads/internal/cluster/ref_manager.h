#ifndef ENVTEST_WORKLOADS_INTERNAL_CLUSTER_REF_MANAGER_H_
#define ENVTEST_WORKLOADS_INTERNAL_CLUSTER_REF_MANAGER_H_

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/schema/group_version.h"

// How controllers adopt orphans and release what their selector does not match any more. Pure
// functions. (Go: controller_ref_manager.go)
namespace kube::envtest::internal {

// What a controller does about an object of its namespace.
enum class Claim {
  kIgnore,   // belongs to nobody or another one
  kKeep,     // belongs to the controller
  kAdopt,    // an orphan that the selector matches
  kRelease,  // belongs to the controller, but does not match
};

// Decides about an object. `matches` says whether the controller's selector, and its other rules,
// match the object. A controller that is being deleted neither adopts nor releases, and an orphan
// that is being deleted is not adopted. (Go: `ClaimObject`)
Claim ClaimOf(const api::meta::v1::ObjectMeta& controller, bool matches,
              const api::meta::v1::ObjectMeta& object);

// Makes `controller`, of the kind `kind`, the controller of an orphan, and adds `finalizer` to the
// orphan unless it is empty. An existing reference to the controller becomes the controlling one.
// (Go: `AdoptPod`)
void Adopt(const api::meta::v1::ObjectMeta& controller, const schema::GroupVersionKind& kind,
           absl::string_view finalizer, api::meta::v1::ObjectMeta& object);

// Removes the references to `controller`, and the finalizer. (Go: `ReleasePod`)
void Release(const api::meta::v1::ObjectMeta& controller, absl::string_view finalizer,
             api::meta::v1::ObjectMeta& object);

}  // namespace kube::envtest::internal

#endif  // ENVTEST_WORKLOADS_INTERNAL_CLUSTER_REF_MANAGER_H_
