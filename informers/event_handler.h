#ifndef INFORMERS_EVENT_HANDLER_H_
#define INFORMERS_EVENT_HANDLER_H_

#include <functional>
#include <memory>
#include <utility>

#include "informers/delta.h"
#include "informers/internal/notification.h"
#include "listers/stored_object.h"

namespace kube::informers {

// The object is new to this handler.
template <typename T>
struct AddEvent {
  // Never null.
  std::shared_ptr<const T> object = {};
  // It was there before the handler, or the informer, was: not news. (isInInitialList)
  bool is_in_initial_list = false;
};

// The object has changed; or it has not, and this says so again.
template <typename T>
struct UpdateEvent {
  // What this handler was told last. Never null.
  std::shared_ptr<const T> old_object = {};
  std::shared_ptr<const T> object = {};
  // Nothing has changed: a resync, or a list that had the same version.
  bool is_resync = false;
  // It is another object of the same name: the old one was deleted, which nobody saw, or which was
  // merged with what followed. Give up what belongs to the old one. client-go's handlers have to
  // compare themselves.
  bool is_recreated = false;
};

// The object is no more.
template <typename T>
struct DeleteEvent {
  // Its last state, as the server said it. Never null.
  std::shared_ptr<const T> object = {};
  // Nobody saw the end: `object` is what the cache had, and may be old. (DeletedFinalStateUnknown)
  bool final_state_unknown = false;
  // What this handler was told last. Never null. `object` is often a later state, which the handler
  // was never told of: what belongs to the object is found by this one. (client-go has none)
  std::shared_ptr<const T> old_object = {};
};

// What is called for each change. Any of them may be null.
// (cache.ResourceEventHandlerDetailedFuncs)
//
//   pods.AddEventHandler({
//       .on_add = [&](const AddEvent<corev1::Pod>& e) { queue.Add(KeyOf(*e.object)); },
//       .on_delete = [&](const DeleteEvent<corev1::Pod>& e) { queue.Add(KeyOf(*e.object)); }});
//
// The contract:
// * Calls come one at a time, on a thread of this handler's own, in the order of the changes. Of
//   one object: an add, any number of updates, a delete, and so on from the beginning. No lock is
//   held. Handlers of one informer know nothing of each other.
// * When it is called the store is at least as new as what it is told; often it is newer. To work
//   with what is, remember keys and read the lister.
// * It may take its time: the informer and other handlers go on, and what is to be told waits in a
//   queue (HandlerOptions::max_pending). It should not: put work into a work queue.
// * It may read stores and listers, add and remove handlers of any informer, also itself, add
//   indexers, and cancel the Context that informers run with, or shut down their factory, which
//   then does not wait. It must not wait for that Run to return, for which the informer waits for
//   it; with OverflowPolicy::kWait also not for anything that the informer has yet to do.
// * Objects are never changed. They may be kept.
// * It throws nothing.
template <typename T>
struct EventHandler {
  std::function<void(const AddEvent<T>&)> on_add = {};
  std::function<void(const UpdateEvent<T>&)> on_update = {};
  std::function<void(const DeleteEvent<T>&)> on_delete = {};
};

// A handler that is told only of objects for which `filter` is true: an update that makes it so is
// an add, one that makes it untrue a delete. It is told of a delete if it was told of the object,
// whatever `filter` says of the last state. `filter` depends on nothing but the object.
// (cache.FilteringResourceEventHandler, which asks the filter about the last state)
template <typename T>
EventHandler<T> FilteringEventHandler(std::function<bool(const T&)> filter,
                                      EventHandler<T> handler);

// ---- implementation

namespace internal {

// Events that a test makes by hand may lack the old object.
template <typename T>
const T& LastTold(const DeleteEvent<T>& event) {
  return event.old_object == nullptr ? *event.object : *event.old_object;
}

}  // namespace internal

template <typename T>
EventHandler<T> FilteringEventHandler(std::function<bool(const T&)> filter,
                                      EventHandler<T> handler) {
  struct Parts {
    std::function<bool(const T&)> filter;
    EventHandler<T> handler;
  };
  auto parts = std::make_shared<const Parts>(Parts{std::move(filter), std::move(handler)});
  const auto add = [parts](const AddEvent<T>& event) {
    if (parts->handler.on_add != nullptr) parts->handler.on_add(event);
  };
  const auto remove = [parts](const DeleteEvent<T>& event) {
    if (parts->handler.on_delete != nullptr) parts->handler.on_delete(event);
  };
  return {.on_add =
              [parts, add](const AddEvent<T>& event) {
                if (parts->filter(*event.object)) add(event);
              },
          .on_update =
              [parts, add, remove](const UpdateEvent<T>& event) {
                const bool was = parts->filter(*event.old_object);
                const bool is = parts->filter(*event.object);
                if (was && is && parts->handler.on_update != nullptr) {
                  parts->handler.on_update(event);
                }
                if (!was && is) add({.object = event.object});
                if (was && !is) {
                  remove({.object = event.old_object, .old_object = event.old_object});
                }
              },
          .on_delete =
              [parts, remove](const DeleteEvent<T>& event) {
                if (parts->filter(internal::LastTold(event))) remove(event);
              }};
}

namespace internal {

// For handlers of any type.
template <listers::StoredObject T>
AnyHandler EraseHandler(EventHandler<T> handler) {
  return [handler = std::move(handler)](const AnyNotification& any) {
    const auto cast = [](const std::shared_ptr<const void>& object) {
      return std::static_pointer_cast<const T>(object);
    };
    switch (any.type) {
      case DeltaType::kAdded:
        if (handler.on_add == nullptr) return;
        return handler.on_add(
            {.object = cast(any.change.object), .is_in_initial_list = any.is_initial});
      case DeltaType::kDeleted:
        if (handler.on_delete == nullptr) return;
        return handler.on_delete({.object = cast(any.change.object),
                                  .final_state_unknown = any.final_state_unknown,
                                  .old_object = cast(any.change.old_object)});
      default:
        if (handler.on_update == nullptr) return;
        return handler.on_update({.old_object = cast(any.change.old_object),
                                  .object = cast(any.change.object),
                                  .is_resync = any.is_resync,
                                  .is_recreated = any.is_recreated});
    }
  };
}

}  // namespace internal
}  // namespace kube::informers

#endif  // INFORMERS_EVENT_HANDLER_H_
