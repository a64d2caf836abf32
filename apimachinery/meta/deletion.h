#ifndef APIMACHINERY_META_DELETION_H_
#define APIMACHINERY_META_DELETION_H_

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/accessor.h"

// What a deletion says. How it treats what the object owns is a member with constants of its own:
//
//   metav1::DeleteOptions options = meta::NewDeleteOptions(absl::ZeroDuration());
//   options.propagation_policy = metav1::kDeletePropagationForeground;
//
// Pure functions: thread-safe.
namespace kube::meta {

// Whether the object has been deleted, and is only there for its finalizers and its grace period.
// (!obj.GetDeletionTimestamp().IsZero())
bool IsBeingDeleted(const api::meta::v1::ObjectMeta& metadata);
template <Object T>
bool IsBeingDeleted(const T& object) {
  return IsBeingDeleted(object.metadata);
}
template <DynamicObject T>
bool IsBeingDeleted(const T& object) {
  return object.deletion_timestamp().has_value() && !object.deletion_timestamp()->IsZero();
}

// Within a grace period, rounded down to seconds; zero: at once. For the default one take
// DeleteOptions as they are. (metav1.NewDeleteOptions)
api::meta::v1::DeleteOptions NewDeleteOptions(absl::Duration grace_period);

// Only if the object still has this UID, or this resourceVersion; the server answers Conflict
// otherwise. (metav1.NewPreconditionDeleteOptions, metav1.NewRVDeletionPrecondition)
api::meta::v1::DeleteOptions NewPreconditionDeleteOptions(absl::string_view uid);
api::meta::v1::DeleteOptions NewResourceVersionDeleteOptions(absl::string_view resource_version);

// (metav1.NewUIDPreconditions)
api::meta::v1::Preconditions NewUidPreconditions(absl::string_view uid);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_DELETION_H_
