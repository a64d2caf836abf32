#include "apimachinery/base/prometheus.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/metric_members.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::base {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Prometheus, NothingIsRenderedWithoutSamples) {
  PrometheusRegistry registry;
  EXPECT_EQ(registry.Render(), "");
  EXPECT_THAT(registry.MakeCounter({.name = "requests_total", .label_names = {"code"}}), IsOk());
  EXPECT_EQ(registry.Render(), "");
}

TEST(Prometheus, RendersWhatWasCounted_AsInTheHeader) {
  const auto metrics = std::make_shared<PrometheusRegistry>();
  const Counter restarts = NewCounter(*metrics, {.name = "restarts_total", .help = "Restarts."});
  restarts.Increment();
  const std::string page = metrics->Render();  // of the type PrometheusRegistry::kContentType
  EXPECT_EQ(page, R"(# HELP restarts_total Restarts.
# TYPE restarts_total counter
restarts_total 1
)");
}

TEST(Prometheus, RendersSortedByNameAndLabelValues) {
  PrometheusRegistry registry;
  registry.MakeGauge({.name = "zeta"})->WithLabelValues({}).Set(-1.5);
  const CounterVec requests = *registry.MakeCounter({.name = "requests_total",
                                                     .help = "Requests by \"code\"\\n\nand method.",
                                                     .label_names = {"method", "code"}});
  requests.WithLabelValues({"PUT", "200"}).Increment(3);
  requests.WithLabelValues({"GET", "404"});
  requests.WithLabelValues({"GET", "200"}).Increment(std::numeric_limits<uint64_t>::max());
  const Histogram seconds =
      registry
          .MakeHistogram({.name = "took_seconds", .help = "Time.", .buckets = {0.5, 1e6, kInf}})
          ->WithLabelValues({});
  seconds.Observe(0.25);
  seconds.Observe(2);
  seconds.Observe(2e6);
  EXPECT_EQ(registry.Render(), R"(# HELP requests_total Requests by "code"\\n\nand method.
# TYPE requests_total counter
requests_total{method="GET",code="200"} 18446744073709551615
requests_total{method="GET",code="404"} 0
requests_total{method="PUT",code="200"} 3
# HELP took_seconds Time.
# TYPE took_seconds histogram
took_seconds_bucket{le="0.5"} 1
took_seconds_bucket{le="1e+06"} 2
took_seconds_bucket{le="+Inf"} 3
took_seconds_sum 2.00000225e+06
took_seconds_count 3
# TYPE zeta gauge
zeta -1.5
)");
}

TEST(Prometheus, EscapesLabelValuesAndReplacesInvalidUtf8) {
  PrometheusRegistry registry;
  const GaugeVec gauges =
      *registry.MakeGauge({.name = "g", .help = "h\xff", .label_names = {"a", "b"}});
  gauges.WithLabelValues({"x\\y \"z\"\n", "caf\u00e9 \xff"}).Set(std::nan(""));
  gauges.WithLabelValues({"{},=", ""}).Set(-kInf);
  EXPECT_EQ(registry.Render(),
            "# HELP g h\ufffd\n"
            "# TYPE g gauge\n"
            "g{a=\"x\\\\y \\\"z\\\"\\n\",b=\"caf\u00e9 \ufffd\"} NaN\n"
            "g{a=\"{},=\",b=\"\"} -Inf\n");
}

TEST(Prometheus, TheSameOptionsGiveTheSameCells) {
  PrometheusRegistry registry;
  const HistogramOptions options = {.name = "h", .help = "x", .label_names = {"a"}};
  HistogramOptions with_infinity = options;
  with_infinity.buckets = DefaultBuckets();
  with_infinity.buckets.push_back(kInf);
  registry.MakeHistogram(options)->WithLabelValues({"1"}).Observe(1);
  registry.MakeHistogram(with_infinity)->WithLabelValues({"1"}).Observe(2);
  EXPECT_EQ(registry.MakeHistogram(options)->WithLabelValues({"1"}).Count(), 2u);
  EXPECT_EQ(registry.MakeHistogram(options)->WithLabelValues({"2"}).Count(), 0u);
}

TEST(Prometheus, RefusesTheSameNameWithOtherOptions) {
  PrometheusRegistry registry;
  const HistogramOptions made = {.name = "h", .help = "x", .label_names = {"a"}, .buckets = {1}};
  ASSERT_THAT(registry.MakeHistogram(made), IsOk());
  const auto differs = [](const auto& result) {
    EXPECT_THAT(result, StatusIs(absl::StatusCode::kAlreadyExists,
                                 "make metric \"h\": already registered with a different type, "
                                 "help, labels or buckets"));
  };
  HistogramOptions other = made;
  other.help = "y";
  differs(registry.MakeHistogram(other));
  other = made;
  other.label_names = {"b"};
  differs(registry.MakeHistogram(other));
  other = made;
  other.buckets = {2};
  differs(registry.MakeHistogram(other));
  differs(registry.MakeGauge({.name = "h", .help = "x", .label_names = {"a"}}));
}

TEST(Prometheus, RefusesTheNamesOfAHistogramsSamples) {
  PrometheusRegistry registry;
  ASSERT_THAT(registry.MakeHistogram({.name = "h"}), IsOk());
  EXPECT_THAT(registry.MakeCounter({.name = "h_count"}),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       "make metric \"h_count\": sample \"h_count\" belongs to metric \"h\""));
  ASSERT_THAT(registry.MakeCounter({.name = "i_sum"}), IsOk());
  EXPECT_THAT(registry.MakeHistogram({.name = "i"}),
              StatusIs(absl::StatusCode::kAlreadyExists,
                       "make metric \"i\": sample \"i_sum\" belongs to metric \"i_sum\""));
  EXPECT_THAT(registry.MakeCounter({.name = "i"}), IsOk()) << "the refused one left nothing behind";
}

TEST(Prometheus, RefusesBadOptions) {
  const char kBadName[] = "name must match [a-zA-Z_:][a-zA-Z0-9_:]*";
  const char kBadBuckets[] = "bucket bounds must be finite and strictly increasing";
  const struct {
    const char* name;
    HistogramOptions options;
    std::string want;
  } kRows[] = {
      {"empty name", {.name = ""}, kBadName},
      {"digit first", {.name = "2xx"}, kBadName},
      {"blank in name", {.name = "a b"}, kBadName},
      {"line feed in name", {.name = "a\nb 1"}, kBadName},
      {"not ASCII", {.name = "caf\u00e9"}, kBadName},
      {"empty label",
       {.name = "h", .label_names = {""}},
       R"(label "" must match [a-zA-Z_][a-zA-Z0-9_]*)"},
      {"colon in label",
       {.name = "h", .label_names = {"a:b"}},
       R"(label "a:b" must match [a-zA-Z_][a-zA-Z0-9_]*)"},
      {"reserved label", {.name = "h", .label_names = {"__a"}}, R"(label "__a" is reserved)"},
      {"label of buckets",
       {.name = "h", .label_names = {"le"}},
       R"(label "le" is not allowed as label name in histograms)"},
      {"label twice", {.name = "h", .label_names = {"a", "b", "a"}}, R"(label "a" appears twice)"},
      {"buckets fall", {.name = "h", .buckets = {1, 0.5}}, kBadBuckets},
      {"buckets repeat", {.name = "h", .buckets = {1, 1}}, kBadBuckets},
      {"bucket not a number", {.name = "h", .buckets = {std::nan("")}}, kBadBuckets},
      {"infinite bucket inside", {.name = "h", .buckets = {1, kInf, kInf}}, kBadBuckets},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    PrometheusRegistry registry;
    EXPECT_THAT(registry.MakeHistogram(row.options),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         absl::StrCat("make metric \"", row.options.name, "\": ", row.want)));
  }
  PrometheusRegistry registry;
  EXPECT_THAT(registry.MakeCounter({.name = "a:b_C9", .label_names = {"le", "_x9"}}), IsOk());
}

TEST(Prometheus, BoundsTheLabelSetsAndCountsTheRest) {
  PrometheusRegistry registry({.max_label_sets = 2});
  const CounterVec counters = *registry.MakeCounter({.name = "c", .label_names = {"pod"}});
  for (const char* pod : {"a", "b", "c", "d", "c", "a"}) {
    counters.WithLabelValues({pod}).Increment();
  }
  EXPECT_EQ(registry.Render(),
            "# TYPE c counter\n"
            "c{pod=\"a\"} 2\n"
            "c{pod=\"b\"} 1\n"
            "# HELP client_metrics_dropped_label_sets_total Number of label value combinations "
            "dropped because the metric has too many.\n"
            "# TYPE client_metrics_dropped_label_sets_total counter\n"
            "client_metrics_dropped_label_sets_total{metric=\"c\"} 3\n");
}

TEST(Prometheus, ALimitOfZeroStillCounts) {
  PrometheusRegistry registry({.max_label_sets = 0});
  registry.MakeGauge({.name = "g"})->WithLabelValues({}).Set(1);
  EXPECT_THAT(registry.Render(),
              AllOf(StartsWith("# HELP client_metrics_dropped_label_sets_total"),
                    EndsWith("client_metrics_dropped_label_sets_total{metric=\"g\"} 1\n")));
}

TEST(PrometheusDeathTest, AnotherNumberOfLabelValuesIsABug) {
  PrometheusRegistry registry;
  const CounterVec counters = *registry.MakeCounter({.name = "c", .label_names = {"a", "b"}});
  EXPECT_DEATH(counters.WithLabelValues({"1"}), R"(\(1 vs\. 2\) label values of metric c)");
}

TEST(Prometheus, HandlesOutliveTheRegistry) {
  auto registry = std::make_unique<PrometheusRegistry>();
  const CounterVec counters = *registry->MakeCounter({.name = "c", .label_names = {"a"}});
  const Counter counter = counters.WithLabelValues({"1"});
  registry.reset();
  counter.Increment();
  EXPECT_EQ(counters.WithLabelValues({"1"}).Value(), 1u);
}

TEST(Prometheus, ThreadsMakeCountAndRender) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 300;
  PrometheusRegistry registry({.max_label_sets = 5});
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&registry] {
        for (int i = 0; i < kRounds; ++i) {
          registry.MakeCounter({.name = "c", .label_names = {"i"}})
              ->WithLabelValues({absl::StrCat(i % 6)})
              .Increment();
          registry.MakeHistogram({.name = "h"})->WithLabelValues({}).Observe(i);
          if (i % 50 == 0) {
            EXPECT_THAT(registry.Render(), HasSubstr("h_count"));
          }
        }
      });
    }
  }
  const CounterVec counters = *registry.MakeCounter({.name = "c", .label_names = {"i"}});
  uint64_t total = 0;
  for (int i = 0; i < 6; ++i) total += counters.WithLabelValues({absl::StrCat(i)}).Value();
  // One value in six was dropped, no matter which.
  EXPECT_EQ(total, uint64_t{kThreads * kRounds / 6 * 5});
  EXPECT_THAT(registry.Render(), AllOf(HasSubstr(absl::StrCat("h_count ", kThreads * kRounds)),
                                       HasSubstr("{metric=\"c\"} 201\n")));
}

}  // namespace
}  // namespace kube::base
