#ifndef CONTROLLER_RECONCILE_INTERNAL_SET_OWNER_H_
#define CONTROLLER_RECONCILE_INTERNAL_SET_OWNER_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/object_name.h"
#include "controller/reconcile/request.h"

namespace kube::controller::internal {

// Makes the request's object the controller of `object`, whose namespace must be set. If it returns
// an error, nothing has changed:
//
// * Returns INVALID_ARGUMENT if the request has no object with a UID, or if the namespaces do not
//   fit: see meta::SetControllerReference.
// * Returns ALREADY_EXISTS if another object is the controller, or one of the same name that
// existed
//   earlier.
absl::Status SetOwner(const AnyRequest& request, api::meta::v1::ObjectMeta& object);

// Returns OK if the request's object is the controller of `object`. Otherwise returns
// ALREADY_EXISTS if it has another controller, and FAILED_PRECONDITION if it has none.
absl::Status CheckOwner(const AnyRequest& request, const api::meta::v1::ObjectMeta& object);

// Returns the reference that makes the request's object the controller of the object `name`.
// `existing` is what is known of that object, or null. Returns the errors of SetOwner.
absl::StatusOr<api::meta::v1::OwnerReference> OwnerFor(const AnyRequest& request,
                                                       const meta::ObjectName& name,
                                                       const api::meta::v1::ObjectMeta* existing);

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_SET_OWNER_H_
