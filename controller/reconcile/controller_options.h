#ifndef CONTROLLER_RECONCILE_CONTROLLER_OPTIONS_H_
#define CONTROLLER_RECONCILE_CONTROLLER_OPTIONS_H_

#include <optional>
#include <string>

#include "absl/time/time.h"
#include "clientset/typed/resource.h"
#include "controller/cache/cache_options.h"
#include "controller/predicates/predicate.h"
#include "controller/workqueue/queue_options.h"
#include "listers/stored_object.h"

namespace kube::controller {

// The queue of a controller: keys of changed objects come before those of the initial list and of
// resyncs, which wait for at most about 30 s behind a stream of changes.
inline workqueue::QueueOptions ControllerQueueOptions() {
  return {.order = workqueue::QueueOrder::kPriority, .ageing = absl::Seconds(30)};
}

// Options of a Controller. (controller-runtime: `controller.Options` and the builder)
template <listers::StoredObject T>
struct ControllerOptions {
  // Name of the controller in metrics, log lines and messages, unique in its manager. Default: the
  // kind in lower case.
  std::string name = {};
  // The resource to watch. Only for T = unstructured::Unstructured and
  // metav1::PartialObjectMetadata, and required for these; its texts must outlive the controller.
  // Other kinds know it.
  typed::Resource resource = {};
  // Number of keys that are reconciled at the same time. Zero, the default: that of the manager, 1
  // unless it says otherwise. (controller-runtime: `MaxConcurrentReconciles`)
  int workers = 0;
  // The changes of T that are worth a reconcile. Default: all.
  Predicate<T> predicate = {};
  // What is watched of T: selectors, namespaces. Default: all that the cache watches.
  WatchOptions watch = {};
  // Whether EditStatus or SetCondition is called, for which the program's role must allow "patch"
  // on the status: see Manager::RequiredRules. Default: yes if the kind has the subresource
  // "status" and is not built into Kubernetes.
  std::optional<bool> edits_status = {};
  // The queue. An empty name and metrics that are null are filled in.
  workqueue::QueueOptions queue = ControllerQueueOptions();
  // Timeout of Request::context() for one key. A reconcile that takes longer is counted, and logged
  // with its key if it does not end: then it looks at no context. Default: that of the manager, 5
  // minutes unless it says otherwise. absl::InfiniteDuration(), zero and less mean none.
  // (controller-runtime: `ReconciliationTimeout`, by default none)
  std::optional<absl::Duration> reconcile_timeout = {};
  // How long a key waits for its own writes to arrive in the cache before it is reconciled again.
  // They usually arrive within milliseconds. A write that never arrives, for example of an object
  // that leaves the selector of its watch, costs this time. Zero: no wait; the reconcile function
  // must then bear that it does not see what it wrote. With and without a wait, a key whose write
  // arrives by a new list of the cache is reconciled once more, as no event tells of an object that
  // was deleted before that list. Default: that of the manager, 10 s unless it says otherwise.
  // (controller-runtime has nothing like it.)
  std::optional<absl::Duration> own_writes_timeout = {};
  // Whether the controller runs on replicas that do not lead, too. (controller-runtime:
  // `NeedLeaderElection = false`)
  bool always_runs = false;
  // Whether its watches start before leadership, so that a new leader begins at once; costs each
  // replica the memory and the watches. (controller-runtime: `EnableWarmup`, by default no)
  bool warm = true;
  // How often a failed key is retried before it is given up until it is added again. Negative, the
  // default: without limit. Errors from workqueue::RetryAfter do not count.
  int max_retries = -1;
};

// Options of a KeyController; the fields are those of ControllerOptions.
struct KeyControllerOptions {
  // Required.
  std::string name = {};
  int workers = 0;
  workqueue::QueueOptions queue = ControllerQueueOptions();
  std::optional<absl::Duration> reconcile_timeout = {};
  std::optional<absl::Duration> own_writes_timeout = {};
  bool always_runs = false;
  bool warm = true;
  int max_retries = -1;
};

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_CONTROLLER_OPTIONS_H_
