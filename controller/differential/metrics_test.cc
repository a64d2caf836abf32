// The metrics of a controller and of its queue, ours and controller-runtime's: dashboards and
// alerts look for their names, types, labels and buckets.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apiserver/handler.h"
#include "clientset/rest/client.h"
#include "controller/cache/cache.h"
#include "controller/reconcile/controller_host.h"
#include "controller/reconcile/key_controller.h"
#include "controller/reconcile/request.h"
#include "controller/reconcile/testing/run_controller.h"
#include "envtest/in_process_transport.h"
#include "gtest/gtest.h"
#include "tests/oracle/go_cases.h"
#include "tests/oracle/oracle.h"

namespace kube::controller {
namespace {

// Returns the metrics of the controller "website" after it has reconciled one key.
std::string Render() {
  const auto registry = std::make_shared<base::PrometheusRegistry>();
  const log::LogCapture quiet;
  base::SimRuntime sim;
  EXPECT_THAT(sim.Run([&registry] {
    apiserver::ApiHandler server;
    Cache cache(*rest::MakeClient(envtest::InProcessConfig(server)));
    KeyController<std::string> websites(
        ControllerHost{.name = "test", .cache = &cache, .metrics = registry}, {.name = "website"});
    websites.Reconciles([](KeyRequest<std::string>&) { return absl::OkStatus(); });
    const RunController running(websites.managed());
    websites.Enqueue("object");
    EXPECT_THAT(base::SleepFor(Context(), absl::Seconds(1)), base::IsOk());
  }),
              base::IsOk());
  return registry->Render();
}

// Returns a line without the value of its sample, if it has one.
std::string WithoutValue(const std::string& line) {
  return absl::StartsWith(line, "#") ? line : line.substr(0, line.rfind(' '));
}

// Returns the line of a sample with its labels in alphabetical order: their order has no meaning.
std::string WithSortedLabels(const std::string& line) {
  const size_t begin = line.find('{');
  if (absl::StartsWith(line, "#") || begin == std::string::npos) return line;
  const size_t end = line.rfind('}');
  std::vector<std::string> labels =
      absl::StrSplit(absl::string_view(line).substr(begin + 1, end - begin - 1), ',');
  std::sort(labels.begin(), labels.end());
  return absl::StrCat(line.substr(0, begin), "{", absl::StrJoin(labels, ","), "}");
}

// Returns the lines that are compared, sorted.
std::string Comparable(const std::vector<std::string>& lines) {
  std::vector<std::string> compared;
  for (const std::string& line : lines) {
    absl::string_view name = line;
    // The help of this metric names functions, which are called otherwise here.
    if (absl::StartsWith(name, "# HELP workqueue_retries_total ")) continue;
    if (!absl::ConsumePrefix(&name, "# HELP ")) absl::ConsumePrefix(&name, "# TYPE ");
    if (absl::StartsWith(name, "controller_runtime_") || absl::StartsWith(name, "workqueue_")) {
      compared.push_back(WithSortedLabels(line));
    }
  }
  std::sort(compared.begin(), compared.end());
  return absl::StrJoin(compared, "\n");
}

// behaviour.md: CTRL-29, CTRL-30
TEST(MetricsDifferentialTest, Families_AreControllerRuntimes) {
  const std::vector<oracle::GoQuestion> questions = {{.function = "families", .text = "website"}};
  const absl::StatusOr<std::vector<std::string>> answers =
      oracle::AskGo("@controller_oracles//:controller_runtime_oracle", questions);
  if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_THAT(answers, base::IsOk());
  std::vector<std::string> ours = absl::StrSplit(Render(), '\n');
  for (std::string& line : ours) line = WithoutValue(line);
  const std::string theirs = Comparable(absl::StrSplit(answers->front(), '\n'));
  EXPECT_TRUE(absl::StrContains(theirs, "controller_runtime_reconcile_time_seconds_bucket"))
      << theirs;
  EXPECT_TRUE(absl::StrContains(theirs, "workqueue_depth{")) << theirs;
  EXPECT_EQ(Comparable(ours), theirs);
}

}  // namespace
}  // namespace kube::controller
