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

// What handlers of informers do: put the name of an object, or of its owner, into a work queue.
// (what sample-controller writes by hand as enqueueFoo and handleObject)
//
//   Queue<meta::ObjectName> queue;
//   websites.AddEventHandler(EnqueueHandler<Website>(queue));
//   deployments.AddEventHandler(EnqueueControllerHandler<appsv1::Deployment>(queue, kWebsite));
//
// T is any kind of object: a struct with metadata, metadata alone, or unstructured::Unstructured.
// Handlers of one's own call Enqueue and EnqueueController. Thread-safe.
namespace kube::controller {

// What an informer tells its handlers: of an object's addition, update or deletion. A deletion that
// nobody saw has an object too, the last one known: there are no tombstones to be unwrapped.
template <typename T>
concept ObjectEvent = requires(const T& event) {
  requires meta::AnyKindOfObject<std::remove_cvref_t<decltype(*event.object)>>;
};

enum class OwnerScope {
  kNamespace,  // the owner is in the object's namespace
  kCluster,    // it is in none
};

// The name of the object's controller, if it has one and that is of this kind; the version does not
// count. Whether there is still such an object, and not another one of the same name, is for the
// worker to find out: meta::IsControlledBy. (metav1.GetControllerOf, and the test of its kind)
std::optional<meta::ObjectName> ControllerNameOf(const api::meta::v1::ObjectMeta& object,
                                                 const schema::GroupVersionKind& controller_kind,
                                                 OwnerScope scope = OwnerScope::kNamespace);
template <meta::AnyKindOfObject T>
std::optional<meta::ObjectName> ControllerNameOf(const T& object,
                                                 const schema::GroupVersionKind& controller_kind,
                                                 OwnerScope scope = OwnerScope::kNamespace);

// workqueue::kLowPriority for what is no news: an object of the first list, an update that changes
// nothing. Zero otherwise. (handler.WithLowPriorityWhenUnchanged)
template <ObjectEvent Event>
int16_t PriorityOf(const Event& event);

// Adds the object's name. (cache.DeletionHandlingObjectToName and queue.Add)
template <ObjectEvent Event>
void Enqueue(workqueue::Queue<meta::ObjectName>& queue, const Event& event) {
  queue.Add(meta::ObjectNameOf(*event.object), {.priority = PriorityOf(event)});
}

// Adds the name of the object's controller, if it has one of this kind; also that of the controller
// of the old object, if an update or a delete has one and that is another one. (handleObject;
// EnqueueRequestForOwner with OnlyControllerOwner)
template <ObjectEvent Event>
void EnqueueController(workqueue::Queue<meta::ObjectName>& queue,
                       const schema::GroupVersionKind& controller_kind, const Event& event,
                       OwnerScope scope = OwnerScope::kNamespace);

// Adds the keys that `keys_of` answers for the object, and those that it answers for the old
// object, if an update or a delete has one: what an object no longer refers to is looked at again
// too. Each key is added once. `keys_of` takes a const T& and returns a std::vector of keys. It may
// read stores and listers; for the old object, too, it finds them as they are now.
// (EnqueueRequestsFromMapFunc)
template <workqueue::QueueKey Key, typename KeysOf, ObjectEvent Event>
void EnqueueMapped(workqueue::Queue<Key>& queue, const KeysOf& keys_of, const Event& event);

// Handlers that do so with every event: what AddEventHandler takes. The queue outlives them: let
// the factory be destroyed before it.
template <meta::AnyKindOfObject T>
informers::EventHandler<T> EnqueueHandler(workqueue::Queue<meta::ObjectName>& queue);
template <meta::AnyKindOfObject T>
informers::EventHandler<T> EnqueueControllerHandler(workqueue::Queue<meta::ObjectName>& queue,
                                                    schema::GroupVersionKind controller_kind,
                                                    OwnerScope scope = OwnerScope::kNamespace);
// For objects of a second kind, to which those of the queue refer. `keys_of` is called by the
// handler's thread; it may read stores and listers.
//
//   secrets.AddEventHandler(EnqueueMappedHandler<corev1::Secret>(
//       queue, [&](const corev1::Secret& secret) { return WebsitesThatUse(secret); }));
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
