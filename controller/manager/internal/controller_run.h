#ifndef CONTROLLER_MANAGER_INTERNAL_CONTROLLER_RUN_H_
#define CONTROLLER_MANAGER_INTERNAL_CONTROLLER_RUN_H_

#include <functional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "controller/manager/managed_controller.h"
#include "controller/manager/manager_status.h"

namespace kube::controller::internal {

// One controller in a manager: where it is between its registration and its end.
//
// Its watches and its workers are two members of groups, because the watches of a warm controller
// start before leadership. A start that fails concerns this controller alone: the failure is
// remembered and its workers never run.
//
// Thread-safe. Watch and Work are called at most once each.
class ControllerRun {
 public:
  // `controller` must live until Detach. `on_failed_start` is called on the thread of Watch.
  ControllerRun(ManagedController& controller, absl::Duration start_timeout,
                std::function<void(const absl::Status&)> on_failed_start);

  const std::string& name() const { return name_; }
  bool needs_leadership() const { return needs_leadership_; }
  // Whether the watches start before leadership.
  bool starts_early() const { return warm_ || !needs_leadership_; }
  bool IsFor(const ManagedController& controller) const { return &controller == &controller_; }

  // Starts the watches and blocks until they have synced, or will not. Returns the status of `ctx`
  // if that is done before, and OK otherwise.
  absl::Status Watch(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // Blocks until Watch has a result or `ctx` is done.
  absl::Status WaitUntilWatched(const Context& ctx) const { return watched_.Wait(ctx); }
  // Waits for the watches and runs the workers until `take` is done and they have ended. Returns OK
  // at once if the start has failed, and an error if the workers end by themselves.
  absl::Status Work(const Context& take, const Context& work) ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns why the controller does not run, and OK if it may still, or does.
  absl::Status start_error() const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns UNAVAILABLE if its watches should have synced and have not, or start_error().
  absl::Status CheckWatched() const ABSL_LOCKS_EXCLUDED(mutex_);
  ControllerStatus status() const ABSL_LOCKS_EXCLUDED(mutex_, controller_mutex_);
  // Returns the keys in work, for messages.
  std::string Where() const ABSL_LOCKS_EXCLUDED(mutex_, controller_mutex_);

  // No call of the controller runs, and none is made, when this has returned; Watch and Work must
  // have returned before.
  void Detach() ABSL_LOCKS_EXCLUDED(controller_mutex_);

 private:
  enum class State { kWaiting, kSyncing, kReady, kRunning, kEnded, kFailed };

  void SetState(State state) ABSL_LOCKS_EXCLUDED(mutex_);
  ControllerStatus StatusOfController() const ABSL_LOCKS_EXCLUDED(controller_mutex_);

  ManagedController& controller_;
  const std::string name_;
  const bool needs_leadership_;
  const bool warm_;
  const absl::Duration start_timeout_;
  const std::function<void(const absl::Status&)> on_failed_start_;
  base::Event watched_;

  // Held while the controller's status is asked for, so that the controller is not destroyed
  // meanwhile.
  mutable base::Mutex controller_mutex_;
  bool attached_ ABSL_GUARDED_BY(controller_mutex_) = true;

  mutable base::Mutex mutex_;
  State state_ ABSL_GUARDED_BY(mutex_) = State::kWaiting;
  absl::Status start_error_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_CONTROLLER_RUN_H_
