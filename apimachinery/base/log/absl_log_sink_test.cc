#include "apimachinery/base/log/absl_log_sink.h"

#include "gtest/gtest.h"

#if __has_include("absl/log/log.h")

#include <memory>
#include <string>
#include <vector>

#include "absl/base/log_severity.h"
#include "absl/log/log_entry.h"
#include "absl/log/log_sink.h"
#include "absl/log/log_sink_registry.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "gmock/gmock.h"

namespace kube::log {
namespace {

using testing::ElementsAre;

class Collector : public absl::LogSink {
 public:
  Collector() { absl::AddLogSink(this); }
  ~Collector() override { absl::RemoveLogSink(this); }
  void Send(const absl::LogEntry& entry) override {
    lines.push_back(absl::StrCat(absl::LogSeverityName(entry.log_severity()), " v",
                                 entry.verbosity(), " ", entry.source_basename(), ":",
                                 entry.source_line(), " ", entry.text_message()));
    times.push_back(entry.timestamp());
  }
  std::vector<std::string> lines;
  std::vector<absl::Time> times;
};

TEST(AbslLogSink, KeepsSeverityTimePlaceAndVerbosity) {
  base::FakeClock clock;
  base::RuntimeScope scope(clock);
  Collector collector;
  kube::log::SetSink(std::make_shared<kube::log::AbslLogSink>());
  SetVerbosity(4);
  const int line = __LINE__ + 1;
  Info("a \"b\"", {{"n", 1}});
  Warning("c");
  Error(absl::InternalError("no"), "d");
  KUBE_VLOG(4, "e");
  SetVerbosity(0);
  SetSink(nullptr);
  const auto at = [](int offset) {
    return absl::StrCat(" absl_log_sink_test.cc:", line + offset, " ");
  };
  EXPECT_THAT(collector.lines,
              ElementsAre(absl::StrCat("INFO v0", at(0), R"("a \"b\"" n=1)"),
                          absl::StrCat("WARNING v0", at(1), R"("c")"),
                          absl::StrCat("ERROR v0", at(2), R"("d" err="INTERNAL: no")"),
                          absl::StrCat("INFO v4", at(3), R"("e")")));
  EXPECT_THAT(collector.times, testing::Each(clock.WallNow()));
}

}  // namespace
}  // namespace kube::log

#else

#include <iostream>

TEST(AbslLogSink, NeedsAbslLog) {
  std::cout << "SKIPPED: this Abseil has no absl/log\n";
  GTEST_SKIP();
}

#endif
