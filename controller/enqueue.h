#ifndef CONTROLLER_ENQUEUE_H_
#define CONTROLLER_ENQUEUE_H_

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/schema/group_version.h"
#include "controller/workqueue/key_traits.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/queue_options.h"
#include "informers/event_handler.h"

// Handlers for informers that put the name of an object, or of its owner, into a work queue. They
// correspond to the functions `enqueueFoo` and `handleObject` of sample-controller.
//
//   KUBE_RETURN_IF_ERROR(Foos(factory_).Informer().AddEventHandler(EnqueueHandler<Foo>(queue_)));
//   // Changes of a Deployment enqueue the Foo that owns it.
//   KUBE_RETURN_IF_ERROR(factory_.Apps().V1().Deployments().Informer().AddEventHandler(
//       EnqueueControllerHandler<appsv1::Deployment>(queue_, kFoo)));
//
// T may be any kind of object: a struct with metadata, metadata only, or
// unstructured::Unstructured. Handlers with code of their own call Enqueue and EnqueueController.
// Thread-safe.
namespace kube::controller {

// An event of an informer: an add, an update or a delete. Even a missed deletion has an object, the
// last known state, so there are no tombstones to unwrap.
template <typename T>
concept ObjectEvent = requires(const T& event) {
  requires meta::AnyKindOfObject<std::remove_cvref_t<decltype(*event.object)>>;
};

enum class OwnerScope {
  kNamespace,  // the owner is in the object's namespace
  kCluster,    // the owner is cluster-scoped
};

// Returns the name of the object's controller if it has one of this kind; the version is ignored.
// The worker must check that the controller exists and has the same UID: see meta::IsControlledBy.
// (client-go: `metav1.GetControllerOf` with a check of the kind)
std::optional<meta::ObjectName> ControllerNameOf(const api::meta::v1::ObjectMeta& object,
                                                 const schema::GroupVersionKind& controller_kind,
                                                 OwnerScope scope = OwnerScope::kNamespace);
template <meta::AnyKindOfObject T>
std::optional<meta::ObjectName> ControllerNameOf(const T& object,
                                                 const schema::GroupVersionKind& controller_kind,
                                                 OwnerScope scope = OwnerScope::kNamespace);

// Returns workqueue::kLowPriority for objects of the initial list and for updates without a change,
// and zero otherwise. (controller-runtime: `handler.WithLowPriorityWhenUnchanged`)
template <ObjectEvent Event>
int16_t PriorityOf(const Event& event);

// Adds the object's name to the queue. (client-go: `cache.DeletionHandlingObjectToName` and
// `queue.Add`)
template <ObjectEvent Event>
void Enqueue(workqueue::Queue<meta::ObjectName>& queue, const Event& event) {
  queue.Add(meta::ObjectNameOf(*event.object), {.priority = PriorityOf(event)});
}

// Adds the name of the object's controller if it has one of this kind. For an update or a delete,
// also adds the controller of the old object if it is another one. (sample-controller:
// `handleObject`; controller-runtime: `EnqueueRequestForOwner` with OnlyControllerOwner)
template <ObjectEvent Event>
void EnqueueController(workqueue::Queue<meta::ObjectName>& queue,
                       const schema::GroupVersionKind& controller_kind, const Event& event,
                       OwnerScope scope = OwnerScope::kNamespace);

// Adds the keys that `keys_of` returns for the object and, for an update or a delete, those for the
// old object, so that what the object no longer refers to is processed too. Each key is added once.
// `keys_of` takes a const T& and returns a std::vector of keys. It may read stores and listers,
// which have the current state, also when it is called for the old object. (controller-runtime:
// `EnqueueRequestsFromMapFunc`)
template <workqueue::QueueKey Key, typename KeysOf, ObjectEvent Event>
void EnqueueMapped(workqueue::Queue<Key>& queue, const KeysOf& keys_of, const Event& event);

// Return handlers, for AddEventHandler, that do the above with every event. The queue must outlive
// them: destroy the informer factory first.
template <meta::AnyKindOfObject T>
informers::EventHandler<T> EnqueueHandler(workqueue::Queue<meta::ObjectName>& queue);
template <meta::AnyKindOfObject T>
informers::EventHandler<T> EnqueueControllerHandler(workqueue::Queue<meta::ObjectName>& queue,
                                                    schema::GroupVersionKind controller_kind,
                                                    OwnerScope scope = OwnerScope::kNamespace);
// Returns a handler for objects of another kind to which the objects of the queue refer. `keys_of`,
// here WebsitesOf, is called on the handler's thread and may read stores and listers.
//
//   const auto handler = EnqueueMappedHandler<appsv1::Deployment>(queue, WebsitesOf);
template <meta::AnyKindOfObject T, workqueue::QueueKey Key, typename KeysOf>
informers::EventHandler<T> EnqueueMappedHandler(workqueue::Queue<Key>& queue, KeysOf keys_of);

// ---- implementation

template <meta::AnyKindOfObject T>
std::optional<meta::ObjectName> ControllerNameOf(const T& object,
                                                 const schema::GroupVersionKind& controller_kind,
                                                 OwnerScope scope) {
  if constexpr (meta::Object<T>) {
    return ControllerNameOf(object.metadata, controller_kind, scope);
  } else {
    api::meta::v1::ObjectMeta metadata;
    metadata.namespace_ = object.namespace_name();
    metadata.owner_references = object.owner_references();
    return ControllerNameOf(metadata, controller_kind, scope);
  }
}

template <ObjectEvent Event>
int16_t PriorityOf(const Event& event) {
  bool news = true;
  if constexpr (requires { event.is_in_initial_list; }) news = !event.is_in_initial_list;
  if constexpr (requires { event.is_resync; }) news = !event.is_resync;
  return news ? int16_t{0} : workqueue::kLowPriority;
}

template <ObjectEvent Event>
void EnqueueController(workqueue::Queue<meta::ObjectName>& queue,
                       const schema::GroupVersionKind& controller_kind, const Event& event,
                       OwnerScope scope) {
  const workqueue::AddOptions options = {.priority = PriorityOf(event)};
  const std::optional<meta::ObjectName> name =
      ControllerNameOf(*event.object, controller_kind, scope);
  if (name.has_value()) queue.Add(*name, options);
  if constexpr (requires { event.old_object; }) {
    if (event.old_object == nullptr) return;
    const std::optional<meta::ObjectName> before =
        ControllerNameOf(*event.old_object, controller_kind, scope);
    if (before.has_value() && before != name) queue.Add(*before, options);
  }
}

template <workqueue::QueueKey Key, typename KeysOf, ObjectEvent Event>
void EnqueueMapped(workqueue::Queue<Key>& queue, const KeysOf& keys_of, const Event& event) {
  const workqueue::AddOptions options = {.priority = PriorityOf(event)};
  std::vector<Key> keys = keys_of(*event.object);
  if constexpr (requires { keys_of(*event.old_object); }) {
    if (event.old_object != nullptr) {
      for (Key& key : keys_of(*event.old_object)) keys.push_back(std::move(key));
    }
  }
  absl::flat_hash_set<std::string> added;
  for (const Key& key : keys) {
    const auto text = workqueue::KeyTraits<Key>::ToText(key);
    if (added.emplace(absl::string_view(text)).second) queue.Add(key, options);
  }
}

template <meta::AnyKindOfObject T>
informers::EventHandler<T> EnqueueHandler(workqueue::Queue<meta::ObjectName>& queue) {
  const auto enqueue = [&queue](const auto& event) { Enqueue(queue, event); };
  return {.on_add = enqueue, .on_update = enqueue, .on_delete = enqueue};
}

template <meta::AnyKindOfObject T>
informers::EventHandler<T> EnqueueControllerHandler(workqueue::Queue<meta::ObjectName>& queue,
                                                    schema::GroupVersionKind controller_kind,
                                                    OwnerScope scope) {
  const auto enqueue = [&queue, kind = std::move(controller_kind), scope](const auto& event) {
    EnqueueController(queue, kind, event, scope);
  };
  return {.on_add = enqueue, .on_update = enqueue, .on_delete = enqueue};
}

template <meta::AnyKindOfObject T, workqueue::QueueKey Key, typename KeysOf>
informers::EventHandler<T> EnqueueMappedHandler(workqueue::Queue<Key>& queue, KeysOf keys_of) {
  constexpr bool maps = std::is_invocable_r_v<std::vector<Key>, const KeysOf&, const T&>;
  static_assert(maps,
                "keys_of of EnqueueMappedHandler must take (const T&) and return a "
                "std::vector of the queue's keys");
  if constexpr (maps) {
    const auto enqueue = [&queue, keys_of = std::move(keys_of)](const auto& event) {
      EnqueueMapped(queue, keys_of, event);
    };
    return {.on_add = enqueue, .on_update = enqueue, .on_delete = enqueue};
  }
  return {};
}

}  // namespace kube::controller

#endif  // CONTROLLER_ENQUEUE_H_
