#include "controller/reconcile/internal/set_owner.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "controller/reconcile/request.h"

namespace kube::controller::internal {

namespace metav1 = api::meta::v1;

namespace {

metav1::ObjectMeta OwnerOf(const AnyRequest& request) {
  metav1::ObjectMeta owner;
  owner.name = request.name().name;
  owner.namespace_ = request.name().namespace_name;
  owner.uid = request.uid();
  return owner;
}

// meta::SetControllerReference compares names: an object of an owner that was deleted and created
// again would get a new owner while the garbage collector removes it for the sake of the old one.
absl::Status CheckIncarnation(const AnyRequest& request, const metav1::ObjectMeta& object) {
  const metav1::OwnerReference* controller = meta::GetControllerOf(object);
  if (controller == nullptr || controller->uid == request.uid()) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat(
      "Object ", object.namespace_.view(), "/", object.name.view(), " is already owned by the ",
      controller->kind.view(), " ", controller->name.view(), " with the UID ",
      controller->uid.view(), ", which is not the present one"));
}

}  // namespace

absl::Status SetOwner(const AnyRequest& request, metav1::ObjectMeta& object) {
  if (request.uid().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("set owner of \"", meta::ObjectNameOf(object).ToString(), "\": \"",
                     request.name().ToString(), "\" cannot be an owner, because it has no UID"));
  }
  metav1::ObjectMeta owned = object;
  KUBE_RETURN_IF_ERROR(meta::SetControllerReference(OwnerOf(request), request.kind(), owned));
  KUBE_RETURN_IF_ERROR(CheckIncarnation(request, object));
  object.owner_references = owned.owner_references;
  return absl::OkStatus();
}

absl::Status CheckOwner(const AnyRequest& request, const metav1::ObjectMeta& object) {
  const metav1::OwnerReference* controller = meta::GetControllerOf(object);
  if (controller != nullptr && !request.uid().empty() && controller->uid == request.uid()) {
    return absl::OkStatus();
  }
  if (controller == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat("Object ", object.namespace_.view(), "/", object.name.view(),
                     " is not owned by ", request.kind().kind, " ", request.name().name));
  }
  metav1::ObjectMeta copy = object;
  return SetOwner(request, copy);
}

absl::StatusOr<metav1::OwnerReference> OwnerFor(const AnyRequest& request,
                                                const meta::ObjectName& name,
                                                const metav1::ObjectMeta* existing) {
  metav1::ObjectMeta object;
  if (existing != nullptr) object.owner_references = existing->owner_references;
  object.name = name.name;
  object.namespace_ = name.namespace_name;
  KUBE_RETURN_IF_ERROR(SetOwner(request, object));
  return *meta::GetControllerOf(object);
}

}  // namespace kube::controller::internal
