// The metrics of controllers, with the names, labels and buckets of controller-runtime.

#include "controller/reconcile/internal/controller_metrics.h"

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/testing/log_capture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Returns the lines of a text that begin with `prefix`.
std::vector<std::string> LinesOf(const std::string& text, absl::string_view prefix) {
  std::vector<std::string> lines;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::StartsWith(line, prefix)) lines.emplace_back(line);
  }
  return lines;
}

// behaviour.md: CR-6, CTRL-29
TEST(ControllerMetricsTest, SeriesAreThereFromTheBeginning) {
  base::PrometheusRegistry registry;
  const ControllerMetrics metrics(registry, "website");
  metrics.SetWorkers(3);
  EXPECT_EQ(
      registry.Render(),
      R"(# HELP controller_parked_keys Number of keys that wait until the cache has seen the controller's last write per controller
# TYPE controller_parked_keys gauge
controller_parked_keys{controller="website"} 0
# HELP controller_parked_total Total number of times that a key waited for the controller's last write per controller
# TYPE controller_parked_total counter
controller_parked_total{controller="website"} 0
# HELP controller_parking_timeouts_total Total number of keys that waited too long for the controller's last write per controller
# TYPE controller_parking_timeouts_total counter
controller_parking_timeouts_total{controller="website"} 0
# HELP controller_runtime_active_workers Number of currently used workers per controller
# TYPE controller_runtime_active_workers gauge
controller_runtime_active_workers{controller="website"} 0
# HELP controller_runtime_max_concurrent_reconciles Maximum number of concurrent reconciles per controller
# TYPE controller_runtime_max_concurrent_reconciles gauge
controller_runtime_max_concurrent_reconciles{controller="website"} 3
# HELP controller_runtime_reconcile_errors_total Total number of reconciliation errors per controller
# TYPE controller_runtime_reconcile_errors_total counter
controller_runtime_reconcile_errors_total{controller="website"} 0
# HELP controller_runtime_reconcile_panics_total Total number of reconciliation panics per controller
# TYPE controller_runtime_reconcile_panics_total counter
controller_runtime_reconcile_panics_total{controller="website"} 0
# HELP controller_runtime_reconcile_timeouts_total Total number of reconciliation timeouts per controller
# TYPE controller_runtime_reconcile_timeouts_total counter
controller_runtime_reconcile_timeouts_total{controller="website"} 0
# HELP controller_runtime_reconcile_total Total number of reconciliations per controller
# TYPE controller_runtime_reconcile_total counter
controller_runtime_reconcile_total{controller="website",result="error"} 0
controller_runtime_reconcile_total{controller="website",result="requeue"} 0
controller_runtime_reconcile_total{controller="website",result="requeue_after"} 0
controller_runtime_reconcile_total{controller="website",result="success"} 0
# HELP controller_runtime_terminal_reconcile_errors_total Total number of terminal reconciliation errors per controller
# TYPE controller_runtime_terminal_reconcile_errors_total counter
controller_runtime_terminal_reconcile_errors_total{controller="website"} 0
)");
}

// behaviour.md: CR-6
TEST(ControllerMetricsTest, ReconcileEnded_EachOutcome_CountsAsUpstream) {
  const struct {
    const char* name;
    Outcome outcome;
    // Of errors_total, terminal_…, timeouts_total; of the results error, requeue, requeue_after,
    // success.
    const char* counts;
  } kRows[] = {
      {"success", Outcome::kSuccess, "0 0 0 0 0 0 1"},
      {"error", Outcome::kError, "1 0 0 1 0 0 0"},
      {"terminal error", Outcome::kTerminalError, "1 1 0 1 0 0 0"},
      {"requeue after", Outcome::kRequeueAfter, "0 0 0 0 0 1 0"},
      {"requeue", Outcome::kRequeue, "0 0 0 0 1 0 0"},
      {"timeout", Outcome::kTimeout, "1 0 1 1 0 0 0"},
  };
  for (const auto& row : kRows) {
    base::PrometheusRegistry registry;
    const ControllerMetrics metrics(registry, "c");
    metrics.ReconcileStarted();
    metrics.ReconcileEnded(row.outcome, absl::Milliseconds(300));
    const std::string text = registry.Render();
    std::vector<std::string> counts;
    for (const char* prefix :
         {"controller_runtime_reconcile_errors_total{",
          "controller_runtime_terminal_reconcile_errors_total{",
          "controller_runtime_reconcile_timeouts_total{", "controller_runtime_reconcile_total{"}) {
      for (const std::string& line : LinesOf(text, prefix)) {
        counts.push_back(line.substr(line.find(' ') + 1));
      }
    }
    EXPECT_EQ(absl::StrJoin(counts, " "), row.counts) << row.name;
    EXPECT_THAT(text, HasSubstr("\ncontroller_runtime_reconcile_time_seconds_sum"
                                "{controller=\"c\"} 0.3\n"))
        << row.name;
  }
}

// behaviour.md: CR-6, CTRL-30
TEST(ControllerMetricsTest, ReconcileTime_HasTheBucketsOfControllerRuntime) {
  base::PrometheusRegistry registry;
  const ControllerMetrics metrics(registry, "c");
  EXPECT_THAT(registry.Render(), Not(HasSubstr("controller_runtime_reconcile_time_seconds")));
  metrics.ReconcileStarted();
  metrics.ReconcileEnded(Outcome::kSuccess, absl::Seconds(61));
  std::string bounds;
  for (const std::string& line :
       LinesOf(registry.Render(), "controller_runtime_reconcile_time_seconds_bucket{")) {
    const std::vector<std::string> parts = absl::StrSplit(line, '"');
    absl::StrAppend(&bounds, parts[3], " ");
  }
  EXPECT_EQ(bounds,
            "0.005 0.01 0.025 0.05 0.1 0.15 0.2 0.25 0.3 0.35 0.4 0.45 0.5 0.6 0.7 0.8 0.9 1 1.25 "
            "1.5 1.75 2 2.5 3 3.5 4 4.5 5 6 7 8 9 10 15 20 25 30 40 50 60 +Inf ");
}

TEST(ControllerMetricsTest, ActiveWorkersAndParkedKeys_RiseAndFall) {
  base::PrometheusRegistry registry;
  const ControllerMetrics metrics(registry, "c");
  metrics.ReconcileStarted();
  metrics.ReconcileStarted();
  metrics.ReconcileEnded(Outcome::kSuccess, absl::ZeroDuration());
  metrics.ReconcileTimedOut();
  for (int i = 0; i < 3; ++i) metrics.Parked();
  metrics.Unparked();
  metrics.Unparked();
  metrics.ParkingTimedOut();
  const std::string text = registry.Render();
  EXPECT_THAT(LinesOf(text, "controller_runtime_active_workers{"),
              ElementsAre("controller_runtime_active_workers{controller=\"c\"} 1"));
  EXPECT_THAT(LinesOf(text, "controller_runtime_reconcile_timeouts_total{"),
              ElementsAre("controller_runtime_reconcile_timeouts_total{controller=\"c\"} 1"));
  EXPECT_THAT(LinesOf(text, "controller_parked_keys{"),
              ElementsAre("controller_parked_keys{controller=\"c\"} 1"));
  EXPECT_THAT(LinesOf(text, "controller_parked_total{"),
              ElementsAre("controller_parked_total{controller=\"c\"} 3"));
  EXPECT_THAT(LinesOf(text, "controller_parking_timeouts_total{"),
              ElementsAre("controller_parking_timeouts_total{controller=\"c\"} 1"));
}

// behaviour.md: MGR-54
TEST(ControllerMetricsTest, ControllersOfOneRegistry_ShareTheMetricsAndNotTheSeries) {
  base::PrometheusRegistry registry;
  const ControllerMetrics a(registry, "a");
  const ControllerMetrics b(registry, "b");
  a.SetWorkers(1);
  b.SetWorkers(2);
  EXPECT_THAT(LinesOf(registry.Render(), "controller_runtime_max_concurrent_reconciles{"),
              ElementsAre("controller_runtime_max_concurrent_reconciles{controller=\"a\"} 1",
                          "controller_runtime_max_concurrent_reconciles{controller=\"b\"} 2"));
}

TEST(ControllerMetricsTest, ANameInUse_IsLoggedAndNotCounted) {
  const log::LogCapture log;
  base::PrometheusRegistry registry;
  ASSERT_TRUE(registry.MakeGauge({.name = "controller_runtime_reconcile_errors_total"}).ok());
  const ControllerMetrics metrics(registry, "c");
  metrics.ReconcileStarted();
  metrics.ReconcileEnded(Outcome::kError, absl::ZeroDuration());
  EXPECT_THAT(log.Lines(), Contains(HasSubstr("failed to register controller metric")));
  EXPECT_THAT(LinesOf(registry.Render(), "controller_runtime_reconcile_total{"),
              Contains(HasSubstr("result=\"error\"} 1")));
  const ControllerMetrics none(*base::NoOpMetrics(), "c");
  none.ReconcileStarted();
  none.ReconcileEnded(Outcome::kSuccess, absl::ZeroDuration());
}

}  // namespace
}  // namespace kube::controller::internal
