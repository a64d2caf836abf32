#ifndef CONTROLLER_TRIGGERS_TRIGGER_H_
#define CONTROLLER_TRIGGERS_TRIGGER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/string_view.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/object_name.h"
#include "controller/enqueue.h"
#include "controller/predicates/predicate.h"
#include "controller/workqueue/key_traits.h"
#include "informers/event_handler.h"
#include "listers/stored_object.h"

namespace kube::controller {

// Says which keys a changed object of kind K puts into the queue of a controller.
// (controller-runtime: `handler.EventHandler`)
//
//   const Trigger<corev1::Pod> by_label = EnqueueMapped<corev1::Pod>([](const corev1::Pod& pod) {
//     return std::vector<meta::ObjectName>{
//         {.namespace_name = std::string(pod.metadata.namespace_),
//          .name = std::string(pod.metadata.labels.value_or("website", ""))}};
//   });
//
// `keys_of` is asked for the new and for the old state of the object, so that what it no longer
// refers to is processed too. It is called on the threads of the watch's handlers, on several at
// once if the watch has several namespaces. It may read indexes and listers, which have the current
// state, also for the old object. It must return soon and must not throw. If it is null, nothing is
// enqueued.
template <listers::StoredObject K, workqueue::QueueKey Key = meta::ObjectName>
struct Trigger {
  std::function<std::vector<Key>(const K&)> keys_of = {};
};

// Enqueues the object itself. (controller-runtime: `EnqueueRequestForObject`)
template <listers::StoredObject K>
Trigger<K> EnqueueSelf() {
  return {.keys_of = [](const K& object) {
    return std::vector<meta::ObjectName>{meta::ObjectNameOf(object)};
  }};
}

// Enqueues the keys that the function returns. See Trigger for what it may do.
// (controller-runtime: `EnqueueRequestsFromMapFunc`)
template <listers::StoredObject K, workqueue::QueueKey Key = meta::ObjectName>
Trigger<K, Key> EnqueueMapped(
    std::type_identity_t<std::function<std::vector<Key>(const K&)>> keys_of) {
  return {.keys_of = std::move(keys_of)};
}

// The event for which a key is enqueued, for logs. A plain value.
struct TriggerEvent {
  enum class Type { kAdded, kUpdated, kDeleted };

  Type type = Type::kAdded;
  // Set for an object that existed before the watch.
  bool initial = false;
  // Set for an update that changes nothing.
  bool resync = false;
  // The object's kind, such as "ConfigMap"; often empty, because many servers' objects lack it.
  std::string kind = {};
  meta::ObjectName object = {};
  // Resource versions of the state that the handler saw last and of the new one. Empty if there is
  // no such state. Of a deleted object, the new one is the last known state.
  std::string old_version = {};
  std::string new_version = {};
};

// Adds a key to a queue. (controller-runtime: `TypedRateLimitingInterface.AddWithOpts`)
template <workqueue::QueueKey Key>
using AddKey = std::function<void(const Key& key, int16_t priority, const TriggerEvent& event)>;

// Returns a handler, for AddEventHandler, that calls `add` with the keys of each event that passes
// the predicate, with each key once. The priority is that of PriorityOf: low for objects of the
// initial list and for resyncs. `add` is called on the threads of the handler and must not block.
template <listers::StoredObject K, workqueue::QueueKey Key>
informers::EventHandler<K> HandlerFor(Trigger<K, Key> trigger, Predicate<K> predicate,
                                      std::type_identity_t<AddKey<Key>> add);

// ---- implementation

namespace internal {

template <listers::StoredObject K>
TriggerEvent DescribeObject(TriggerEvent::Type type, const K& object) {
  TriggerEvent event = {.type = type, .object = meta::ObjectNameOf(object)};
  if constexpr (meta::Object<K>) {
    event.kind = std::string(object.kind);
  } else {
    event.kind = std::string(object.kind());
  }
  event.new_version = std::string(listers::ResourceVersionOf(object));
  return event;
}

template <listers::StoredObject K>
TriggerEvent Describe(const informers::AddEvent<K>& event) {
  TriggerEvent described = DescribeObject(TriggerEvent::Type::kAdded, *event.object);
  described.initial = event.is_in_initial_list;
  return described;
}
template <listers::StoredObject K>
TriggerEvent Describe(const informers::UpdateEvent<K>& event) {
  TriggerEvent described = DescribeObject(TriggerEvent::Type::kUpdated, *event.object);
  described.resync = event.is_resync;
  described.old_version = std::string(listers::ResourceVersionOf(*event.old_object));
  return described;
}
template <listers::StoredObject K>
TriggerEvent Describe(const informers::DeleteEvent<K>& event) {
  TriggerEvent described = DescribeObject(TriggerEvent::Type::kDeleted, *event.object);
  if (event.old_object != nullptr) {
    described.old_version = std::string(listers::ResourceVersionOf(*event.old_object));
  }
  return described;
}

// Returns the keys of the new object, and those of the old object if there is one. A key may occur
// several times.
template <listers::StoredObject K, workqueue::QueueKey Key, typename Event>
std::vector<Key> KeysOf(const Trigger<K, Key>& trigger, const Event& event) {
  std::vector<Key> keys = trigger.keys_of(*event.object);
  if constexpr (requires { event.old_object; }) {
    // A resync has one object twice.
    if (event.old_object != nullptr && event.old_object != event.object) {
      for (Key& key : trigger.keys_of(*event.old_object)) keys.push_back(std::move(key));
    }
  }
  return keys;
}

template <workqueue::QueueKey Key>
void AddEachOnce(const std::vector<Key>& keys, int16_t priority, const TriggerEvent& event,
                 const AddKey<Key>& add) {
  if (keys.size() == 1) return add(keys.front(), priority, event);
  absl::flat_hash_set<std::string> added;
  for (const Key& key : keys) {
    const auto text = workqueue::KeyTraits<Key>::ToText(key);
    if (added.emplace(absl::string_view(text)).second) add(key, priority, event);
  }
}

}  // namespace internal

template <listers::StoredObject K, workqueue::QueueKey Key>
informers::EventHandler<K> HandlerFor(Trigger<K, Key> trigger, Predicate<K> predicate,
                                      std::type_identity_t<AddKey<Key>> add) {
  if (trigger.keys_of == nullptr) return {};
  struct Parts {
    Trigger<K, Key> trigger;
    Predicate<K> predicate;
    AddKey<Key> add;
  };
  const auto parts = std::make_shared<const Parts>(
      Parts{std::move(trigger), std::move(predicate), std::move(add)});
  const auto handle = [parts](const auto& event) {
    if (!parts->predicate.Passes(event)) return;
    const std::vector<Key> keys = internal::KeysOf(parts->trigger, event);
    if (keys.empty()) return;
    internal::AddEachOnce(keys, PriorityOf(event), internal::Describe(event), parts->add);
  };
  return {.on_add = handle, .on_update = handle, .on_delete = handle};
}

}  // namespace kube::controller

#endif  // CONTROLLER_TRIGGERS_TRIGGER_H_
