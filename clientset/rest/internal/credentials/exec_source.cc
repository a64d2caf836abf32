#include "clientset/rest/internal/credentials/exec_source.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/thread.h"
#include "clientset/rest/internal/credentials/credential_source.h"

// A Run is created by Start (with mutex_ held) and ends in Finish, on its own thread. `run_` is the
// run in progress, or null. A caller in Join increments `waiting` and waits for `ended`; if its
// context ends first, and it was the last caller, it marks the run as `abandoned` and stops its
// thread. Refresh never joins an abandoned run: it waits until Finish has cleared `run_`, and then
// starts a new one. Each caller holds a reference to its Run, so it gets that run's result even if
// another run has begun since.
//
// Finish moves the run to `last_run_`, because a thread cannot join itself: the next Start, or the
// destructor, destroys or joins it.
namespace kube::rest::internal {

absl::StatusOr<ExecSource::Metrics> ExecSource::MakeMetrics(base::MetricsProvider& provider) {
  KUBE_ASSIGN_OR_RETURN(
      const base::GaugeVec ttl,
      provider.MakeGauge({.name = "rest_client_exec_plugin_ttl_seconds",
                          .help = "TTL (time-to-live) in seconds of the client certificate managed "
                                  "by the auth exec plugin, as of its last use."}));
  KUBE_ASSIGN_OR_RETURN(
      const base::HistogramVec age,
      provider.MakeHistogram({.name = "rest_client_exec_plugin_certificate_rotation_age",
                              .help = "Histogram of the number of seconds the last auth exec "
                                      "plugin client certificate lived before being rotated.",
                              .buckets = {600, 1800, 3600, 14400, 86400, 604800, 2592000, 7776000,
                                          15552000, 31104000, 124416000}}));
  return Metrics{.ttl_seconds = ttl.WithLabelValues({}), .rotation_age = age.WithLabelValues({})};
}

ExecSource::ExecSource(Runner runner, Metrics metrics)
    : runner_(std::move(runner)), metrics_(std::move(metrics)) {}

ExecSource::~ExecSource() {
  std::shared_ptr<Run> run;
  {
    base::MutexLock lock(mutex_);
    run = run_ == nullptr ? last_run_ : run_;
  }
  if (run == nullptr) return;
  run->thread.RequestStop();
  run->thread.Join();
}

absl::StatusOr<std::shared_ptr<const Credentials>> ExecSource::Get(const Context& ctx) {
  const absl::Time now = base::WallNow();
  base::MutexLock lock(mutex_);
  if (cached_ == nullptr || now > cached_->expiration) return Refresh(ctx);
  if (!cached_->certificate.empty()) {
    metrics_.ttl_seconds.Set(absl::ToDoubleSeconds(cached_->not_after - now));
  }
  return cached_;
}

absl::StatusOr<std::shared_ptr<const Credentials>> ExecSource::GetWithoutAuthorization(
    const Context& ctx) {
  Result current = Get(ctx);
  if (current.ok() || ctx.done()) return current;
  const absl::Status failed = current.status();
  {
    base::MutexLock lock(mutex_);
    if (cached_ == nullptr) return failed;
    current = cached_;
  }
  log::Error(ctx, failed, "refreshing credentials, keeping the previous client certificate");
  return current;
}

absl::StatusOr<bool> ExecSource::Rejected(const Context& ctx, const Credentials& used) {
  base::MutexLock lock(mutex_);
  // Another caller has refreshed them meanwhile.
  if (cached_ != nullptr && cached_->generation != used.generation) {
    return !SameIdentity(*cached_, used);
  }
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<const Credentials> fresh, Refresh(ctx));
  return !SameIdentity(*fresh, used);
}

int ExecSource::waiting() {
  base::MutexLock lock(mutex_);
  return run_ == nullptr ? 0 : run_->waiting;
}

ExecSource::Result ExecSource::Refresh(const Context& ctx) {
  if (ctx.done()) return ctx.status();
  KUBE_RETURN_IF_ERROR(changed_.Wait(ctx, mutex_, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return run_ == nullptr || !run_->abandoned;
  }));
  if (run_ == nullptr) KUBE_RETURN_IF_ERROR(Start());
  return Join(ctx);
}

absl::Status ExecSource::Start() {
  last_run_ = nullptr;  // its thread has nothing left to do
  auto run = std::make_shared<Run>();
  // Programs run in real time, whatever clock the caller's thread has.
  base::RuntimeScope real(base::Runtime::Real());
  KUBE_RETURN_IF_ERROR(run->thread.Start(Context(), "exec-plugin",
                                         [this](const Context& ctx) { Finish(runner_(ctx)); }));
  run_ = std::move(run);
  return absl::OkStatus();
}

ExecSource::Result ExecSource::Join(const Context& ctx) {
  const std::shared_ptr<Run> run = run_;
  ++run->waiting;
  const absl::Status waited = changed_.Wait(ctx, mutex_, [&run] { return run->ended; });
  --run->waiting;
  if (waited.ok()) return run->result;
  if (run->waiting == 0) {
    run->abandoned = true;
    run->thread.RequestStop();
  }
  return waited;
}

void ExecSource::Finish(absl::StatusOr<Credentials> credentials) {
  base::MutexLock lock(mutex_);
  run_->result = Accept(std::move(credentials));
  run_->ended = true;
  last_run_ = std::move(run_);
  run_ = nullptr;
  changed_.NotifyAll();
}

ExecSource::Result ExecSource::Accept(absl::StatusOr<Credentials> credentials) {
  if (!credentials.ok()) return credentials.status();
  auto fresh = std::make_shared<Credentials>(*std::move(credentials));
  fresh->generation = cached_ == nullptr ? 1 : cached_->generation + 1;
  if (cached_ != nullptr && !cached_->certificate.empty() &&
      cached_->certificate != fresh->certificate) {
    const absl::Duration age = base::WallNow() - cached_->not_before;
    metrics_.rotation_age.Observe(absl::ToDoubleSeconds(age));
  }
  cached_ = std::move(fresh);
  return cached_;
}

}  // namespace kube::rest::internal
