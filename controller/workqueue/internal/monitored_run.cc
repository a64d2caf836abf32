#include "controller/workqueue/internal/monitored_run.h"

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "controller/workqueue/workers_monitor.h"

namespace kube::workqueue::internal {

// ---- MonitoredRun

absl::Status MonitoredRun::Start(int workers) {
  if (monitor_ == nullptr) return absl::OkStatus();
  base::MutexLock lock(monitor_->mutex_);
  if (monitor_->phase_ != WorkersPhase::kStopped) {
    return absl::FailedPreconditionError("run workers: the monitor is in use by other workers");
  }
  started_ = true;
  monitor_->phase_ = WorkersPhase::kWorking;
  monitor_->slots_.assign(static_cast<size_t>(workers), WorkersMonitor::Slot());
  return absl::OkStatus();
}

void MonitoredRun::Enter(WorkersPhase phase) {
  if (!started_) return;
  base::MutexLock lock(monitor_->mutex_);
  monitor_->phase_ = phase;
}

MonitoredRun::~MonitoredRun() {
  if (!started_) return;
  base::MutexLock lock(monitor_->mutex_);
  monitor_->phase_ = WorkersPhase::kStopped;
  monitor_->slots_.clear();
}

// ---- MonitoredWork

MonitoredWork::MonitoredWork(WorkersMonitor* monitor, int worker, absl::string_view key)
    : monitor_(monitor), slot_(static_cast<size_t>(worker) - 1) {
  if (monitor_ == nullptr) return;
  const base::MonotonicTime now = base::Now();
  base::MutexLock lock(monitor_->mutex_);
  KUBE_CHECK_LT(slot_, monitor_->slots_.size()) << "number of a monitored worker";
  monitor_->slots_[slot_] = {.busy = true, .key = key, .since = now};
}

MonitoredWork::~MonitoredWork() {
  if (monitor_ == nullptr) return;
  base::MutexLock lock(monitor_->mutex_);
  monitor_->slots_[slot_] = WorkersMonitor::Slot();
}

}  // namespace kube::workqueue::internal
