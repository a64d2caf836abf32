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

// The object of an event, and the reference to it in the event. (client-go: `reference` in
// tools/reference)
namespace kube::events {

// A kind with an apiVersion of its own, unlike parts of other objects such as a pod template.
template <typename T>
concept ReferableObject = meta::Object<T> && requires(const T& object) {
  object.api_version;
  object.kind;
};

// A generated client of one kind, such as corev1::PodClient: it has kResource, and Get returns the
// kind's type.
template <typename C>
concept KindClient = requires(const C& client, const Context& ctx) {
  { C::kResource } -> std::convertible_to<const typed::Resource&>;
  {
    client.Get(ctx, absl::string_view())->metadata
    } -> std::convertible_to<api::meta::v1::ObjectMeta>;
};

// The kinds of the objects that a program reports events about. Objects from a server do not
// contain their kind, so it is looked up by their C++ type. (client-go: the `*runtime.Scheme` of
// `NewRecorder`)
//
//   const ObjectKinds some = KindsOf<corev1::PodClient, appsv1::DeploymentClient>();  // of clients
//   const ObjectKinds all = {corev1::Kinds(), appsv1::Kinds()};                       // of groups
//
// The first form needs only clients that the program uses anyway. The second one needs the target
// //api/core/v1:v1_kinds and the header api/core/v1/types.kinds.kube.h, and links the types of the
// whole group. Neither is needed for references and for objects that contain their kind, such as
// unstructured ones.
//
// A value. Resources and tables must outlive it, as kResource and Kinds() do. Thread-compatible.
class ObjectKinds {
 public:
  ObjectKinds() = default;
  ObjectKinds(std::initializer_list<absl::Span<const KindInfo>> kinds);

  // Declares that objects of `type` have this kind.
  void Add(const kube::table::Message& type, const schema::GroupVersionKind& kind);

  // Returns the kind of `type`, or null. The pointer is valid as long as this object is not
  // changed.
  const schema::GroupVersionKind* Find(const kube::table::Message& type) const;

 private:
  absl::flat_hash_map<const kube::table::Message*, schema::GroupVersionKind> kinds_;
};

// Returns the kinds of one or several clients: KindsOf<corev1::PodClient>().
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

// The object that an event is about: a parameter of recorders, implicitly made from the caller's
// object.
//
//   recorder->Event(pod, kEventTypeNormal, "Restarted", "by request");
//   const corev1::ObjectReference node = {.kind = "Node", .name = "n1"};
//   recorder->Event(node, kEventTypeNormal, "Cordoned", "before the restart");
//
// Copies the few strings that it needs. Thread-compatible.
class EventObject {
 public:
  // NOLINTBEGIN(google-explicit-constructor): callers pass what they have

  // No object, for events without a related object.
  EventObject(std::nullptr_t) {}

  // Uses the reference unchanged. A field path names a part of the object: "spec.containers{web}".
  EventObject(const api::core::v1::ObjectReference& reference)
      : reference_(reference), is_null_(false) {}

  template <ReferableObject T>
  EventObject(const T& object)
      : EventObject(object.metadata, meta::KindOf(object), &T::kMessage, nullptr) {}
  // Uses the kind and the resource version of a list.
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
  // `said` is the kind in the object itself. If it is empty, `known` is used, or the kind of
  // `type`.
  EventObject(const api::meta::v1::ObjectMeta& metadata, const schema::GroupVersionKind& said,
              const kube::table::Message* type, const KindInfo* known);
  void SetKind(const schema::GroupVersionKind& kind);

  api::core::v1::ObjectReference reference_;
  bool is_null_ = true;
  // If not null, the kind must be looked up by this type.
  const kube::table::Message* type_ = nullptr;
};

// Returns the reference to `object`. Returns INVALID_ARGUMENT if there is no object or its kind is
// unknown. (client-go: `reference.GetReference`)
absl::StatusOr<api::core::v1::ObjectReference> GetReference(const ObjectKinds& kinds,
                                                            const EventObject& object);

}  // namespace kube::events

#endif  // CONTROLLER_EVENTS_EVENT_OBJECT_H_
