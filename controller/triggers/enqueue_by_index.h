#ifndef CONTROLLER_TRIGGERS_ENQUEUE_BY_INDEX_H_
#define CONTROLLER_TRIGGERS_ENQUEUE_BY_INDEX_H_

#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "apimachinery/meta/object_name.h"
#include "controller/cache/index.h"
#include "controller/triggers/trigger.h"
#include "listers/stored_object.h"

namespace kube::controller {

namespace internal {

// Returns the names of the objects that refer to `object`. `names_of` returns those that the index
// has under a value.
std::vector<meta::ObjectName> NamesReferringTo(
    const meta::ObjectName& object,
    absl::FunctionRef<std::vector<meta::ObjectName>(absl::string_view value)> names_of);

}  // namespace internal

// Enqueues all objects of kind T that refer to the changed object of kind K. `index` has each T
// under the names of the K that it refers to: "settings" for an object in the namespace of the T,
// "prod/settings" for one in any namespace, and "node-1" for one that is cluster-scoped.
//
//   const Index<corev1::Secret> by_config = watched.AddIndex("config", ConfigsOf);
//   const Trigger<corev1::ConfigMap> trigger = EnqueueByIndex<corev1::ConfigMap>(by_config);
//
// The index is read as it is at the event. A T whose own event has not arrived yet is missing
// there, and is enqueued by that event. The trigger keeps the watch of T alive; do not add it to
// this same watch. (controller-runtime: `EnqueueRequestsFromMapFunc` with a list by
// `MatchingFields`)
template <listers::StoredObject K, listers::StoredObject T>
Trigger<K> EnqueueByIndex(const Index<T>& index) {
  return {.keys_of = [index](const K& object) {
    return internal::NamesReferringTo(meta::ObjectNameOf(object),
                                      [&](absl::string_view value) { return index.Names(value); });
  }};
}

}  // namespace kube::controller

#endif  // CONTROLLER_TRIGGERS_ENQUEUE_BY_INDEX_H_
