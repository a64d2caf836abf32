// The supervisor of a controller: a thread that ends the waits of parked keys, follows the writes
// that were not seen in time, reports reconciles that take too long, and starts watches again that
// could not be started. It checks the keys that wait for a store when that store has reported
// progress, and a key when its deadline has come. A store's report only sets a flag, because it
// comes on the informer's thread, which must not wait.
#include <algorithm>
#include <cstdint>
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
#include "controller/reconcile/internal/steps.h"

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
    CheckLateWrites();
    ReportOverdue();
    RetryStarts();
  }
}

MonotonicTime ControllerCore::NextCheck() const {
  MonotonicTime next = std::min(parking_.NextDeadline(), retry_starts_at_);
  for (const auto& [key, running] : running_) {
    if (!running.reported) next = std::min(next, OverdueAt(running.since));
  }
  return next;
}

MonotonicTime ControllerCore::OverdueAt(MonotonicTime since) const {
  return since + options_.reconcile_timeout + kOverdueGrace;
}

void ControllerCore::Wake() {
  check_now_ = true;
  changed_.NotifyOne();
}

void ControllerCore::NoteAdvanced(StoreId store) {
  MutexLock lock(mutex_);
  const bool is_late = late_writes_.NoteAdvanced(store);
  if (parking_.NoteAdvanced(store) || is_late) Wake();
}

void ControllerCore::EndWaits() {
  std::vector<Parking::Parked> parked;
  {
    MutexLock lock(mutex_);
    parked = parking_.Take(base::Now());
  }
  for (const Parking::Parked& wait : parked) {
    WritesProgress progress = ProgressOf(*wait.writes);
    if (!progress.unseen.empty() && base::Now() < wait.deadline) continue;
    EndWait(wait, std::move(progress));
  }
}

void ControllerCore::EndWait(const Parking::Parked& wait, WritesProgress progress) {
  const bool timed_out = !progress.unseen.empty();
  std::optional<Parking::Released> released;
  {
    MutexLock lock(mutex_);
    released = parking_.Release(wait.key);
    // CheckLateWrites follows, for what the stores have done since they were asked.
    if (timed_out) {
      late_writes_.Note(wait.key, std::move(progress.unseen), released->priority);
    }
  }
  metrics_.Unparked();
  if (timed_out) {
    metrics_.ParkingTimedOut();
    log::Warning("Own writes did not arrive in the cache in time",
                 {{"controller", name()}, {"key", wait.key}});
  }
  if (progress.missed.has_value()) {
    const int16_t priority =
        std::max(released->held.value_or(released->priority), released->priority);
    Add(wait.key, {.priority = priority}, *std::move(progress.missed));
  } else if (released->held.has_value()) {
    queue_.Add(wait.key, {.priority = *released->held});  // its causes are recorded
  }
}

void ControllerCore::CheckLateWrites() {
  std::vector<Parking::Parked> late;
  {
    MutexLock lock(mutex_);
    late = late_writes_.Take();
  }
  for (const Parking::Parked& wait : late) {
    if (ProgressOf(*wait.writes).unseen.size() == wait.writes->size()) continue;
    std::optional<Parking::Released> released;
    {
      MutexLock lock(mutex_);
      released = late_writes_.Release(wait.key);
    }
    if (!released.has_value()) continue;
    WritesProgress progress = ProgressOf(*released->writes);
    if (!progress.unseen.empty()) {
      MutexLock lock(mutex_);
      late_writes_.Note(wait.key, std::move(progress.unseen), released->priority);
      Wake();  // a store may have advanced since it was asked
    }
    if (progress.missed.has_value()) {
      Add(wait.key, {.priority = released->priority}, *std::move(progress.missed));
    }
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
                {"timeout", options_.reconcile_timeout},
                {"where", running.steps->Innermost()}});
  }
}

}  // namespace kube::controller::internal
