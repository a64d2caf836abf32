#ifndef CLIENTSET_TYPED_OWNER_H_
#define CLIENTSET_TYPED_OWNER_H_

#include <optional>

#include "absl/status/status.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/meta/owner_reference.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/typed/resource_traits.h"

// The functions of apimachinery/meta/owner_reference.h for owners whose kind is that of their type,
// with the scopes of both kinds in mind. (controller-runtime: package `controllerutil`, which takes
// the kind from a scheme)
//
//   KUBE_RETURN_IF_ERROR(typed::SetControllerReference(account, settings));
//   return maps.Create(ctx, settings).status();
//
// `object` may be of any kind, an Unstructured or a PartialObjectMetadata. A controller's children
// get their owner from controller::Owned, and need none of this. Thread-safe as long as no other
// thread changes the arguments.
namespace kube::typed {

namespace internal {

// What is known of an owner and its object before a reference is made.
struct Ownership {
  schema::GroupVersionKind owner_kind = {};
  bool owner_namespaced = true;
  // Unset if the type of the object does not say it.
  std::optional<bool> object_namespaced = {};
};

template <ResourceKind OwnerT, meta::AnyKindOfObject T>
Ownership OwnershipOf() {
  Ownership ownership = {.owner_kind = KindOf<OwnerT>(),
                         .owner_namespaced = ResourceTraits<OwnerT>::kResource.namespaced,
                         .object_namespaced = {}};
  if constexpr (ResourceKind<T>) {
    ownership.object_namespaced = ResourceTraits<T>::kResource.namespaced;
  }
  return ownership;
}

absl::Status CheckOwner(const Ownership& ownership, const api::meta::v1::ObjectMeta& owner,
                        const meta::ObjectName& object);

}  // namespace internal

// Makes `owner` the controller of `object`, or updates the reference to it. If it returns an error,
// nothing has changed:
//
// * Returns ALREADY_EXISTS (meta::IsAlreadyOwned) if another owner is the controller.
// * Returns INVALID_ARGUMENT if a namespaced owner would get an object of the cluster or of another
//   namespace, if the object's namespace is not set yet although its kind has namespaces, or if the
//   owner has no UID, as it was not read from a server: a server would refuse such a reference.
template <ResourceKind OwnerT, meta::AnyKindOfObject T>
absl::Status SetControllerReference(const OwnerT& owner, T& object,
                                    const meta::OwnerReferenceOptions& options = {}) {
  const internal::Ownership ownership = internal::OwnershipOf<OwnerT, T>();
  KUBE_RETURN_IF_ERROR(internal::CheckOwner(ownership, owner.metadata, meta::ObjectNameOf(object)));
  return meta::SetControllerReference(owner, ownership.owner_kind, object, options);
}

// Makes `owner` one of the owners, or updates the reference to it, which then is no longer that of
// a controller. Returns INVALID_ARGUMENT as SetControllerReference does.
template <ResourceKind OwnerT, meta::AnyKindOfObject T>
absl::Status SetOwnerReference(const OwnerT& owner, T& object,
                               const meta::OwnerReferenceOptions& options = {}) {
  const internal::Ownership ownership = internal::OwnershipOf<OwnerT, T>();
  KUBE_RETURN_IF_ERROR(internal::CheckOwner(ownership, owner.metadata, meta::ObjectNameOf(object)));
  return meta::SetOwnerReference(owner, ownership.owner_kind, object, options);
}

// Remove the reference to `owner`. Return NOT_FOUND if it is not an owner, or not the controller.
template <ResourceKind OwnerT, meta::AnyKindOfObject T>
absl::Status RemoveOwnerReference(const OwnerT& owner, T& object) {
  return meta::RemoveOwnerReference(owner, KindOf<OwnerT>(), object);
}
template <ResourceKind OwnerT, meta::AnyKindOfObject T>
absl::Status RemoveControllerReference(const OwnerT& owner, T& object) {
  return meta::RemoveControllerReference(owner, KindOf<OwnerT>(), object);
}

// Returns whether `owner` is one of the owners, by group, kind and name.
template <ResourceKind OwnerT, meta::AnyKindOfObject T>
bool HasOwnerReference(const OwnerT& owner, const T& object) {
  if constexpr (meta::Object<T>) {
    return meta::HasOwnerReference(object.metadata.owner_references, owner.metadata,
                                   KindOf<OwnerT>());
  } else {
    return meta::HasOwnerReference(object.owner_references(), owner.metadata, KindOf<OwnerT>());
  }
}

}  // namespace kube::typed

#endif  // CLIENTSET_TYPED_OWNER_H_
