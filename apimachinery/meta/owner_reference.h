#ifndef APIMACHINERY_META_OWNER_REFERENCE_H_
#define APIMACHINERY_META_OWNER_REFERENCE_H_

#include <concepts>
#include <optional>

#include "absl/status/status.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"

// Who owns an object, and is to be gone before the garbage collector takes it; and which one of
// its owners controls it. (metav1's controller_ref.go, and controllerutil of controller-runtime)
//
//   KUBE_RETURN_IF_ERROR(meta::SetControllerReference(web.metadata, kWebKind, pod.metadata));
//   if (!meta::IsControlledBy(pod.metadata, web.metadata)) ...
//
// Two references are to the same owner if their group, kind and name are; version and UID do not
// count, so that an owner made anew under its old name takes the place of the old one.
//
// An owner's kind is the caller's to say: objects from a server often do not have it.
// Thread-safe where nobody changes the arguments meanwhile.
namespace kube::meta {

// A reference that makes `owner` the controller, and blocks its deletion in the foreground.
// (metav1.NewControllerRef)
api::meta::v1::OwnerReference NewControllerRef(const api::meta::v1::ObjectMeta& owner,
                                               const schema::GroupVersionKind& owner_kind);

// The reference to the controller, the first that says it is one; null: there is none. Good until
// the owners change. Copy what it leads to, to keep it. (metav1.GetControllerOf and ...NoCopy)
const api::meta::v1::OwnerReference* GetControllerOf(const api::meta::v1::ObjectMeta& object);

// Whether there is a controller, and its UID is that of `owner`. (metav1.IsControlledBy)
bool IsControlledBy(const api::meta::v1::ObjectMeta& object,
                    const api::meta::v1::ObjectMeta& owner);

struct OwnerReferenceOptions {
  // Whether an owner that is deleted in the foreground waits until the object is gone. Unset, the
  // default: true for a controller, absent for other owners. (WithBlockOwnerDeletion)
  std::optional<bool> block_owner_deletion = {};
};

// Makes `owner` the controller of `object`, or renews the reference to it. Errors, after which
// nothing has changed:
//   ALREADY_EXISTS     another one controls it, see IsAlreadyOwned: leave the object alone
//   INVALID_ARGUMENT   the owner is in a namespace, and the object in another one or in none
absl::Status SetControllerReference(const api::meta::v1::ObjectMeta& owner,
                                    const schema::GroupVersionKind& owner_kind,
                                    api::meta::v1::ObjectMeta& object,
                                    const OwnerReferenceOptions& options = {});

// Whether SetControllerReference refused because another owner controls the object.
// (controllerutil.AlreadyOwnedError)
bool IsAlreadyOwned(const absl::Status& error);

// Makes `owner` one of the owners, or renews the reference to it; a controller among the others
// stays. A renewed reference is not a controller's any more, as upstream. Errors but the first as
// above.
absl::Status SetOwnerReference(const api::meta::v1::ObjectMeta& owner,
                               const schema::GroupVersionKind& owner_kind,
                               api::meta::v1::ObjectMeta& object,
                               const OwnerReferenceOptions& options = {});

// NOT_FOUND: it is none of the owners.
absl::Status RemoveOwnerReference(const api::meta::v1::ObjectMeta& owner,
                                  const schema::GroupVersionKind& owner_kind,
                                  api::meta::v1::ObjectMeta& object);

// NOT_FOUND: it is none of the owners, or one that does not control the object.
absl::Status RemoveControllerReference(const api::meta::v1::ObjectMeta& owner,
                                       const schema::GroupVersionKind& owner_kind,
                                       api::meta::v1::ObjectMeta& object);

bool HasOwnerReference(const List<api::meta::v1::OwnerReference>& references,
                       const api::meta::v1::ObjectMeta& owner,
                       const schema::GroupVersionKind& owner_kind);

// Whether any owner controls it.
bool HasControllerReference(const api::meta::v1::ObjectMeta& object);

// ---- the same of objects: owner and object may each be metadata, a struct of a kind, or an
// ---- Unstructured
//
//   KUBE_RETURN_IF_ERROR(meta::SetControllerReference(widget, kWidgetKind, pod));

namespace internal {

// INVALID_ARGUMENT: the metadata of an Unstructured is not an object.
absl::Status NoMetadataError();

inline const api::meta::v1::ObjectMeta& OwnersOf(const api::meta::v1::ObjectMeta& metadata) {
  return metadata;
}
template <Object T>
const api::meta::v1::ObjectMeta& OwnersOf(const T& object) {
  return object.metadata;
}
// What owner references are made of.
template <DynamicObject T>
api::meta::v1::ObjectMeta OwnersOf(const T& object) {
  api::meta::v1::ObjectMeta metadata;
  metadata.name = object.name();
  metadata.namespace_ = object.namespace_name();
  metadata.uid = object.uid();
  metadata.owner_references = object.owner_references();
  return metadata;
}

// The result of `change`, which is called with the metadata of `object`.
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

// Those that the functions above do not take.
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
// A copy.
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
