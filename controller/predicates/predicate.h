#ifndef CONTROLLER_PREDICATES_PREDICATE_H_
#define CONTROLLER_PREDICATES_PREDICATE_H_

#include <functional>

#include "apimachinery/meta/deletion.h"
#include "informers/event_handler.h"
#include "listers/stored_object.h"

namespace kube::controller {

// Returns whether the object was deleted in this update and now waits for its finalizers, or for
// its grace period to end.
template <listers::StoredObject K>
bool BeginsDeletion(const informers::UpdateEvent<K>& event) {
  return meta::IsBeingDeleted(*event.object) &&
         (event.is_recreated || !meta::IsBeingDeleted(*event.old_object));
}

// Decides which events of a watch are worth a reconcile. The default lets everything pass.
// predicates.h has functions that make the usual ones. (controller-runtime: `predicate.Funcs`)
//
//   const Predicate<appsv1::Deployment> scaled = {
//       .on_update = [](const UpdateEvent<appsv1::Deployment>& event) {
//         return event.object->spec.replicas != event.old_object->spec.replicas;
//       }};
//
// An update that begins the deletion of an object passes, whatever `on_update` returns, because a
// controller that misses it never removes its finalizer. controller-runtime has no such rule.
//
// Predicates save reconciles, and neither memory nor traffic: use the selectors and the projection
// of the watch for these. An event that is not passed is lost, with the old state in it; so let
// pass what is doubtful.
//
// The functions are called on the threads of the watch's handlers, on several at once if the watch
// has several namespaces. They must return soon, must not throw, and may read stores and listers.
template <listers::StoredObject K>
struct Predicate {
  // A function that is null, the default, lets all events of its type pass.
  std::function<bool(const informers::AddEvent<K>&)> on_add = {};
  std::function<bool(const informers::UpdateEvent<K>&)> on_update = {};
  std::function<bool(const informers::DeleteEvent<K>&)> on_delete = {};
  // Set it to make `on_update` alone decide on updates that begin a deletion: for objects that do
  // not concern the controller at all.
  bool hides_deletion = false;

  // Return whether the event passes. Do not block.
  bool Passes(const informers::AddEvent<K>& event) const {
    return on_add == nullptr || on_add(event);
  }
  bool Passes(const informers::UpdateEvent<K>& event) const {
    if (on_update == nullptr || (!hides_deletion && BeginsDeletion(event))) return true;
    return on_update(event);
  }
  bool Passes(const informers::DeleteEvent<K>& event) const {
    return on_delete == nullptr || on_delete(event);
  }
};

}  // namespace kube::controller

#endif  // CONTROLLER_PREDICATES_PREDICATE_H_
