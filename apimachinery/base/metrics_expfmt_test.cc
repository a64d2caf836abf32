// Prometheus' own parser reads what PrometheusRegistry writes.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/metrics.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/text/go_text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::base {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// The parser's understanding of a text: one JSON object a line, by family.
class MetricsExpfmt : public testing::Test {
 protected:
  void SetUp() override {
    program_ = oracle::FindData("oracles", "expfmt_check");
    if (oracle::PrintSkipped(program_.status())) GTEST_SKIP();
    ASSERT_THAT(program_, IsOk());
  }

  absl::StatusOr<std::string> Parse(const PrometheusRegistry& registry) {
    return oracle::RunProgram(*program_, {.input = registry.Render()});
  }

 private:
  absl::StatusOr<std::string> program_;
};

std::string Json(absl::string_view text) {
  std::string out;
  text::AppendJsonString(out, text);
  return out;
}

TEST_F(MetricsExpfmt, Render_EmptyRegistry_IsEmpty) {
  PrometheusRegistry registry;
  EXPECT_THAT(Parse(registry), IsOkAndHolds(""));
}

TEST_F(MetricsExpfmt, EveryTypeWithAndWithoutLabels) {
  PrometheusRegistry registry;
  registry.MakeCounter({.name = "plain_total"})->WithLabelValues({}).Increment(7);
  registry.MakeGauge({.name = "depth", .help = "Depth.", .label_names = {"queue", "az"}})
      ->WithLabelValues({"b", "x"})
      .Set(-2.5);
  const HistogramVec histograms = *registry.MakeHistogram(
      {.name = "took_seconds", .label_names = {"verb"}, .buckets = {0.001, 1, 1e6}});
  for (const double seconds : {0.0005, 0.5, 0.75, 5.0, 1e7}) {
    histograms.WithLabelValues({"GET"}).Observe(seconds);
  }
  histograms.WithLabelValues({"PUT"});
  EXPECT_THAT(
      Parse(registry),
      IsOkAndHolds(R"({"name":"depth","type":"GAUGE","help":"Depth.","samples":[)"
                   R"({"labels":[["az","x"],["queue","b"]],"value":"-2.5"}]})"
                   "\n"
                   R"({"name":"plain_total","type":"COUNTER","help":"","samples":[)"
                   R"({"labels":[],"value":"7"}]})"
                   "\n"
                   R"({"name":"took_seconds","type":"HISTOGRAM","help":"","samples":[)"
                   R"({"labels":[["verb","GET"]],"sum":"1.00000062505e+07","count":"5","buckets":)"
                   R"([["0.001","1"],["1","3"],["1e+06","4"],["+Inf","5"]]},)"
                   R"({"labels":[["verb","PUT"]],"sum":"0","count":"0","buckets":)"
                   R"([["0.001","0"],["1","0"],["1e+06","0"],["+Inf","0"]]}]})"
                   "\n"));
}

TEST_F(MetricsExpfmt, Render_LabelValuesAndHelpToEscape_ParseAsTheSame) {
  const std::vector<std::string> texts = {
      "",
      " leading and trailing ",
      "quote \" and \"\"",
      "back\\slash \\\\ \\n \\\"",
      "line\nfeed\n",
      "\n",
      "\\",
      "\"",
      "tab\tand\rreturn",
      std::string("nul\0", 4),
      "{a=\"b\"} 1 # HELP",
      "caf\u00e9 \u4e16\u754c \U0001F600",
      "\ufffd",
      std::string(100000, 'x'),
  };
  for (const std::string& text : texts) {
    SCOPED_TRACE(text.substr(0, 100));
    PrometheusRegistry registry;
    registry
        .MakeGauge({.name = "g", .help = absl::StrCat("Help: ", text, "."), .label_names = {"l"}})
        ->WithLabelValues({text})
        .Set(1);
    EXPECT_THAT(
        Parse(registry),
        IsOkAndHolds(absl::StrCat(
            R"({"name":"g","type":"GAUGE","help":)", Json(absl::StrCat("Help: ", text, ".")),
            R"(,"samples":[{"labels":[["l",)", Json(text), R"(]],"value":"1"}]})", "\n")));
  }
}

TEST_F(MetricsExpfmt, WhatIsNotUtf8IsReplaced) {
  PrometheusRegistry registry;
  registry.MakeGauge({.name = "g", .help = "\xff!", .label_names = {"l"}})
      ->WithLabelValues({"a\xc3("})
      .Set(1);
  EXPECT_THAT(Parse(registry),
              IsOkAndHolds("{\"name\":\"g\",\"type\":\"GAUGE\",\"help\":\"\ufffd!\","
                           "\"samples\":[{\"labels\":[[\"l\",\"a\ufffd(\"]],"
                           "\"value\":\"1\"}]}\n"));
}

TEST_F(MetricsExpfmt, Render_NumbersAtTheLimits_ParseAsTheSame) {
  for (const double value :
       {0.0, -0.0, 0.1, 1e21, 1.0 / 3, -1e-7, std::numeric_limits<double>::max(),
        std::numeric_limits<double>::denorm_min(), kInf, -kInf, std::nan("")}) {
    SCOPED_TRACE(value);
    PrometheusRegistry registry;
    registry.MakeGauge({.name = "g"})->WithLabelValues({}).Set(value);
    registry.MakeHistogram({.name = "h", .buckets = {1}})->WithLabelValues({}).Observe(value);
    const std::string number = text::FormatGeneral(value);
    const std::string sum = text::FormatGeneral(0.0 + value);
    EXPECT_THAT(Parse(registry),
                IsOkAndHolds(absl::StrCat(
                    R"({"name":"g","type":"GAUGE","help":"","samples":[{"labels":[],"value":")",
                    number, "\"}]}\n",
                    R"({"name":"h","type":"HISTOGRAM","help":"","samples":[{"labels":[],"sum":")",
                    sum, R"(","count":"1","buckets":[["1",")", value <= 1 ? 1 : 0,
                    R"("],["+Inf","1"]]}]})", "\n")));
  }
}

TEST_F(MetricsExpfmt, Render_CounterAtUint64Max_ParsesAsDouble) {
  PrometheusRegistry registry;
  registry.MakeCounter({.name = "c_total"})
      ->WithLabelValues({})
      .Increment(std::numeric_limits<uint64_t>::max());
  EXPECT_THAT(Parse(registry), IsOkAndHolds(R"({"name":"c_total","type":"COUNTER","help":"",)"
                                            R"("samples":[{"labels":[],)"
                                            R"("value":"1.8446744073709552e+19"}]})"
                                            "\n"));
}

TEST_F(MetricsExpfmt, Render_LongNamesAndManySamples_ParseAsTheSame) {
  const std::string name = absl::StrCat("_:", std::string(500, 'n'), "9");
  const std::string label = absl::StrCat("_", std::string(500, 'l'), "9");
  PrometheusRegistry registry;
  const CounterVec counters = *registry.MakeCounter({.name = name, .label_names = {label}});
  std::string samples;
  for (int i = 100; i < 600; ++i) {
    counters.WithLabelValues({absl::StrCat(i)}).Increment(i);
    absl::StrAppend(&samples, i == 100 ? "" : ",", R"({"labels":[[")", label, R"(",")", i,
                    R"("]],"value":")", i, R"("})");
  }
  EXPECT_THAT(
      Parse(registry),
      IsOkAndHolds(absl::StrCat(R"({"name":")", name, R"(","type":"COUNTER","help":"","samples":[)",
                                samples, "]}\n")));
}

}  // namespace
}  // namespace kube::base
