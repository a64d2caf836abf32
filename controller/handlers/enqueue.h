#ifndef CONTROLLER_HANDLERS_ENQUEUE_H_
#define CONTROLLER_HANDLERS_ENQUEUE_H_

#include <cstdint>
#include <optional>
#include <utility>

#include "api/meta/v1/types.kube.h"
#include "apimachinery/meta/accessor.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/schema/group_version.h"
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
// Handlers of one's own call Enqueue and EnqueueController. Thread-safe.
namespace kube::controller {

// What an informer tells its handlers: of an object's addition, update or deletion. A deletion that
// nobody saw has an object too, the last one known: there are no tombstones to be unwrapped.
template <typename T>
concept ObjectEvent = requires(const T& event) {
  { meta::MetadataOf(*event.object) } -> std::same_as<const api::meta::v1::ObjectMeta&>;
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

// workqueue::kLowPriority for what is no news: an object of the first list, an update that changes
// nothing. Zero otherwise. (handler.WithLowPriorityWhenUnchanged, PQ-1)
template <ObjectEvent Event>
int16_t PriorityOf(const Event& event);

// Adds the object's name. (cache.DeletionHandlingObjectToName and queue.Add)
template <ObjectEvent Event>
void Enqueue(workqueue::Queue<meta::ObjectName>& queue, const Event& event) {
  queue.Add(meta::ObjectNameOf(meta::MetadataOf(*event.object)), {.priority = PriorityOf(event)});
}

// Adds the name of the object's controller, if it has one of this kind; of an update that gives the
// object to another one, or to none, also that of the one before. (handleObject;
// EnqueueRequestForOwner with OnlyControllerOwner)
template <ObjectEvent Event>
void EnqueueController(workqueue::Queue<meta::ObjectName>& queue,
                       const schema::GroupVersionKind& controller_kind, const Event& event,
                       OwnerScope scope = OwnerScope::kNamespace);

// Handlers that do so with every event: what AddEventHandler takes. The queue outlives them: let
// the factory be destroyed before it.
template <typename T>
informers::EventHandler<T> EnqueueHandler(workqueue::Queue<meta::ObjectName>& queue);
template <typename T>
informers::EventHandler<T> EnqueueControllerHandler(workqueue::Queue<meta::ObjectName>& queue,
                                                    schema::GroupVersionKind controller_kind,
                                                    OwnerScope scope = OwnerScope::kNamespace);

// ---- implementation

template <ObjectEvent Event>
int16_t PriorityOf(const Event& event) {
  bool news = true;
  if constexpr (requires { event.is_in_initial_list; }) news = !event.is_in_initial_list;
  if constexpr (requires { event.is_resync; }) {
    news = !event.is_resync;
  } else if constexpr (requires { event.old_object->metadata; }) {
    news = event.old_object == nullptr ||
           event.old_object->metadata.resource_version != event.object->metadata.resource_version;
  }
  // What is gone was the same until then.
  if constexpr (requires { event.final_state_unknown; }) news = news || event.final_state_unknown;
  return news ? int16_t{0} : workqueue::kLowPriority;
}

template <ObjectEvent Event>
void EnqueueController(workqueue::Queue<meta::ObjectName>& queue,
                       const schema::GroupVersionKind& controller_kind, const Event& event,
                       OwnerScope scope) {
  const workqueue::AddOptions options = {.priority = PriorityOf(event)};
  const std::optional<meta::ObjectName> name =
      ControllerNameOf(meta::MetadataOf(*event.object), controller_kind, scope);
  if (name.has_value()) queue.Add(*name, options);
  if constexpr (requires { meta::MetadataOf(*event.old_object); }) {
    if (event.old_object == nullptr) return;
    const std::optional<meta::ObjectName> before =
        ControllerNameOf(meta::MetadataOf(*event.old_object), controller_kind, scope);
    if (before.has_value() && before != name) queue.Add(*before, options);
  }
}

template <typename T>
informers::EventHandler<T> EnqueueHandler(workqueue::Queue<meta::ObjectName>& queue) {
  const auto enqueue = [&queue](const auto& event) { Enqueue(queue, event); };
  return {.on_add = enqueue, .on_update = enqueue, .on_delete = enqueue};
}

template <typename T>
informers::EventHandler<T> EnqueueControllerHandler(workqueue::Queue<meta::ObjectName>& queue,
                                                    schema::GroupVersionKind controller_kind,
                                                    OwnerScope scope) {
  const auto enqueue = [&queue, kind = std::move(controller_kind), scope](const auto& event) {
    EnqueueController(queue, kind, event, scope);
  };
  return {.on_add = enqueue, .on_update = enqueue, .on_delete = enqueue};
}

}  // namespace kube::controller

#endif  // CONTROLLER_HANDLERS_ENQUEUE_H_
