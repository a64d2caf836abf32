#include "controller/reconcile/internal/controller_metrics.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/metrics.h"

namespace kube::controller::internal {

namespace {

template <typename Vec>
Vec OrNone(absl::StatusOr<Vec> vec, absl::string_view controller) {
  if (vec.ok()) return *std::move(vec);
  log::Error(vec.status(), "failed to register controller metric", {{"controller", controller}});
  return Vec();
}

// Makes the metrics of one controller, all with the label "controller".
class Maker {
 public:
  Maker(base::MetricsProvider& provider, absl::string_view controller)
      : provider_(provider), controller_(controller) {}

  base::Counter Counter(const char* name, const char* help) const {
    return OrNone(provider_.MakeCounter(Options(name, help)), controller_)
        .WithLabelValues({controller_});
  }
  base::Gauge Gauge(const char* name, const char* help) const {
    return OrNone(provider_.MakeGauge(Options(name, help)), controller_)
        .WithLabelValues({controller_});
  }
  base::CounterVec Results() const {
    base::MetricOptions options = Options("controller_runtime_reconcile_total",
                                          "Total number of reconciliations per controller");
    options.label_names.emplace_back("result");
    return OrNone(provider_.MakeCounter(options), controller_);
  }
  base::HistogramVec Times() const {
    return OrNone(provider_.MakeHistogram(
                      {.name = "controller_runtime_reconcile_time_seconds",
                       .help = "Length of time per reconciliation per controller",
                       .label_names = {"controller"},
                       .buckets = {0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3,  0.35,
                                   0.4,   0.45, 0.5,   0.6,  0.7, 0.8,  0.9, 1,    1.25, 1.5,
                                   1.75,  2,    2.5,   3,    3.5, 4,    4.5, 5,    6,    7,
                                   8,     9,    10,    15,   20,  25,   30,  40,   50,   60}}),
                  controller_);
  }

 private:
  static base::MetricOptions Options(const char* name, const char* help) {
    return {.name = name, .help = help, .label_names = {"controller"}};
  }

  base::MetricsProvider& provider_;
  const absl::string_view controller_;
};

}  // namespace

ControllerMetrics::ControllerMetrics(base::MetricsProvider& provider, absl::string_view controller)
    : controller_(controller) {
  const Maker make(provider, controller);
  const base::CounterVec results = make.Results();
  success_ = results.WithLabelValues({controller, "success"});
  error_ = results.WithLabelValues({controller, "error"});
  requeue_after_ = results.WithLabelValues({controller, "requeue_after"});
  requeue_ = results.WithLabelValues({controller, "requeue"});
  errors_ = make.Counter("controller_runtime_reconcile_errors_total",
                         "Total number of reconciliation errors per controller");
  terminal_errors_ = make.Counter("controller_runtime_terminal_reconcile_errors_total",
                                  "Total number of terminal reconciliation errors per controller");
  // C++ has no panics, but dashboards have a panel for them. It stays zero.
  make.Counter("controller_runtime_reconcile_panics_total",
               "Total number of reconciliation panics per controller");
  timeouts_ = make.Counter("controller_runtime_reconcile_timeouts_total",
                           "Total number of reconciliation timeouts per controller");
  time_ = make.Times();
  workers_ = make.Gauge("controller_runtime_max_concurrent_reconciles",
                        "Maximum number of concurrent reconciles per controller");
  active_workers_ = make.Gauge("controller_runtime_active_workers",
                               "Number of currently used workers per controller");
  parked_keys_ = make.Gauge("controller_parked_keys",
                            "Number of keys that wait until the cache has seen the controller's "
                            "last write per controller");
  parked_ = make.Counter("controller_parked_total",
                         "Total number of times that a key waited for the controller's last write "
                         "per controller");
  parking_timeouts_ = make.Counter("controller_parking_timeouts_total",
                                   "Total number of keys that waited too long for the controller's "
                                   "last write per controller");
}

void ControllerMetrics::SetWorkers(int workers) const { workers_.Set(workers); }

void ControllerMetrics::ReconcileStarted() const { active_workers_.Increment(); }

void ControllerMetrics::ReconcileEnded(Outcome outcome, absl::Duration duration) const {
  active_workers_.Decrement();
  time_.WithLabelValues({controller_}).Observe(absl::ToDoubleSeconds(duration));
  switch (outcome) {
    case Outcome::kSuccess:
      success_.Increment();
      return;
    case Outcome::kRequeueAfter:
      requeue_after_.Increment();
      return;
    case Outcome::kRequeue:
      requeue_.Increment();
      return;
    case Outcome::kTimeout:
      timeouts_.Increment();
      break;
    case Outcome::kTerminalError:
      terminal_errors_.Increment();
      break;
    case Outcome::kError:
      break;
  }
  error_.Increment();
  errors_.Increment();
}

void ControllerMetrics::ReconcileTimedOut() const { timeouts_.Increment(); }

void ControllerMetrics::Parked() const {
  parked_keys_.Increment();
  parked_.Increment();
}

void ControllerMetrics::Unparked() const { parked_keys_.Decrement(); }

void ControllerMetrics::ParkingTimedOut() const { parking_timeouts_.Increment(); }

}  // namespace kube::controller::internal
