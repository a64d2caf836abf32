#ifndef CONTROLLER_WORKQUEUE_WORKERS_MONITOR_H_
#define CONTROLLER_WORKQUEUE_WORKERS_MONITOR_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"

namespace kube::workqueue {

namespace internal {
class MonitoredRun;
class MonitoredWork;
}  // namespace internal

// A key that a worker is processing.
struct WorkInProgress {
  // The key's text, as logs show it.
  std::string key = {};
  // The worker's number, from 1. Its thread has the name in RunWorkersOptions with this number, as
  // "worker-2".
  int worker = 0;
  // When the worker called the work function.
  base::MonotonicTime since = {};
  // Time from then to the call of WorkersMonitor::status.
  absl::Duration elapsed = absl::ZeroDuration();
};

// What the workers of a RunWorkers do, in the order of its life.
enum class WorkersPhase {
  kStopped,    // not started, or all workers have ended
  kWorking,    // they take keys
  kDraining,   // the Context of RunWorkers is done; drain_timeout runs
  kCancelled,  // the Contexts of the work are done; waits for the calls to return
};

// What a WorkersMonitor has seen.
struct WorkersStatus {
  WorkersPhase phase = WorkersPhase::kStopped;
  // Number of workers; zero in phase kStopped.
  int workers = 0;
  // The keys in work, the one that takes longest first. At most one for each worker.
  std::vector<WorkInProgress> in_work = {};
};

// Tells other threads what the workers of RunWorkers do: for a status page, for the log line about
// a key that takes too long, and for the error of a program whose end takes too long. A thread
// cannot be killed, so RunWorkers waits for its calls without a bound; who waits for RunWorkers
// learns here which keys keep it from returning. (controller-runtime has only the metrics
// `active_workers` and `longest_running_processor_seconds`.)
//
// Give it to RunWorkers as RunWorkersOptions::monitor. It is for one RunWorkers at a time, and can
// be used again for the next one. Thread-safe. Must outlive the RunWorkers that it is given to.
//
//   if (!ended.Wait(WithTimeout(Context(), absl::Seconds(10))).ok()) {
//     return absl::DeadlineExceededError(
//         absl::StrCat("stop workers: in work: ", FormatWorkInProgress(monitor.status())));
//   }
class WorkersMonitor {
 public:
  WorkersMonitor() = default;
  WorkersMonitor(const WorkersMonitor&) = delete;
  WorkersMonitor& operator=(const WorkersMonitor&) = delete;

  // Returns what the workers do now. May be out of date at once. Never waits for a worker's call;
  // takes a lock, which workers take when they begin and finish a key, for as long as it takes to
  // copy the keys in work.
  WorkersStatus status() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  friend class internal::MonitoredRun;
  friend class internal::MonitoredWork;
  struct Slot {
    bool busy = false;
    absl::string_view key = {};  // the worker's item has the text while it is busy
    base::MonotonicTime since = {};
  };

  mutable base::Mutex mutex_;
  WorkersPhase phase_ ABSL_GUARDED_BY(mutex_) = WorkersPhase::kStopped;
  std::vector<Slot> slots_ ABSL_GUARDED_BY(mutex_);  // by the worker's number - 1
};

// Returns the keys in work for messages, the one that takes longest first, such as
// `"prod/web" (31s, worker 2), "prod/db" (12s, worker 1) and 3 more`; "nothing" if no key is in
// work. Names at most `limit` keys, at least one. Durations are rounded down to seconds.
std::string FormatWorkInProgress(const WorkersStatus& status, size_t limit = 10);

}  // namespace kube::workqueue

#endif  // CONTROLLER_WORKQUEUE_WORKERS_MONITOR_H_
