#include "clientset/rest/internal/credentials/exec_source.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/status.h"
#include "clientset/rest/internal/credentials/credential_cache.h"
#include "clientset/rest/internal/credentials/credential_source.h"

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
    : runner_(std::move(runner)),
      metrics_(std::move(metrics)),
      // Programs run in real time, whatever clock the caller's thread has.
      cache_([this](const Context& ctx) { return Run(ctx); }, {.thread_name = "exec-plugin",
                                                               .stop_when_abandoned = true,
                                                               .runtime = &base::Runtime::Real()}) {
}

absl::StatusOr<std::shared_ptr<const Credentials>> ExecSource::Get(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(std::shared_ptr<const Credentials> current, cache_.Get(ctx));
  if (!current->certificate.empty()) {
    metrics_.ttl_seconds.Set(absl::ToDoubleSeconds(current->not_after - base::WallNow()));
  }
  return current;
}

absl::StatusOr<std::shared_ptr<const Credentials>> ExecSource::GetWithoutAuthorization(
    const Context& ctx) {
  absl::StatusOr<std::shared_ptr<const Credentials>> current = Get(ctx);
  if (current.ok() || ctx.done()) return current;
  std::shared_ptr<const Credentials> last = cache_.last();
  if (last == nullptr) return current;
  log::Error(ctx, current.status(),
             "refreshing credentials, keeping the previous client certificate");
  return last;
}

absl::StatusOr<bool> ExecSource::Rejected(const Context& ctx, const Credentials& used) {
  // Another caller may have refreshed them meanwhile.
  KUBE_ASSIGN_OR_RETURN(const std::shared_ptr<const Credentials> fresh,
                        cache_.GetOther(ctx, used.generation));
  return !SameIdentity(*fresh, used);
}

// Runs the plug-in, on the thread of the cache.
absl::StatusOr<Credentials> ExecSource::Run(const Context& ctx) {
  KUBE_ASSIGN_OR_RETURN(Credentials fresh, runner_(ctx));
  const std::shared_ptr<const Credentials> previous = cache_.last();
  if (previous != nullptr && !previous->certificate.empty() &&
      previous->certificate != fresh.certificate) {
    const absl::Duration age = base::WallNow() - previous->not_before;
    metrics_.rotation_age.Observe(absl::ToDoubleSeconds(age));
  }
  return fresh;
}

}  // namespace kube::rest::internal
