#ifndef INFORMERS_EVENT_HANDLER_H_
#define INFORMERS_EVENT_HANDLER_H_

#include <functional>
#include <memory>
#include <utility>

#include "informers/delta.h"
#include "informers/internal/notification.h"
#include "listers/stored_object.h"

namespace kube::informers {

// Tells a handler that an object is new to it.
template <typename T>
struct AddEvent {
  // Never null.
  std::shared_ptr<const T> object = {};
  // Set if the object existed before the handler or the informer did.
  // (client-go: `isInInitialList`)
  bool is_in_initial_list = false;
};

// Tells a handler that an object has changed, or, with `is_resync`, that it is unchanged.
template <typename T>
struct UpdateEvent {
  // The state this handler saw last. Never null.
  std::shared_ptr<const T> old_object = {};
  std::shared_ptr<const T> object = {};
  // Set if nothing has changed: a resync, or a relist that returned the same resource version.
  bool is_resync = false;
  // Set if the UIDs differ: the old object was deleted and a new one was created with the same
  // name, and the deletion was missed or was merged with the creation. Release what belongs to the
  // old object. In client-go a handler must compare the UIDs itself.
  bool is_recreated = false;
};

// Tells a handler that an object was deleted.
template <typename T>
struct DeleteEvent {
  // The last known state. Never null.
  std::shared_ptr<const T> object = {};
  // Set if the deletion was missed: `object` is the cached state and may be out of date.
  // (client-go: `DeletedFinalStateUnknown`)
  bool final_state_unknown = false;
  // The state this handler saw last. Never null. `object` is often a later state that the handler
  // was never given: use `old_object` to find what belongs to the object. client-go has no such
  // field.
  std::shared_ptr<const T> old_object = {};
};

// The functions called for changes of objects; each may be null.
// (client-go: `cache.ResourceEventHandlerDetailedFuncs`)
//
//   const auto on_add = [](const AddEvent<corev1::Pod>& event) {
//     kube::log::Info("pod", {{"name", event.object->metadata.name.view()}});
//   };
//   KUBE_RETURN_IF_ERROR(pods.AddEventHandler({.on_add = on_add}).status());
//
// The contract:
// * Calls are made one at a time, on a thread that belongs to this handler, in the order of the
//   changes. For one object the sequence is: an add, any number of updates, a delete, and so on
//   from the start. No lock is held during a call. The handlers of one informer are independent of
//   each other.
// * During a call the store is at least as new as the event, and often newer. To work with the
//   current state, remember keys and read them from the lister.
// * A slow handler does not delay the informer or other handlers, except with
//   OverflowPolicy::kWait; its events wait in a queue (HandlerOptions::max_pending). Handlers
//   should still return soon: put long work into a work queue.
// * A handler may read stores and listers, add and remove handlers of any informer including
//   itself, add indexers, cancel the Context of a running informer, and shut down a factory, which
//   then does not block. It must not wait for Run of its informer to return, since Run waits for
//   the handler. With OverflowPolicy::kWait it must not wait for anything else the informer has yet
//   to do either.
// * Objects never change and may be kept.
// * A handler must not throw.
template <typename T>
struct EventHandler {
  std::function<void(const AddEvent<T>&)> on_add = {};
  std::function<void(const UpdateEvent<T>&)> on_update = {};
  std::function<void(const DeleteEvent<T>&)> on_delete = {};
};

// Returns a handler that passes on only events of objects for which `filter` returns true. An
// update after which the filter starts to match is passed on as an add; one after which it stops
// matching is passed on as a delete. A delete is passed on if the filter matched the state the
// handler saw last. `filter` must depend on nothing but the object, and is called on the handler's
// thread. (client-go: `cache.FilteringResourceEventHandler`, which applies the filter of a delete
// to the last state.)
template <typename T>
EventHandler<T> FilteringEventHandler(std::function<bool(const T&)> filter,
                                      EventHandler<T> handler);

// ---- implementation

namespace internal {

// Returns the object that the handler saw last. Events made by hand in tests may lack `old_object`.
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

// Erases the object type of a handler.
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
