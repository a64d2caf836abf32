#ifndef CONTROLLER_WORKQUEUE_INTERNAL_MONITORED_RUN_H_
#define CONTROLLER_WORKQUEUE_INTERNAL_MONITORED_RUN_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "controller/workqueue/workers_monitor.h"

namespace kube::workqueue::internal {

// Reports to a monitor that workers run, until it is destroyed. A null monitor: does nothing.
//
// Used by one thread, while its workers use MonitoredWork.
class MonitoredRun {
 public:
  // `monitor` outlives this object.
  explicit MonitoredRun(WorkersMonitor* monitor) : monitor_(monitor) {}
  ~MonitoredRun();
  MonitoredRun(const MonitoredRun&) = delete;
  MonitoredRun& operator=(const MonitoredRun&) = delete;

  // Begins phase kWorking. Returns FAILED_PRECONDITION if the monitor is in use by other workers;
  // then nothing else has an effect.
  absl::Status Start(int workers);
  void Enter(WorkersPhase phase);

 private:
  WorkersMonitor* const monitor_;
  bool started_ = false;
};

// Reports to a monitor that a worker has a key, until it is destroyed. A null monitor: does
// nothing.
class MonitoredWork {
 public:
  // `worker` is a number from 1 to that of MonitoredRun::Start. The text of `key` outlives this
  // object.
  MonitoredWork(WorkersMonitor* monitor, int worker, absl::string_view key);
  ~MonitoredWork();
  MonitoredWork(const MonitoredWork&) = delete;
  MonitoredWork& operator=(const MonitoredWork&) = delete;

 private:
  WorkersMonitor* const monitor_;
  const size_t slot_;
};

}  // namespace kube::workqueue::internal

#endif  // CONTROLLER_WORKQUEUE_INTERNAL_MONITORED_RUN_H_
