#ifndef APIMACHINERY_META_ACCESSOR_H_
#define APIMACHINERY_META_ACCESSOR_H_

#include <concepts>

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/message_type.h"

// The metadata of objects. Upstream has an interface of thirty getters and setters over every kind
// (metav1.Object); here it is the struct itself, metav1::ObjectMeta, which every kind has as its
// member `metadata`. What this package does with an object, it does with that:
//
//   meta::AddFinalizer(pod.metadata, "example.com/cleanup");
//   meta::AddFinalizer(unstructured, "example.com/cleanup");
//   if (const metav1::ObjectMeta* m = meta::MetadataOf(any_object)) meta::MetaNamespaceKey(*m);
//
// Everything in kube::meta is thread-safe where nobody changes its arguments meanwhile.
namespace kube::meta {

// An API struct with the metadata of an object. (metav1.ObjectMetaAccessor)
template <typename T>
concept Object = ApiStruct<T> && requires(const T& object) {
  { object.metadata } -> std::same_as<const api::meta::v1::ObjectMeta&>;
};

// An object that has its metadata behind accessors, as unstructured::Unstructured does. Where a
// function of this package takes the metadata of an object, it takes either kind of object too.
template <typename T>
concept DynamicObject = !Object<T> && requires(const T& object, T& changed,
                                               const List<api::meta::v1::OwnerReference>& owners) {
  { object.name() } -> std::convertible_to<absl::string_view>;
  { object.namespace_name() } -> std::convertible_to<absl::string_view>;
  { object.owner_references() } -> std::convertible_to<List<api::meta::v1::OwnerReference>>;
  changed.set_owner_references(owners);
};

// Any object that has a name: a struct of a kind, metadata alone, or an Unstructured.
template <typename T>
concept AnyKindOfObject = Object<T> || DynamicObject<T>;

// An API struct with the metadata of a list. (metav1.ListMetaAccessor)
template <typename T>
concept ListObject = ApiStruct<T> && requires(T& list) {
  { list.metadata } -> std::same_as<api::meta::v1::ListMeta&>;
  list.items;
};

// Of an object whose type is known: for templates. (meta.Accessor)
template <Object T>
const api::meta::v1::ObjectMeta& MetadataOf(const T& object) {
  return object.metadata;
}
template <Object T>
api::meta::v1::ObjectMeta& MetadataOf(T& object) {
  return object.metadata;
}

// Of any object, through its kind's table. Null: the kind has none, as lists and Status. Good while
// the object lives. (meta.Accessor)
const api::meta::v1::ObjectMeta* MetadataOf(const codec::AnyObject& object);
api::meta::v1::ObjectMeta* MetadataOf(codec::AnyObject& object);

// Of any list, likewise. (meta.ListAccessor)
const api::meta::v1::ListMeta* ListMetadataOf(const codec::AnyObject& list);
api::meta::v1::ListMeta* ListMetadataOf(codec::AnyObject& list);

// An object that is nothing but its metadata. (meta.AsPartialObjectMetadata)
api::meta::v1::PartialObjectMetadata AsPartialObjectMetadata(
    const api::meta::v1::ObjectMeta& metadata);

// What the members `apiVersion` and `kind` of a T say; empty where they are not set, as in most
// objects that came as protobuf. (GetObjectKind().GroupVersionKind())
template <ApiStruct T>
schema::GroupVersionKind KindOf(const T& object) {
  return schema::FromApiVersionAndKind(object.api_version.view(), object.kind.view());
}

// Sets both. (SetGroupVersionKind)
template <ApiStruct T>
void SetKind(T& object, const schema::GroupVersionKind& kind) {
  object.api_version = schema::ApiVersionOf(kind);
  object.kind = kind.kind;
}

// Whether the system has begun to fill them in: a creation time or a UID.
// (metav1.HasObjectMetaSystemFieldValues)
bool HasSystemFieldValues(const api::meta::v1::ObjectMeta& metadata);

// Takes over from `existing` what an update of the status must not change: generation, labels,
// annotations, finalizers, owners and the deletion time. Managed fields stay: the update has
// changed them. (metav1.ResetObjectMetaForStatus)
void ResetForStatus(api::meta::v1::ObjectMeta& metadata, const api::meta::v1::ObjectMeta& existing);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_ACCESSOR_H_
