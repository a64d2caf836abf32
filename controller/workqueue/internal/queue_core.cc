// All calls take one lock. At most one waiting worker, the timekeeper, waits until the next key is
// due; all others wait until they are woken.
//
// At most one wake-up is on its way at a time. The worker that is woken takes its key, and wakes
// the next worker if there is more to do. So a burst of keys costs its producer one wake-up, and
// the workers wake each other while the producer goes on.
//
// The invariant: whenever the lock is released, at the end of a call or by waiting, either a
// wake-up is on its way or nobody has to be woken. As no call wakes anybody while a wake-up is on
// its way, a worker that was woken looks again whom to wake (WhoIsNext), also before it waits
// again.

#include "controller/workqueue/internal/queue_core.h"

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/wait.h"
#include "controller/workqueue/queue_status.h"

namespace kube::workqueue::internal {

namespace {

constexpr absl::Duration kMetricsPeriod = absl::Milliseconds(500);  // client-go's

std::shared_ptr<RateLimiter> LimiterOf(QueueOptions& options) {
  if (options.rate_limiter != nullptr) return std::move(options.rate_limiter);
  return options.order == QueueOrder::kPriority ? ExponentialFailureRateLimiter()
                                                : DefaultControllerRateLimiter();
}

std::unique_ptr<QueueMetrics> MetricsOf(const QueueOptions& options) {
  if (options.name.empty() || options.metrics == nullptr) return nullptr;
  if (options.metrics == base::NoOpMetrics()) return nullptr;
  return std::make_unique<QueueMetrics>(*options.metrics, options.name,
                                        options.order == QueueOrder::kPriority);
}

}  // namespace

// ---- Claim

QueueCore::Claim& QueueCore::Claim::operator=(Claim&& other) noexcept {
  if (this != &other) {
    Release();
    core_ = std::exchange(other.core_, nullptr);
    taken_ = other.taken_;
  }
  return *this;
}

void QueueCore::Claim::Release() {
  if (core_ != nullptr) std::exchange(core_, nullptr)->Done(taken_);
}

// ---- QueueCore

QueueCore::QueueCore(QueueOptions options)
    : rate_limiter_(LimiterOf(options)),
      metrics_(MetricsOf(options)),
      state_(options.order == QueueOrder::kPriority, metrics_.get(), options.ageing) {
  if (metrics_ != nullptr) metrics_scope_ = WithCancel(Context());
}

QueueCore::~QueueCore() {
  ShutDown();
  base::MutexLock lock(mutex_);
  KUBE_CHECK_EQ(state_.processing(), 0u) << "work queue destroyed while items are being processed";
}

base::MonotonicTime QueueCore::CatchUp() {
  if (!state_.keeps_times() && state_.waiting() == 0) return base::MonotonicTime();
  const base::MonotonicTime now = base::Now();
  state_.MakeDueDirty(now);
  return now;
}

void QueueCore::Add(absl::string_view text) {
  Wake wake;
  {
    base::MutexLock lock(mutex_);
    if (shutting_down_) return;
    state_.Add(text, /*priority=*/0, CatchUp());
    wake = WhoIsNext();
  }
  Notify(wake);
}

void QueueCore::AddWith(absl::string_view text, const AddOptions& options) {
  absl::Duration after = options.after;
  if (options.rate_limited) {
    if (shutting_down()) return;  // A failure is no longer counted.
    const absl::Duration limit = rate_limiter_->When(text);
    const bool is_later = after > absl::ZeroDuration() && after <= limit;
    if (!is_later) after = limit;
  }
  Wake wake;
  {
    base::MutexLock lock(mutex_);
    if (shutting_down_) return;
    if (after > absl::ZeroDuration()) {
      const base::MonotonicTime now = base::Now();
      state_.MakeDueDirty(now);
      state_.AddAt(text, options.priority, now + after);
    } else {
      state_.Add(text, options.priority, CatchUp());
    }
    wake = WhoIsNext();
  }
  Notify(wake);
}

absl::StatusOr<QueueCore::Claim> QueueCore::Get(const Context& ctx) {
  if (metrics_ != nullptr) StartMetrics();
  Claim claim;
  Wake wake;
  {
    base::MutexLock lock(mutex_);
    while (!ctx.done()) {
      const base::MonotonicTime now = CatchUp();
      if (state_.ready() > 0) {
        claim = Claim(this, state_.Take(now));
        break;
      }
      if (shutting_down_) break;
      WaitForWork(ctx);
    }
    wake = WhoIsNext();
  }
  Notify(wake);
  if (claim.core_ != nullptr) return claim;
  if (ctx.done()) return ctx.status();
  return absl::OutOfRangeError("get from work queue: shut down");
}

void QueueCore::Done(const QueueState::Taken& taken) {
  Wake wake;
  {
    base::MutexLock lock(mutex_);
    state_.Done(taken, CatchUp());
    // With the lock held: ShutDownWithDrain returns then, and its caller may destroy the queue.
    if (draining_ && IsDrained()) drained_.NotifyAll();
    wake = WhoIsNext();
  }
  Notify(wake);
}

void QueueCore::WaitForWork(const Context& ctx) {
  if (!has_timekeeper_ && state_.waiting() > 0) {
    has_timekeeper_ = true;
    timekeeper_until_ = state_.next_due();
    due_.WaitOnce(ctx, mutex_, timekeeper_until_);
    has_timekeeper_ = false;
  } else {
    ++workers_waiting_;
    // This worker may have been woken in vain. Calls that came meanwhile woke nobody, as `waking_`
    // was set; if one of them brought an earlier time, the timekeeper has to learn of it now.
    Notify(WhoIsNext());
    work_.WaitOnce(ctx, mutex_, base::MonotonicTime::Infinite());
    --workers_waiting_;
  }
  // The wake-up that was on its way, if any, may have been for this worker. If it was for another
  // one, WhoIsNext may now wake somebody in vain, which does no harm.
  waking_ = false;
}

QueueCore::Wake QueueCore::WhoIsNext() {
  if (waking_ || (workers_waiting_ == 0 && !has_timekeeper_)) return Wake::kNobody;
  Wake wake = Wake::kNobody;
  if (state_.ready() > 0) {
    if (workers_waiting_ > 0) {
      wake = Wake::kWorker;
    } else if (has_timekeeper_) {
      wake = Wake::kTimekeeper;
    }
  } else if (state_.waiting() > 0) {
    if (has_timekeeper_) {
      if (state_.next_due() < timekeeper_until_) wake = Wake::kTimekeeper;
    } else if (workers_waiting_ > 0) {
      wake = Wake::kWorker;
    }
  }
  waking_ = wake != Wake::kNobody;
  return wake;
}

void QueueCore::Notify(Wake wake) {
  if (wake == Wake::kWorker) work_.NotifyOne();
  if (wake == Wake::kTimekeeper) due_.NotifyOne();
}

void QueueCore::BeginShutDown(bool drain) {
  {
    base::MutexLock lock(mutex_);
    shutting_down_ = true;
    draining_ = drain;
    CatchUp();
    state_.DropWaiting();
    work_.NotifyAll();
    due_.NotifyAll();
    drained_.NotifyAll();
  }
  if (metrics_scope_.has_value()) metrics_scope_->Cancel();
}

void QueueCore::ShutDown() { BeginShutDown(/*drain=*/false); }

absl::Status QueueCore::ShutDownWithDrain(const Context& ctx) {
  BeginShutDown(/*drain=*/true);
  base::MutexLock lock(mutex_);
  const auto is_over = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return !draining_ || IsDrained();
  };
  if (absl::Status status = drained_.Wait(ctx, mutex_, is_over); !status.ok()) return status;
  if (IsDrained()) return absl::OkStatus();
  return absl::CancelledError("drain work queue: shut down without drain");
}

bool QueueCore::shutting_down() const {
  base::MutexLock lock(mutex_);
  return shutting_down_;
}

size_t QueueCore::length() {
  base::MutexLock lock(mutex_);
  CatchUp();
  return state_.ready();
}

size_t QueueCore::delayed() {
  base::MutexLock lock(mutex_);
  CatchUp();
  return state_.waiting();
}

QueueStatus QueueCore::status() {
  base::MutexLock lock(mutex_);
  QueueStatus result = state_.Status(CatchUp());
  result.shutting_down = shutting_down_;
  return result;
}

void QueueCore::StartMetrics() {
  {
    base::MutexLock lock(mutex_);
    if (metrics_started_ || shutting_down_) return;
    metrics_started_ = true;
  }
  const absl::Status status =
      metrics_thread_.Start(metrics_scope_->context(), "workqueue", [this](const Context& ctx) {
        while (base::SleepFor(ctx, kMetricsPeriod).ok()) UpdateUnfinished();
      });
  if (!status.ok()) {
    log::Error(
        status,
        "failed to start the thread that updates the unfinished work metrics of a work queue");
  }
}

void QueueCore::UpdateUnfinished() {
  Wake wake;
  {
    base::MutexLock lock(mutex_);
    state_.UpdateUnfinished(CatchUp());
    wake = WhoIsNext();
  }
  Notify(wake);
}

}  // namespace kube::workqueue::internal
