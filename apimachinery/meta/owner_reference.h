#ifndef APIMACHINERY_META_OWNER_REFERENCE_H_
#define APIMACHINERY_META_OWNER_REFERENCE_H_

#include <concepts>
#include <optional>

#include "absl/status/status.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"

// The owners of an object, and the one of them that is its controller. The garbage collector
// removes an object when all its owners are gone. apimachinery: `metav1/controller_ref.go`;
// controller-runtime: package `controllerutil`.
//
//   const absl::Status status = meta::SetControllerReference(web.metadata, kWeb, pod.metadata);
//   const bool is_ours = meta::IsControlledBy(pod.metadata, web.metadata);
//
// Two references are to the same owner if group, kind and name are equal. Version and UID are not
// compared, so an owner that was created again under the same name replaces the old one.
//
// The caller passes the owner's kind, because objects from a server often do not contain it.
// Thread-safe as long as no other thread changes the arguments.
namespace kube::meta {

// Returns a reference that makes `owner` the controller and blocks its deletion in the foreground.
// apimachinery: `metav1.NewControllerRef`.
api::meta::v1::OwnerReference NewControllerRef(const api::meta::v1::ObjectMeta& owner,
                                               const schema::GroupVersionKind& owner_kind);

// Returns the first reference that is marked as controller, or null. Valid until the owner
// references change; copy it to keep it. apimachinery: `metav1.GetControllerOf`,
// `metav1.GetControllerOfNoCopy`.
const api::meta::v1::OwnerReference* GetControllerOf(const api::meta::v1::ObjectMeta& object);

// Returns whether the object has a controller with the UID of `owner`. apimachinery:
// `metav1.IsControlledBy`.
bool IsControlledBy(const api::meta::v1::ObjectMeta& object,
                    const api::meta::v1::ObjectMeta& owner);

struct OwnerReferenceOptions {
  // Whether the deletion of the owner in the foreground waits until the object is gone. Default, if
  // unset: true for a controller, absent for other owners. controller-runtime:
  // `WithBlockOwnerDeletion`.
  std::optional<bool> block_owner_deletion = {};
};

// Makes `owner` the controller of `object`, or updates the reference to it. If it returns an error,
// nothing has changed:
//
// * Returns ALREADY_EXISTS if another owner is the controller; see IsAlreadyOwned. Leave the object
//   alone.
// * Returns INVALID_ARGUMENT if the owner has a namespace, and the object has another one or none.
absl::Status SetControllerReference(const api::meta::v1::ObjectMeta& owner,
                                    const schema::GroupVersionKind& owner_kind,
                                    api::meta::v1::ObjectMeta& object,
                                    const OwnerReferenceOptions& options = {});

// Returns whether SetControllerReference failed because another owner is the controller.
// controller-runtime: `controllerutil.AlreadyOwnedError`.
bool IsAlreadyOwned(const absl::Status& error);

// Makes `owner` one of the owners, or updates the reference to it. Does not change another owner
// that is the controller. As in controller-runtime, an updated reference is no longer marked as
// controller. Returns INVALID_ARGUMENT as SetControllerReference does.
absl::Status SetOwnerReference(const api::meta::v1::ObjectMeta& owner,
                               const schema::GroupVersionKind& owner_kind,
                               api::meta::v1::ObjectMeta& object,
                               const OwnerReferenceOptions& options = {});

// Removes the reference to `owner`. Returns NOT_FOUND if it is not an owner.
absl::Status RemoveOwnerReference(const api::meta::v1::ObjectMeta& owner,
                                  const schema::GroupVersionKind& owner_kind,
                                  api::meta::v1::ObjectMeta& object);

// Removes the reference to `owner`. Returns NOT_FOUND if it is not an owner, or not the controller.
absl::Status RemoveControllerReference(const api::meta::v1::ObjectMeta& owner,
                                       const schema::GroupVersionKind& owner_kind,
                                       api::meta::v1::ObjectMeta& object);

bool HasOwnerReference(const List<api::meta::v1::OwnerReference>& references,
                       const api::meta::v1::ObjectMeta& owner,
                       const schema::GroupVersionKind& owner_kind);

// Returns whether the object has a controller.
bool HasControllerReference(const api::meta::v1::ObjectMeta& object);

// ---- The same functions for objects. Owner and object may each be metadata, a struct of a kind or
// an Unstructured.
//
//   const absl::Status status = meta::SetControllerReference(widget, kWidget, pod);

namespace internal {

// Returns INVALID_ARGUMENT: the metadata of an Unstructured is not an object.
absl::Status NoMetadataError();

inline const api::meta::v1::ObjectMeta& OwnersOf(const api::meta::v1::ObjectMeta& metadata) {
  return metadata;
}
template <Object T>
const api::meta::v1::ObjectMeta& OwnersOf(const T& object) {
  return object.metadata;
}
// Returns the fields from which owner references are made.
template <DynamicObject T>
api::meta::v1::ObjectMeta OwnersOf(const T& object) {
  api::meta::v1::ObjectMeta metadata;
  metadata.name = object.name();
  metadata.namespace_ = object.namespace_name();
  metadata.uid = object.uid();
  metadata.owner_references = object.owner_references();
  return metadata;
}

// Calls `change` with the metadata of `object` and returns its result.
template <typename Change>
absl::Status ChangeOwners(api::meta::v1::ObjectMeta& metadata, const Change& change) {
  return change(metadata);
}
template <Object T, typename Change>
absl::Status ChangeOwners(T& object, const Change& change) {
  return change(object.metadata);
}
template <DynamicObject T, typename Change>
absl::Status ChangeOwners(T& object, const Change& change) {
  api::meta::v1::ObjectMeta metadata = OwnersOf(object);
  absl::Status status = change(metadata);
  if (!status.ok()) return status;
  object.set_owner_references(metadata.owner_references);
  return object.owner_references() == metadata.owner_references ? absl::OkStatus()
                                                                : NoMetadataError();
}

}  // namespace internal

template <typename T>
concept HasOwners = AnyKindOfObject<T> || std::same_as<T, api::meta::v1::ObjectMeta>;

// The combinations that the functions above do not take.
template <typename Owner, typename T>
concept ObjectAndOwner = HasOwners<Owner> && HasOwners<T> &&
    (AnyKindOfObject<Owner> || AnyKindOfObject<T>);

template <AnyKindOfObject T>
api::meta::v1::OwnerReference NewControllerRef(const T& owner,
                                               const schema::GroupVersionKind& owner_kind) {
  return NewControllerRef(internal::OwnersOf(owner), owner_kind);
}

template <Object T>
const api::meta::v1::OwnerReference* GetControllerOf(const T& object) {
  return GetControllerOf(object.metadata);
}
// Returns a copy.
template <DynamicObject T>
std::optional<api::meta::v1::OwnerReference> GetControllerOf(const T& object) {
  const api::meta::v1::ObjectMeta metadata = internal::OwnersOf(object);
  const api::meta::v1::OwnerReference* controller = GetControllerOf(metadata);
  if (controller == nullptr) return std::nullopt;
  return *controller;
}

template <typename T, typename Owner>
requires ObjectAndOwner<Owner, T>
bool IsControlledBy(const T& object, const Owner& owner) {
  return IsControlledBy(internal::OwnersOf(object), internal::OwnersOf(owner));
}

template <typename Owner, typename T>
requires ObjectAndOwner<Owner, T> absl::Status SetControllerReference(
    const Owner& owner, const schema::GroupVersionKind& owner_kind, T& object,
    const OwnerReferenceOptions& options = {}) {
  return internal::ChangeOwners(object, [&](api::meta::v1::ObjectMeta& metadata) {
    return SetControllerReference(internal::OwnersOf(owner), owner_kind, metadata, options);
  });
}

template <typename Owner, typename T>
requires ObjectAndOwner<Owner, T> absl::Status SetOwnerReference(
    const Owner& owner, const schema::GroupVersionKind& owner_kind, T& object,
    const OwnerReferenceOptions& options = {}) {
  return internal::ChangeOwners(object, [&](api::meta::v1::ObjectMeta& metadata) {
    return SetOwnerReference(internal::OwnersOf(owner), owner_kind, metadata, options);
  });
}

template <typename Owner, typename T>
requires ObjectAndOwner<Owner, T> absl::Status RemoveOwnerReference(
    const Owner& owner, const schema::GroupVersionKind& owner_kind, T& object) {
  return internal::ChangeOwners(object, [&](api::meta::v1::ObjectMeta& metadata) {
    return RemoveOwnerReference(internal::OwnersOf(owner), owner_kind, metadata);
  });
}

template <typename Owner, typename T>
requires ObjectAndOwner<Owner, T> absl::Status RemoveControllerReference(
    const Owner& owner, const schema::GroupVersionKind& owner_kind, T& object) {
  return internal::ChangeOwners(object, [&](api::meta::v1::ObjectMeta& metadata) {
    return RemoveControllerReference(internal::OwnersOf(owner), owner_kind, metadata);
  });
}

template <AnyKindOfObject T>
bool HasControllerReference(const T& object) {
  return HasControllerReference(internal::OwnersOf(object));
}

}  // namespace kube::meta

#endif  // APIMACHINERY_META_OWNER_REFERENCE_H_
