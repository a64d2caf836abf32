#include "controller/workqueue/internal/queue_core.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/status.h"
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

namespace kube::workqueue::internal {

namespace {

constexpr absl::Duration kMetricsPeriod = absl::Milliseconds(500);  // client-go's

uint64_t ToNanoseconds(base::MonotonicTime time) {
  return std::max<int64_t>(absl::ToInt64Nanoseconds(time.since_epoch()), 0);  // saturates
}

uint64_t Now() { return ToNanoseconds(base::Now()); }

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
      by_priority_(options.order == QueueOrder::kPriority),
      metrics_(MetricsOf(options)),
      state_(by_priority_, metrics_.get()),
      finished_({metrics_ == nullptr ? kNowhere : kClosed}) {
  if (metrics_ != nullptr) metrics_scope_ = WithCancel(Context());
}

QueueCore::~QueueCore() {
  ShutDown();
  base::MutexLock lock(mutex_);
  KUBE_CHECK_EQ(state_.processing(), 0u) << "a work queue ends before its items";
}

inline void QueueCore::TakeInFinished() {
  const Finished key = finished_.load(std::memory_order_acquire);
  if (key.ref == kNowhere || key.ref == kClosed) return;
  finished_.store({}, std::memory_order_relaxed);  // nobody else does while there is a key
  state_.Done(key.ref, key.hash, /*now=*/0);
}

void QueueCore::CloseFinished() {
  const Finished key = finished_.exchange({kClosed}, std::memory_order_acquire);
  if (key.ref != kNowhere && key.ref != kClosed) state_.Done(key.ref, key.hash, /*now=*/0);
}

void QueueCore::OpenFinished() {
  if (metrics_ != nullptr || shutting_down_ || workers_waiting_ > 0 || has_timekeeper_) return;
  if (state_.waiting() == 0) finished_.store({}, std::memory_order_relaxed);
}

inline uint64_t QueueCore::CatchUp() {
  TakeInFinished();
  const bool time_matters = metrics_ != nullptr || state_.waiting() > 0;
  return time_matters ? CatchUpWithTime() : 0;
}

uint64_t QueueCore::CatchUpWithTime() {
  const uint64_t now = Now();
  state_.MakeReady(now);
  OpenFinished();
  return now;
}

void QueueCore::Add(absl::string_view text) {
  const uint32_t hash = QueueState::Hash(text);
  Wake wake;
  {
    base::MutexLock lock(mutex_);
    if (shutting_down_) return;
    const uint64_t now = CatchUp();
    state_.Add(text, hash, 0, now);
    wake = WhoIsNext();
  }
  Notify(wake);
}

void QueueCore::AddWith(absl::string_view text, const AddOptions& options) {
  absl::Duration after = options.after;
  if (options.rate_limited) {
    // Nothing that is added from now on counts.
    if (shutting_down()) return;
    const absl::Duration limit = rate_limiter_->When(text);
    const bool is_later = after > absl::ZeroDuration() && after <= limit;
    if (!is_later) after = limit;
  }
  const uint32_t hash = QueueState::Hash(text);
  Wake wake;
  {
    base::MutexLock lock(mutex_);
    if (shutting_down_) return;
    if (after > absl::ZeroDuration()) {
      CloseFinished();
      const base::MonotonicTime now = base::Now();
      state_.MakeReady(ToNanoseconds(now));
      state_.AddAt(text, hash, options.priority, ToNanoseconds(now + after), ToNanoseconds(now));
    } else {
      const uint64_t now = CatchUp();
      state_.Add(text, hash, options.priority, now);
    }
    wake = WhoIsNext();
  }
  Notify(wake);
}

absl::Status QueueCore::Get(const Context& ctx, Claim& claim) {
  if (metrics_ != nullptr) StartMetrics();
  Wake wake;
  {
    base::MutexLock lock(mutex_);
    for (;;) {
      if (ctx.done()) break;
      const uint64_t now = CatchUp();
      if (state_.ready() > 0) {
        claim.core_ = this;
        state_.Take(now, claim.taken_);
        break;
      }
      if (shutting_down_) break;
      WaitForWork(ctx);
    }
    wake = WhoIsNext();
  }
  Notify(wake);
  if (claim.core_ != nullptr) return absl::OkStatus();
  if (ctx.done()) return ctx.status();
  return absl::OutOfRangeError("get from work queue: shut down");
}

void QueueCore::Done(const QueueState::Taken& taken) {
  Finished nothing;
  if (finished_.load(std::memory_order_relaxed).ref == kNowhere &&
      finished_.compare_exchange_strong(nothing, {taken.ref, taken.hash}, std::memory_order_release,
                                        std::memory_order_relaxed)) {
    return;  // from here on the queue may be gone
  }
  Wake wake;
  bool drained;
  {
    base::MutexLock lock(mutex_);
    const uint64_t now = CatchUp();
    state_.Done(taken.ref, taken.hash, now);
    drained = draining_ && state_.ready() == 0 && state_.processing() == 0;
    // With the lock: who waits for this may destroy the queue.
    if (drained) drained_.NotifyAll();
    wake = WhoIsNext();
  }
  Notify(wake);
}

void QueueCore::WaitForWork(const Context& ctx) {
  CloseFinished();
  if (state_.ready() == 0) {
    if (!has_timekeeper_ && state_.waiting() > 0) {
      has_timekeeper_ = true;
      timekeeper_until_ = state_.next_due();
      due_.WaitOnce(ctx, mutex_,
                    timekeeper_until_ == QueueState::kNever
                        ? base::MonotonicTime::Infinite()
                        : base::MonotonicTime(absl::Nanoseconds(timekeeper_until_)));
      has_timekeeper_ = false;
    } else {
      ++workers_waiting_;
      // This worker may have been woken in vain. Calls that came meanwhile woke nobody, as
      // `waking_` was set; if one of them brought an earlier time, the timekeeper has to learn of
      // it now.
      Notify(WhoIsNext());
      work_.WaitOnce(ctx, mutex_, base::MonotonicTime::Infinite());
      --workers_waiting_;
    }
    // This worker may be the one that was being woken; if not, one is woken in vain.
    waking_ = false;
  }
  OpenFinished();
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
    CloseFinished();
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
  const auto is_drained = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return state_.ready() == 0 && state_.processing() == 0;
  };
  const auto is_over = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return !draining_ || is_drained();
  };
  if (absl::Status status = drained_.Wait(ctx, mutex_, is_over); !status.ok()) return status;
  if (is_drained()) return absl::OkStatus();
  return absl::CancelledError("drain work queue: shut down at once");
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
  if (!status.ok()) log::Error(status, "unfinished work of a work queue is not counted");
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
