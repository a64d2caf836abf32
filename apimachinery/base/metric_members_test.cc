#include "apimachinery/base/metric_members.h"

#include <memory>
#include <string>
#include <utility>

#include "apimachinery/base/metrics.h"
#include "apimachinery/base/prometheus.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

using testing::HasSubstr;

class Restarter {
 public:
  explicit Restarter(std::shared_ptr<MetricsProvider> metrics) : metrics_(std::move(metrics)) {}

  void Work() const {
    restarts_.Increment();
    waiting_.Set(3);
    seconds_.Observe(0.2);
    errors_.WithLabelValues({"get"}).Increment(2);
    shards_.WithLabelValues({"a"}).Set(5);
    sizes_.WithLabelValues({"b"}).Observe(1);
  }

 private:
  const std::shared_ptr<MetricsProvider> metrics_;  // declared before its metrics
  const Counter restarts_ = NewCounter(
      *metrics_, {.name = "restarter_restarts_total", .help = "Pods that were restarted."});
  const Gauge waiting_ = NewGauge(*metrics_, {.name = "waiting", .help = "Pods that wait."});
  const Histogram seconds_ =
      NewHistogram(*metrics_, {.name = "restart_seconds", .help = "Time.", .buckets = {1}});
  const CounterVec errors_ = NewCounterVec(
      *metrics_, {.name = "errors_total", .help = "Errors.", .label_names = {"verb"}});
  const GaugeVec shards_ =
      NewGaugeVec(*metrics_, {.name = "shards", .help = "Shards.", .label_names = {"name"}});
  const HistogramVec sizes_ = NewHistogramVec(
      *metrics_, {.name = "size_bytes", .help = "Sizes.", .label_names = {"name"}, .buckets = {2}});
};

TEST(MetricMembers, CountWhereTheProviderReads) {
  const auto registry = std::make_shared<PrometheusRegistry>();
  const Restarter one(registry);
  const Restarter two(registry);  // of the same options: the same metrics
  one.Work();
  two.Work();
  const std::string text = registry->Render();
  for (const char* line : {"restarter_restarts_total 2\n", "waiting 3\n",
                           "restart_seconds_count 2\n", "errors_total{verb=\"get\"} 4\n",
                           "shards{name=\"a\"} 5\n", "size_bytes_count{name=\"b\"} 2\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(MetricMembers, CountNothingWithoutAProvider) { Restarter(NoOpMetrics()).Work(); }

TEST(MetricMembersDeathTest, MistakesEndTheProgramAndAreNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  PrometheusRegistry registry;
  NewCounter(registry, {.name = "taken_total", .help = "One."});
  EXPECT_DEATH(NewGauge(registry, {.name = "taken_total", .help = "Two."}),
               "make metric \"taken_total\"");
  EXPECT_DEATH(NewCounter(registry, {.name = "not-a-name", .help = "Three."}),
               "make metric \"not-a-name\"");
  EXPECT_DEATH(NewCounter(registry, {.name = "n_total", .help = "Four.", .label_names = {"a"}}),
               "make metric \"n_total\": it has labels");
}

}  // namespace
}  // namespace kube::base
