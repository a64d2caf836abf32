#ifndef APIMACHINERY_META_ACCESSOR_H_
#define APIMACHINERY_META_ACCESSOR_H_

#include <concepts>

#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/message_type.h"

// The metadata of objects. Go has an interface of thirty getters and setters for it, metav1.Object.
// Here it is the struct metav1::ObjectMeta, the member `metadata` of each kind, and the functions
// of this package work on it:
//
//   meta::AddFinalizer(pod.metadata, "example.com/cleanup");
//   meta::AddFinalizer(widget, "example.com/cleanup");           // an Unstructured
//   const metav1::ObjectMeta* metadata = meta::MetadataOf(any);  // of an AnyObject
//
// All functions of kube::meta are thread-safe as long as no other thread changes their arguments.
namespace kube::meta {

// An API struct with the metadata of an object. apimachinery: `metav1.ObjectMetaAccessor`.
template <typename T>
concept Object = ApiStruct<T> && requires(const T& object) {
  { object.metadata } -> std::same_as<const api::meta::v1::ObjectMeta&>;
};

// An object whose metadata is behind accessors, such as unstructured::Unstructured. The functions
// of this package that take an object's metadata also take either kind of object.
template <typename T>
concept DynamicObject = !Object<T> && requires(const T& object, T& changed,
                                               const List<api::meta::v1::OwnerReference>& owners) {
  { object.name() } -> std::convertible_to<absl::string_view>;
  { object.namespace_name() } -> std::convertible_to<absl::string_view>;
  { object.owner_references() } -> std::convertible_to<List<api::meta::v1::OwnerReference>>;
  changed.set_owner_references(owners);
};

// Any object that has a name: a struct of a kind, a PartialObjectMetadata or an Unstructured.
template <typename T>
concept AnyKindOfObject = Object<T> || DynamicObject<T>;

// An API struct with the metadata of a list. apimachinery: `metav1.ListMetaAccessor`.
template <typename T>
concept ListObject = ApiStruct<T> && requires(T& list) {
  { list.metadata } -> std::same_as<api::meta::v1::ListMeta&>;
  list.items;
};

// Return the metadata of an object whose type is known, for templates. apimachinery:
// `meta.Accessor`.
template <Object T>
const api::meta::v1::ObjectMeta& MetadataOf(const T& object) {
  return object.metadata;
}
template <Object T>
api::meta::v1::ObjectMeta& MetadataOf(T& object) {
  return object.metadata;
}

// Return the metadata of any object, found by the field table of its kind. Return null if the kind
// has no object metadata, such as lists and Status. Valid while the object exists. apimachinery:
// `meta.Accessor`.
const api::meta::v1::ObjectMeta* MetadataOf(const codec::AnyObject& object);
api::meta::v1::ObjectMeta* MetadataOf(codec::AnyObject& object);

// Return the metadata of any list, or null. apimachinery: `meta.ListAccessor`.
const api::meta::v1::ListMeta* ListMetadataOf(const codec::AnyObject& list);
api::meta::v1::ListMeta* ListMetadataOf(codec::AnyObject& list);

// Returns an object that consists of the metadata alone. apimachinery:
// `meta.AsPartialObjectMetadata`.
api::meta::v1::PartialObjectMetadata AsPartialObjectMetadata(
    const api::meta::v1::ObjectMeta& metadata);

// Returns the members `apiVersion` and `kind` of an object. They are empty if not set, as in most
// objects that were decoded from protobuf. apimachinery: `GetObjectKind().GroupVersionKind()`.
template <ApiStruct T>
schema::GroupVersionKind KindOf(const T& object) {
  return schema::FromApiVersionAndKind(object.api_version.view(), object.kind.view());
}

// Sets the members `apiVersion` and `kind`. apimachinery: `SetGroupVersionKind`.
template <ApiStruct T>
void SetKind(T& object, const schema::GroupVersionKind& kind) {
  object.api_version = schema::ApiVersionOf(kind);
  object.kind = kind.kind;
}

// Returns whether the API server has filled in the metadata, that is, a creation time or a UID.
// apimachinery: `metav1.HasObjectMetaSystemFieldValues`.
bool HasSystemFieldValues(const api::meta::v1::ObjectMeta& metadata);

// Copies from `existing` what an update of the status must not change: generation, labels,
// annotations, finalizers, owner references, self link and deletion time. Managed fields are not
// copied, because the update has changed them. apimachinery: `metav1.ResetObjectMetaForStatus`.
void ResetForStatus(api::meta::v1::ObjectMeta& metadata, const api::meta::v1::ObjectMeta& existing);

}  // namespace kube::meta

#endif  // APIMACHINERY_META_ACCESSOR_H_
