#ifndef CONTROLLER_RECONCILE_CAUSE_H_
#define CONTROLLER_RECONCILE_CAUSE_H_

#include <string>

#include "apimachinery/meta/object_name.h"

namespace kube::controller {

// Says why a key is reconciled, for logs and for people who look for a loop. A reconcile function
// must not depend on it: causes are merged and lost, for instance with a restart.
// (controller-runtime has nothing like it.)
//
// A plain value.
struct Cause {
  enum class Type {
    kAdded,        // an object was created
    kUpdated,      // an object has changed
    kDeleted,      // an object was deleted
    kResync,       // an unchanged object is handed out again: a resync or a relist
    kInitialList,  // an object existed when its watch began
    kRequeued,     // the last reconcile asked for it with Result::requeue_after
    kRetry,        // the last reconcile failed
    // An object has changed by a write of the key's last reconcile. Without a name: the cache was
    // filled by a list before it had seen that write, so that it may have missed a later deletion.
    kOwnWrite,
    kEnqueued,  // the program called Enqueue
  };

  Type type = Type::kEnqueued;
  // The changed object: its kind, such as "ConfigMap", and its name. Empty for kRequeued, kRetry
  // and kEnqueued.
  std::string kind = {};
  meta::ObjectName object = {};
  // Resource versions of the object before and after the change; empty if there is no such state.
  std::string old_version = {};
  std::string new_version = {};

  // Returns the cause in one line: "updated ConfigMap prod/web 5->7", "retry".
  std::string ToString() const;

  friend bool operator==(const Cause&, const Cause&) = default;
};

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_CAUSE_H_
