#ifndef CONTROLLER_EVENTS_EVENT_OBJECT_H_
#define CONTROLLER_EVENTS_EVENT_OBJECT_H_

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/message_type.h"
#include "apimachinery/unstructured/unstructured.h"
#include "clientset/typed/resource.h"

// What an event is about, and the reference to it that the event has. (client-go's tools/reference)
namespace kube::events {

// A kind with an apiVersion of its own: all but parts of other objects, such as a pod's template.
template <typename T>
concept ReferableObject = meta::Object<T> && requires(const T& object) {
  object.api_version;
  object.kind;
};

// A generated client of one kind, such as corev1::PodClient: it has kResource, and its Get returns
// the kind's type.
template <typename C>
concept KindClient = requires(const C& client, const Context& ctx) {
  { C::kResource } -> std::convertible_to<const typed::Resource&>;
  {
    client.Get(ctx, absl::string_view())->metadata
    } -> std::convertible_to<api::meta::v1::ObjectMeta>;
};

// The kinds of the objects that a program reports events about. Objects that came from a server do
// not say their kind, so it is found by their type. (the *runtime.Scheme of NewRecorder)
//
//   ObjectKinds kinds = KindsOf<v1alpha1::MirrorClient, corev1::PodClient>();  // of these clients
//   ObjectKinds kinds = {corev1::Kinds(), examplev1::Kinds()};  // every kind of these groups
//
// The first form needs nothing but the clients that the program has anyway. The second needs the
// targets and headers of the tables, //api/core/v1:v1_kinds and api/core/v1/types.kinds.kube.h, and
// links the types of the whole group. Objects that say their kind, such as unstructured ones, and
// references need neither.
//
// A value; resources and tables outlive it, as kResource and Kinds() do. Thread-compatible.
class ObjectKinds {
 public:
  ObjectKinds() = default;
  ObjectKinds(std::initializer_list<absl::Span<const KindInfo>> kinds);

  // The objects of `type` are of this kind.
  void Add(const kube::table::Message& type, const schema::GroupVersionKind& kind);

  // Null: it is none of them. Points into this.
  const schema::GroupVersionKind* Find(const kube::table::Message& type) const;

 private:
  absl::flat_hash_map<const kube::table::Message*, schema::GroupVersionKind> kinds_;
};

// The kinds of these clients, one or several: KindsOf<corev1::PodClient>().
template <KindClient... Clients>
ObjectKinds KindsOf() {
  ObjectKinds kinds;
  (kinds.Add(decltype(std::declval<const Clients&>().Get(
                 std::declval<const Context&>(), absl::string_view()))::value_type::kMessage,
             {.group = std::string(Clients::kResource.group),
              .version = std::string(Clients::kResource.version),
              .kind = std::string(Clients::kResource.kind)}),
   ...);
  return kinds;
}

// Anything that an event can be about: a parameter of recorders, made of what callers have.
//
//   recorder->Event(pod, …);                                    // a corev1::Pod
//   recorder->Event(corev1::ObjectReference{.kind = "Node", .name = "n1"}, …);
//
// Has copies of the few texts that it needs. Thread-compatible.
class EventObject {
 public:
  // NOLINTBEGIN(google-explicit-constructor): callers pass what they have

  // Nothing: as the related object of an event that has none.
  EventObject(std::nullptr_t) {}

  // As it is. A field path says which part of the object is meant: "spec.containers{web}".
  EventObject(const api::core::v1::ObjectReference& reference)
      : reference_(reference), is_null_(false) {}

  template <ReferableObject T>
  EventObject(const T& object)
      : EventObject(object.metadata, meta::KindOf(object), &T::kMessage, nullptr) {}
  // A list has a kind and a resource version.
  template <meta::ListObject T>
  EventObject(const T& list) : EventObject({}, meta::KindOf(list), &T::kMessage, nullptr) {
    reference_.resource_version = list.metadata.resource_version;
  }
  EventObject(const codec::AnyObject& object);
  EventObject(const unstructured::Unstructured& object);
  // NOLINTEND(google-explicit-constructor)

 private:
  friend absl::StatusOr<api::core::v1::ObjectReference> GetReference(const ObjectKinds& kinds,
                                                                     const EventObject& object);
  // `said` is the kind in the object itself; if there is none, it is `known`, or that of `type`.
  EventObject(const api::meta::v1::ObjectMeta& metadata, const schema::GroupVersionKind& said,
              const kube::table::Message* type, const KindInfo* known);
  void SetKind(const schema::GroupVersionKind& kind);

  api::core::v1::ObjectReference reference_;
  bool is_null_ = true;
  // Not null: the kind is that of this type.
  const kube::table::Message* type_ = nullptr;
};

// The reference to `object`; a reference itself as it is. INVALID_ARGUMENT: there is no object, or
// nobody knows its kind. (reference.GetReference)
absl::StatusOr<api::core::v1::ObjectReference> GetReference(const ObjectKinds& kinds,
                                                            const EventObject& object);

}  // namespace kube::events

#endif  // CONTROLLER_EVENTS_EVENT_OBJECT_H_
