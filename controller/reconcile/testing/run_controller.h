#ifndef CONTROLLER_RECONCILE_TESTING_RUN_CONTROLLER_H_
#define CONTROLLER_RECONCILE_TESTING_RUN_CONTROLLER_H_

#include "apimachinery/base/context.h"
#include "apimachinery/base/thread.h"
#include "controller/manager/managed_controller.h"

namespace kube::controller {

// Runs a controller without a manager, for tests: starts its watches, waits for them and runs its
// workers on a thread. A failure of any of these is a failure of the test.
//
//   Controller<Website> websites(ControllerHost{.name = "test", .cache = &cache});
//   ...
//   RunController running(websites.managed());
//
// The destructor cancels the work and blocks until it has ended. Thread-compatible; the controller
// must outlive it.
class RunController {
 public:
  // Blocks until the watches have synced, for a minute at most.
  explicit RunController(ManagedController& controller);
  ~RunController() { Stop(); }
  RunController(const RunController&) = delete;
  RunController& operator=(const RunController&) = delete;

  // Cancels the work and blocks until it has ended.
  void Stop();

 private:
  CancelScope scope_ = WithCancel(Context());
  base::Thread thread_;
};

}  // namespace kube::controller

#endif  // CONTROLLER_RECONCILE_TESTING_RUN_CONTROLLER_H_
