#include "controller/manager/internal/phases.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "controller/manager/manager_status.h"

namespace kube::controller::internal {

using base::MutexLock;

Phases::Phases(std::vector<PhaseSteps> phases) : phases_(std::move(phases)) {
  MutexLock lock(mutex_);
  for (const PhaseSteps& phase : phases_) {
    status_.push_back({.name = phase.name, .state = "waiting"});
  }
}

void Phases::SetState(size_t phase, absl::string_view state) {
  KUBE_VLOG(2, "phase of the manager", {"phase", phases_[phase].name}, {"state", state});
  MutexLock lock(mutex_);
  status_[phase].state = std::string(state);
  status_[phase].since = base::WallNow();
}

absl::Status Phases::Start(const Context& ctx) {
  for (; begun_ < phases_.size(); ++begun_) {
    KUBE_RETURN_IF_ERROR(ctx.status());
    const PhaseSteps& phase = phases_[begun_];
    SetState(begun_, "starting");
    const absl::Status started = phase.start == nullptr ? absl::OkStatus() : phase.start(ctx);
    if (!started.ok()) {
      ++begun_;  // it may have started a part
      return base::Annotate(started, absl::StrCat("start ", phase.name));
    }
    SetState(begun_, "running");
  }
  return absl::OkStatus();
}

absl::Status Phases::Stop(const Context& ctx) {
  std::vector<absl::Status> errors;
  for (size_t i = begun_; i > 0; --i) {
    const PhaseSteps& phase = phases_[i - 1];
    SetState(i - 1, "stopping");
    const absl::Status stopped = phase.stop == nullptr ? absl::OkStatus() : phase.stop(ctx);
    // A phase with members that have not ended stays "stopping".
    if (stopped.ok()) SetState(i - 1, "ended");
    errors.push_back(base::Annotate(stopped, absl::StrCat("stop ", phase.name)));
  }
  return base::JoinErrors(errors);
}

std::vector<PhaseStatus> Phases::status() const {
  std::vector<PhaseStatus> all;
  {
    MutexLock lock(mutex_);
    all = status_;
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].state != "starting" || phases_[i].waits_for == nullptr) continue;
    all[i].waits_for = phases_[i].waits_for();
  }
  return all;
}

}  // namespace kube::controller::internal
