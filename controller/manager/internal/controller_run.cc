#include "controller/manager/internal/controller_run.h"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/status.h"
#include "controller/manager/managed_controller.h"
#include "controller/manager/manager_status.h"

namespace kube::controller::internal {

using base::MutexLock;

ControllerRun::ControllerRun(ManagedController& controller, absl::Duration start_timeout,
                             std::function<void(const absl::Status&)> on_failed_start)
    : controller_(controller),
      name_(controller.name()),
      needs_leadership_(controller.needs_leadership()),
      warm_(controller.warm()),
      start_timeout_(start_timeout),
      on_failed_start_(std::move(on_failed_start)) {}

void ControllerRun::SetState(State state) {
  MutexLock lock(mutex_);
  state_ = state;
}

absl::Status ControllerRun::Watch(const Context& ctx) {
  SetState(State::kSyncing);
  controller_.StartWatches();
  const absl::Status synced = controller_.WaitForSync(WithTimeout(ctx, start_timeout_));
  if (!synced.ok() && ctx.done()) return ctx.status();
  if (synced.ok()) {
    SetState(State::kReady);
  } else {
    const absl::Status error =
        base::Annotate(synced, absl::StrCat("start controller \"", name_, "\""));
    log::Error(error, "Could not wait for Cache to sync", {{"controller", name_}});
    {
      MutexLock lock(mutex_);
      state_ = State::kFailed;
      start_error_ = error;
    }
    on_failed_start_(error);
  }
  watched_.Set();
  return absl::OkStatus();
}

absl::Status ControllerRun::Work(const Context& take, const Context& work) {
  if (!starts_early()) KUBE_RETURN_IF_ERROR(Watch(take));
  KUBE_RETURN_IF_ERROR(WaitUntilWatched(take));
  {
    MutexLock lock(mutex_);
    if (state_ == State::kFailed) return absl::OkStatus();
    state_ = State::kRunning;
  }
  const absl::Status ended = controller_.RunWorkers(take, work);
  SetState(State::kEnded);
  if (ended.ok() && !take.done()) {
    return absl::FailedPreconditionError("its workers ended, although nothing stopped them");
  }
  return ended;
}

absl::Status ControllerRun::start_error() const {
  MutexLock lock(mutex_);
  return start_error_;
}

absl::Status ControllerRun::CheckWatched() const {
  MutexLock lock(mutex_);
  const bool waits = state_ == State::kSyncing || (state_ == State::kWaiting && starts_early());
  if (!waits) return start_error_;
  return absl::UnavailableError(absl::StrCat("controller \"", name_, "\" waits for its watches"));
}

ControllerStatus ControllerRun::StatusOfController() const {
  MutexLock lock(controller_mutex_);
  return attached_ ? controller_.status() : ControllerStatus();
}

ControllerStatus ControllerRun::status() const {
  ControllerStatus status = StatusOfController();
  status.name = name_;
  MutexLock lock(mutex_);
  status.running = state_ == State::kRunning;
  switch (state_) {
    case State::kWaiting:
      status.waits_for = starts_early() ? "the start of the informers" : "leadership";
      break;
    case State::kSyncing:
      if (status.waits_for.empty()) status.waits_for = "its watches";
      break;
    case State::kReady:
      status.waits_for = needs_leadership_ ? "leadership" : "the start of its workers";
      break;
    case State::kFailed:
      status.waits_for = std::string(start_error_.message());
      break;
    case State::kRunning:
    case State::kEnded:
      status.waits_for.clear();
      break;
  }
  return status;
}

std::string ControllerRun::Where() const {
  constexpr size_t kMostKeys = 5;
  std::vector<std::string> keys;
  size_t all = 0;
  for (const WorkerStatus& worker : StatusOfController().workers) {
    if (worker.key.empty()) continue;
    if (++all > kMostKeys) continue;
    keys.push_back(worker.where.empty() ? worker.key
                                        : absl::StrCat(worker.key, " (", worker.where, ")"));
  }
  if (all > kMostKeys) keys.push_back(absl::StrCat(all - kMostKeys, " more"));
  return absl::StrJoin(keys, ", ");
}

void ControllerRun::Detach() {
  watched_.Set();  // nobody waits for a controller that is gone
  MutexLock lock(controller_mutex_);
  attached_ = false;
}

}  // namespace kube::controller::internal
