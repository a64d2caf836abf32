#ifndef CONTROLLER_MANAGER_MANAGED_CONTROLLER_H_
#define CONTROLLER_MANAGER_MANAGED_CONTROLLER_H_

#include <string>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "controller/manager/manager_status.h"

namespace kube::controller {

// A controller as a Manager sees it: watches, and workers that take keys. Controller<T> implements
// it; implement it yourself only for a controller with other workers.
//
// The manager calls StartWatches, WaitForSync and RunWorkers once each, in this order, on threads
// of its own. It calls the other functions at any time, on any thread; they must not block and must
// not call the manager.
class ManagedController {
 public:
  virtual ~ManagedController() = default;

  // Returns the name, which is unique in the manager and does not change.
  virtual const std::string& name() const = 0;
  // Returns whether the workers run only while this program leads.
  // (controller-runtime: `NeedLeaderElection`)
  virtual bool needs_leadership() const = 0;
  // Returns whether the watches start before leadership. (controller-runtime: `EnableWarmup`)
  virtual bool warm() const = 0;

  // Starts the watches. Must not block.
  virtual void StartWatches() = 0;
  // Blocks until all stores hold their first lists, or `ctx` is done. Returns at once an error that
  // waiting does not cure, such as the server's Forbidden.
  virtual absl::Status WaitForSync(const Context& ctx) = 0;

  // Blocks until `take` is done and no reconcile runs any more. Takes no key after `take` is done.
  // Reconciles have contexts below `work`, which is done at the same time as `take` or later.
  // Returns an error if the workers cannot be started, which ends the whole program.
  virtual absl::Status RunWorkers(const Context& take, const Context& work) = 0;

  virtual ControllerStatus status() const = 0;
};

}  // namespace kube::controller

#endif  // CONTROLLER_MANAGER_MANAGED_CONTROLLER_H_
