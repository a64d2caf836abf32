#ifndef APIMACHINERY_META_DELETION_H_
#define APIMACHINERY_META_DELETION_H_

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/accessor.h"

// Options of deletions. To choose what happens to dependents, set propagation_policy to one of its
// constants:
//
//   metav1::DeleteOptions options = meta::NewDeleteOptions(absl::ZeroDuration());
//   options.propagation_policy = metav1::kDeletePropagationForeground;
//
// Pure functions: thread-safe.
namespace kube::meta {

// Returns whether the object was deleted, so that it exists only until its finalizers are removed
// and its grace period ends. apimachinery: `!obj.GetDeletionTimestamp().IsZero()`.
bool IsBeingDeleted(const api::meta::v1::ObjectMeta& metadata);
template <Object T>
bool IsBeingDeleted(const T& object) {
  return IsBeingDeleted(object.metadata);
}
template <DynamicObject T>
bool IsBeingDeleted(const T& object) {
  return object.deletion_timestamp().has_value() && !object.deletion_timestamp()->IsZero();
}

// Returns options with a grace period, truncated to whole seconds; zero deletes immediately. For
// the server's default use a default-constructed DeleteOptions. apimachinery:
// `metav1.NewDeleteOptions`.
api::meta::v1::DeleteOptions NewDeleteOptions(absl::Duration grace_period);

// Return options that delete only an object with this UID or resourceVersion; otherwise the server
// returns a Conflict. apimachinery: `metav1.NewPreconditionDeleteOptions`,
// `metav1.NewRVDeletionPrecondition`.
api::meta::v1::DeleteOptions NewPreconditionDeleteOptions(absl::string_view uid);
api::meta::v1::DeleteOptions NewResourceVersionDeleteOptions(absl::string_view resource_version);

// Returns preconditions with this UID. apimachinery: `metav1.NewUIDPreconditions`.
api::meta::v1::Preconditions NewUidPreconditions(absl::string_view uid);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_DELETION_H_
