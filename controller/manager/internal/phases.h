#ifndef CONTROLLER_MANAGER_INTERNAL_PHASES_H_
#define CONTROLLER_MANAGER_INTERNAL_PHASES_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "controller/manager/manager_status.h"

namespace kube::controller::internal {

// One step of the start and the end of a manager.
struct PhaseSteps {
  std::string name = {};
  // Starts the phase. Blocks until the next one may start, at the latest until `ctx` is done. May
  // be null.
  std::function<absl::Status(const Context& ctx)> start = nullptr;
  // Ends the phase, also one whose start has failed. Blocks until it has ended, at the latest until
  // `ctx` is done, and then returns who has not. May be null.
  std::function<absl::Status(const Context& ctx)> stop = nullptr;
  // Returns what `start` waits for, for people. Called on any thread. May be null.
  std::function<std::string()> waits_for = nullptr;
};

// The order in which a manager starts and ends: a list of phases and a position in it. It knows
// nothing of what the phases do.
//
//   Start   calls the starts in order; ends at the first error, or when its context is done
//   Stop    calls the stops of those phases whose start was called, the last one first; an error of
//           one does not keep the others from being stopped
//
// So no phase is started at the end, whatever has failed before.
//
// One thread calls Start, once, and then Stop, once; status() is thread-safe.
class Phases {
 public:
  explicit Phases(std::vector<PhaseSteps> phases);

  // Returns the error of the phase that failed, with its name, or the status of `ctx`.
  absl::Status Start(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the errors of all stops, with the names of their phases.
  absl::Status Stop(const Context& ctx) ABSL_LOCKS_EXCLUDED(mutex_);

  std::vector<PhaseStatus> status() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  void SetState(size_t phase, absl::string_view state) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::vector<PhaseSteps> phases_;
  size_t begun_ = 0;  // the number of phases whose start was called
  mutable base::Mutex mutex_;
  std::vector<PhaseStatus> status_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_MANAGER_INTERNAL_PHASES_H_
