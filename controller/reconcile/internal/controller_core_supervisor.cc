// The supervisor of a controller: a thread that ends the waits of parked keys, and reports
// reconciles that take too long. It checks parked keys when a store has reported progress and when
// a deadline has come. A store's report only sets a flag, because it comes on the informer's
// thread, which must not wait.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "controller/reconcile/internal/controller_core.h"
#include "controller/reconcile/internal/parking.h"

namespace kube::controller::internal {

namespace {

using base::MonotonicTime;
using base::MutexLock;

// A reconcile that looks at its context has ended this long after its timeout.
constexpr absl::Duration kOverdueGrace = absl::Seconds(1);

}  // namespace

void ControllerCore::Supervise(const Context& ctx) {
  while (!ctx.done()) {
    {
      MutexLock lock(mutex_);
      check_at_ = NextCheck();
      const bool woken =
          changed_.WaitUntil(ctx, mutex_, check_at_,
                             [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return check_now_; });
      if (woken) check_now_ = false;
    }
    if (ctx.done()) return;
    EndWaits();
    ReportOverdue();
  }
}

MonotonicTime ControllerCore::NextCheck() const {
  MonotonicTime next = parking_.NextDeadline();
  for (const auto& [key, running] : running_) {
    if (!running.reported) next = std::min(next, OverdueAt(running.since));
  }
  return next;
}

MonotonicTime ControllerCore::OverdueAt(MonotonicTime since) const {
  return since + options_.reconcile_timeout + kOverdueGrace;
}

void ControllerCore::Wake() {
  MutexLock lock(mutex_);
  check_now_ = true;
  changed_.NotifyOne();
}

void ControllerCore::EndWaits() {
  std::vector<Parking::Parked> parked;
  {
    MutexLock lock(mutex_);
    parked = parking_.All();
  }
  for (const Parking::Parked& wait : parked) {
    const bool seen = std::all_of(wait.writes->begin(), wait.writes->end(),
                                  [](const OwnWrite& write) { return write.seen(); });
    if (!seen && base::Now() < wait.deadline) continue;
    std::optional<Parking::Released> released;
    {
      MutexLock lock(mutex_);
      released = parking_.Release(wait.key);
    }
    metrics_.Unparked();
    if (!seen) {
      metrics_.ParkingTimedOut();
      log::Warning("Own writes did not arrive in the cache in time",
                   {{"controller", name()}, {"key", wait.key}});
    }
    if (released->held.has_value()) queue_.Add(wait.key, {.priority = *released->held});
  }
}

void ControllerCore::ReportOverdue() {
  const MonotonicTime now = base::Now();
  std::vector<std::pair<std::string, Running>> overdue;
  {
    MutexLock lock(mutex_);
    for (auto& [key, running] : running_) {
      if (running.reported || now < OverdueAt(running.since)) continue;
      running.reported = true;
      overdue.emplace_back(key, running);
    }
  }
  for (const auto& [key, running] : overdue) {
    metrics_.ReconcileTimedOut();
    log::Error(absl::OkStatus(), "Reconcile runs longer than its timeout",
               {{"controller", name()},
                {"key", key},
                {"reconcileID", running.reconcile_id},
                {"running", now - running.since},
                {"timeout", options_.reconcile_timeout}});
  }
}

}  // namespace kube::controller::internal
