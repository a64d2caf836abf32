#ifndef CONTROLLER_RECONCILE_INTERNAL_CONTROLLER_METRICS_H_
#define CONTROLLER_RECONCILE_INTERNAL_CONTROLLER_METRICS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"

namespace kube::controller::internal {

// How a reconcile ended.
enum class Outcome {
  kSuccess,
  kError,          // to be retried
  kTerminalError,  // not to be retried
  kRequeueAfter,   // no error; again after a time
  kRequeue,        // no error; again with the queue's back-off
  kTimeout,        // an error, after its deadline had passed
};

// What a controller counts: the series of controller-runtime, with its names, texts and buckets,
// and those of parked keys. What a provider refuses is logged, and not counted. As upstream, all
// series but the histogram are there from the beginning. (controller-runtime: package
// `internal/controller/metrics`, `Controller.initMetrics`)
//
// Thread-safe.
class ControllerMetrics {
 public:
  // `controller` is the controller's name, the value of the label "controller".
  ControllerMetrics(base::MetricsProvider& provider, absl::string_view controller);

  // The number of workers that the controller has.
  void SetWorkers(int workers) const;

  // Each ReconcileStarted is followed by one ReconcileEnded, with the time between the two.
  void ReconcileStarted() const;
  void ReconcileEnded(Outcome outcome, absl::Duration duration) const;
  // Counts a reconcile whose deadline had passed but that returned no error. Outcome::kTimeout does
  // so by itself.
  void ReconcileTimedOut() const;

  // A key was put aside until its store has seen the last write of the controller.
  void Parked() const;
  // It came back, because its store has seen the write, or because that took too long.
  void Unparked() const;
  // Counts, beside Unparked, a key that came back because it took too long.
  void ParkingTimedOut() const;

 private:
  const std::string controller_;
  base::Counter success_;
  base::Counter error_;
  base::Counter requeue_after_;
  base::Counter requeue_;
  base::Counter errors_;
  base::Counter terminal_errors_;
  base::Counter timeouts_;
  // Its series begins with the first reconcile.
  base::HistogramVec time_;
  base::Gauge workers_;
  base::Gauge active_workers_;
  base::Gauge parked_keys_;
  base::Counter parked_;
  base::Counter parking_timeouts_;
};

}  // namespace kube::controller::internal

#endif  // CONTROLLER_RECONCILE_INTERNAL_CONTROLLER_METRICS_H_
