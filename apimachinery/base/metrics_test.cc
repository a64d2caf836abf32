#include "apimachinery/base/metrics.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Metrics, Counter_Copies_CountInOneCell) {
  const auto cell = std::make_shared<CounterCell>();
  const Counter counter(cell);
  const Counter copy = counter;
  counter.Increment();
  copy.Increment(41);
  EXPECT_EQ(counter.Value(), 42u);
  EXPECT_EQ(cell->value, 42u);
}

TEST(Metrics, Gauge_SetAddIncrementDecrement_ChangeItsValue) {
  const Gauge gauge(std::make_shared<GaugeCell>());
  gauge.Set(2.5);
  gauge.Add(-1);
  gauge.Increment();
  gauge.Increment();
  gauge.Decrement();
  EXPECT_EQ(gauge.Value(), 2.5);
}

TEST(Metrics, Histogram_ValueOnABound_CountsInThatBucket) {
  const struct {
    const char* name;
    double value;
    std::vector<uint64_t> counts;
  } kRows[] = {
      {"below all", -kInf, {1, 0, 0}},
      {"on the first bound", 1, {1, 0, 0}},
      {"just above it", 1.0000001, {0, 1, 0}},
      {"on the last bound", 2, {0, 1, 0}},
      {"above all", 3, {0, 0, 1}},
      {"infinite", kInf, {0, 0, 1}},
      {"not a number", kNan, {0, 0, 1}},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    HistogramCell cell({1, 2});
    cell.Observe(row.value);
    EXPECT_EQ(cell.Counts(), row.counts);
  }
}

TEST(Metrics, Histogram_Observe_AddsToSumAndCount) {
  const Histogram histogram(std::make_shared<HistogramCell>(std::vector<double>{1}));
  histogram.Observe(0.5);
  histogram.Observe(4);
  EXPECT_EQ(histogram.Count(), 2u);
  EXPECT_EQ(histogram.Sum(), 4.5);
  const Histogram no_buckets(std::make_shared<HistogramCell>(std::vector<double>{}));
  no_buckets.Observe(1);
  EXPECT_EQ(no_buckets.Count(), 1u);
}

TEST(Metrics, TheDefaultDoesNothing) {
  const auto counters = NoOpMetrics()->MakeCounter({.name = "any name", .label_names = {"code"}});
  const auto gauges = NoOpMetrics()->MakeGauge({});
  const auto histograms = NoOpMetrics()->MakeHistogram({.buckets = {2, 1}});
  ASSERT_THAT(counters, IsOk());
  ASSERT_THAT(gauges, IsOk());
  ASSERT_THAT(histograms, IsOk());
  const Counter counter = counters->WithLabelValues({"200"});
  const Gauge gauge = gauges->WithLabelValues({});
  const Histogram histogram = histograms->WithLabelValues({});
  counter.Increment();
  gauge.Set(1);
  gauge.Add(1);
  histogram.Observe(1);
  EXPECT_EQ(counter.Value(), 0u);
  EXPECT_EQ(gauge.Value(), 0);
  EXPECT_EQ(histogram.Count(), 0u);
  EXPECT_EQ(histogram.Sum(), 0);
}

// A user's provider: the vector returns what the provider returns.
class CountingFamily : public MetricFamily<Counter> {
 public:
  Counter WithLabelValues(absl::Span<const absl::string_view> values) override {
    seen = std::vector<std::string>(values.begin(), values.end());
    return Counter(cell);
  }
  std::vector<std::string> seen;
  std::shared_ptr<CounterCell> cell = std::make_shared<CounterCell>();
};

TEST(Metrics, Vector_WithLabelValues_AsksItsFamily) {
  const auto family = std::make_shared<CountingFamily>();
  const CounterVec counters(family);
  const std::string method = "GET";
  counters.WithLabelValues({"200", method}).Increment(7);
  EXPECT_THAT(family->seen, ElementsAre("200", "GET"));
  EXPECT_EQ(family->cell->value, 7u);
}

absl::Status CountOneGet(MetricsProvider& metrics) {
  KUBE_ASSIGN_OR_RETURN(CounterVec requests,
                        metrics.MakeCounter({.name = "rest_client_requests_total",
                                             .help = "Requests by code and method.",
                                             .label_names = {"code", "method"}}));
  const Counter gets = requests.WithLabelValues({"200", "GET"});  // once
  gets.Increment();                                               // often: one atomic addition
  return absl::OkStatus();
}

TEST(Metrics, CountByLabelValuesWhereTheProviderReads_AsInTheHeader) {
  PrometheusRegistry registry;
  ASSERT_THAT(CountOneGet(registry), IsOk());
  EXPECT_THAT(registry.Render(),
              HasSubstr("rest_client_requests_total{code=\"200\",method=\"GET\"} 1\n"));
}

TEST(Metrics, ThreadsLoseNothing) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 5000;
  const Counter counter(std::make_shared<CounterCell>());
  const Gauge gauge(std::make_shared<GaugeCell>());
  const Histogram histogram(std::make_shared<HistogramCell>(std::vector<double>{1, 2, 3}));
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < kRounds; ++i) {
          counter.Increment();
          gauge.Add(0.5);
          histogram.Observe(t);
        }
      });
    }
  }
  EXPECT_EQ(counter.Value(), uint64_t{kThreads * kRounds});
  EXPECT_EQ(gauge.Value(), 0.5 * kThreads * kRounds);
  EXPECT_EQ(histogram.Count(), uint64_t{kThreads * kRounds});
  EXPECT_EQ(histogram.Sum(), (0 + 1 + 2 + 3) * kRounds);
}

// The values are client_golang's.
TEST(Buckets, Buckets_OfEachKind_AreThoseOfClientGolang) {
  EXPECT_THAT(DefaultBuckets(), ElementsAre(.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10));
  EXPECT_THAT(LinearBuckets(-15, 5, 6), ElementsAre(-15, -10, -5, 0, 5, 10));
  EXPECT_THAT(LinearBuckets(0.1, 0.1, 3), ElementsAre(0.1, 0.2, 0.30000000000000004));
  EXPECT_THAT(ExponentialBuckets(100, 1.2, 3), ElementsAre(100, 120, 144));
  EXPECT_THAT(ExponentialBuckets(0.001, 2, 4), ElementsAre(0.001, 0.002, 0.004, 0.008));
  EXPECT_THAT(
      ExponentialBucketsRange(1, 100, 10),
      Pointwise(DoubleNear(1e-9), {1.0, 1.6681005372000588, 2.782559402207125, 4.641588833612779,
                                   7.742636826811273, 12.915496650148842, 21.544346900318846,
                                   35.93813663804629, 59.94842503189424, 100.00000000000007}));
}

TEST(BucketsDeathTest, Buckets_InvalidArguments_FailACheck) {
  EXPECT_DEATH(LinearBuckets(1, 1, 0), "check failed: count >= 1");
  EXPECT_DEATH(LinearBuckets(1, 0, 1), "check failed: width > 0");
  EXPECT_DEATH(ExponentialBuckets(0, 2, 1), "check failed: start > 0");
  EXPECT_DEATH(ExponentialBuckets(1, 1, 1), "check failed: factor > 1");
  EXPECT_DEATH(ExponentialBucketsRange(1, 2, 1), "check failed: count >= 2");
  EXPECT_DEATH(ExponentialBucketsRange(2, 2, 2), "check failed: max > min");
}

}  // namespace
}  // namespace kube::base
