#include "controller/workqueue/workers_monitor.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/text/go_text.h"

namespace kube::workqueue {

WorkersStatus WorkersMonitor::status() const {
  const base::MonotonicTime now = base::Now();
  WorkersStatus result;
  {
    base::MutexLock lock(mutex_);
    result.phase = phase_;
    result.workers = static_cast<int>(slots_.size());
    for (size_t i = 0; i < slots_.size(); ++i) {
      const Slot& slot = slots_[i];
      if (!slot.busy) continue;
      // A key that was begun after `now` has just begun.
      result.in_work.push_back({.key = std::string(slot.key),
                                .worker = static_cast<int>(i) + 1,
                                .since = slot.since,
                                .elapsed = std::max(now - slot.since, absl::ZeroDuration())});
    }
  }
  std::stable_sort(
      result.in_work.begin(), result.in_work.end(),
      [](const WorkInProgress& a, const WorkInProgress& b) { return a.since < b.since; });
  return result;
}

std::string FormatWorkInProgress(const WorkersStatus& status, size_t limit) {
  if (status.in_work.empty()) return "nothing";
  const size_t named = std::clamp(limit, size_t{1}, status.in_work.size());
  std::string out;
  for (size_t i = 0; i < named; ++i) {
    const WorkInProgress& work = status.in_work[i];
    absl::StrAppend(&out, i == 0 ? "" : ", ", text::Quoted(work.key), " (",
                    absl::FormatDuration(absl::Trunc(work.elapsed, absl::Seconds(1))), ", worker ",
                    work.worker, ")");
  }
  const size_t rest = status.in_work.size() - named;
  if (rest > 0) absl::StrAppend(&out, " and ", rest, " more");
  return out;
}

}  // namespace kube::workqueue
