#include "controller/events/record/internal/event_correlator.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "controller/events/internal/clock_reading.h"
#include "controller/events/record/correlator_options.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::record::internal {
namespace {

namespace corev1 = api::core::v1;
using testing::HasSubstr;

// Plays a recorder and a server that stores what it is told.
class Correlation {
 public:
  explicit Correlation(const CorrelatorOptions& options = {}) : correlator_(options) {}

  void Advance(absl::Duration step) { since_start_ += step; }

  static corev1::Event MakeEvent(absl::string_view message, absl::string_view name = "web-0") {
    corev1::Event event;
    event.metadata.name = absl::StrCat(name, ".", message);
    event.metadata.namespace_ = "prod";
    event.involved_object = {.kind = "Pod", .namespace_ = "prod", .name = name};
    event.source.component = "c";
    event.type = "Normal";
    event.reason = "Started";
    event.message = message;
    event.count = 1;
    event.reporting_component = "c";
    return event;
  }

  // "create message", "patch 3 message" or "skip".
  std::string Record(const corev1::Event& event) {
    const absl::StatusOr<CorrelatedEvent> result =
        correlator_.Correlate(event, {.wall = absl::FromUnixSeconds(1'700'000'000) + since_start_,
                                      .monotonic = base::MonotonicTime(since_start_)});
    if (!result.ok()) return std::string(result.status().message());
    if (result->skip) return "skip";
    last_ = *result;
    corev1::Event stored = result->event;
    stored.metadata.resource_version = absl::StrCat(++version_);
    correlator_.UpdateState(stored);
    const std::string message(result->event.message.view());
    if (result->event.count == 1) return absl::StrCat("create ", message);
    return absl::StrFormat("patch %d %s", result->event.count, message);
  }
  std::string Record(absl::string_view message) { return Record(MakeEvent(message)); }

  const CorrelatedEvent& last() const { return last_; }

 private:
  EventCorrelator correlator_;
  absl::Duration since_start_ = absl::Hours(1);
  int version_ = 0;
  CorrelatedEvent last_;
};

// behaviour.md: EV-4
TEST(EventCorrelator, Correlate_EqualEvents_PatchTheCountOfTheFirst) {
  Correlation events;
  EXPECT_EQ(events.Record("a"), "create a");
  EXPECT_EQ(events.last().patch, "");
  corev1::Event again = Correlation::MakeEvent("a");
  again.metadata.name = "another";
  again.last_timestamp = absl::FromUnixSeconds(1'700'000'100);
  EXPECT_EQ(events.Record(again), "patch 2 a");
  EXPECT_EQ(events.last().event.metadata.name, "web-0.a");
  EXPECT_EQ(events.last().event.metadata.resource_version, "1") << "as the server has it";
  EXPECT_EQ(events.last().patch,
            R"({"count":2,"lastTimestamp":"2023-11-14T22:15:00Z","message":"a"})");
  EXPECT_EQ(events.Record("b"), "create b");
  EXPECT_EQ(events.Record("a"), "patch 3 a");
}

// behaviour.md: EV-2
TEST(EventCorrelator, Correlate_TenDifferentMessages_CombinesFromTheTenthOn) {
  Correlation events;
  for (int i = 1; i <= 9; ++i) {
    EXPECT_EQ(events.Record(absl::StrCat("m", i)), absl::StrCat("create m", i));
  }
  EXPECT_EQ(events.Record("m10"), "create (combined from similar events): m10");
  const corev1::Event combined = events.last().event;
  EXPECT_EQ(combined.metadata.name, "web-0.1797a04466e2a000");
  EXPECT_TRUE(combined.reporting_component.empty()) << "as upstream";
  EXPECT_EQ(events.Record("m11"), "patch 2 (combined from similar events): m11");
  EXPECT_EQ(events.last().event.metadata.name, combined.metadata.name);
  EXPECT_EQ(events.Record("m12"), "patch 3 (combined from similar events): m12");
  EXPECT_EQ(events.Record("m12"), "patch 4 (combined from similar events): m12");
  EXPECT_EQ(events.Record("m3"), "patch 2 m3") << "the first ones count on by themselves";
}

// behaviour.md: EV-2
TEST(EventCorrelator, Correlate_AfterTenQuietMinutes_BeginsAnew) {
  Correlation events;
  for (int i = 0; i < 9; ++i) events.Record(absl::StrCat("m", i));
  events.Advance(absl::Seconds(600));
  EXPECT_THAT(events.Record("m10"), HasSubstr("combined")) << "not longer than that";
  events.Advance(absl::Seconds(600) + absl::Nanoseconds(1));
  EXPECT_EQ(events.Record("m11"), "create m11");
}

// behaviour.md: EV-2
TEST(EventCorrelator, Correlate_ShorterPauses_NeverEndTheInterval) {
  Correlation events({.burst_size = 1000});
  for (int i = 0; i < 9; ++i) {
    events.Record(absl::StrCat("m", i));
    events.Advance(absl::Minutes(9));
  }
  EXPECT_THAT(events.Record("m10"), HasSubstr("combined"));
}

// behaviour.md: EV-3
TEST(EventCorrelator, Correlate_MoreThanTheBurst_SkipsButCounts) {
  Correlation events;
  EXPECT_EQ(events.Record("a"), "create a");
  for (int i = 2; i <= 25; ++i) EXPECT_EQ(events.Record("a"), absl::StrCat("patch ", i, " a"));
  for (int i = 26; i <= 30; ++i) EXPECT_EQ(events.Record("a"), "skip");
  EXPECT_EQ(events.Record("b"), "skip") << "of the same object and type";
  EXPECT_EQ(events.Record(Correlation::MakeEvent("a", "web-1")), "create a");
  corev1::Event warning = Correlation::MakeEvent("a");
  warning.type = "Warning";
  EXPECT_EQ(events.Record(warning), "create a");
  events.Advance(absl::Minutes(5));
  EXPECT_EQ(events.Record("a"), "patch 31 a") << "those that were skipped count";
  EXPECT_EQ(events.Record("a"), "skip");
}

// behaviour.md: EV-2
TEST(EventCorrelator, Correlate_FullCache_ForgetsTheOldestEvent) {
  Correlation events({.lru_cache_size = 2});
  events.Record("a");
  events.Record("b");
  events.Record("c");
  EXPECT_EQ(events.Record("a"), "create a");
  EXPECT_EQ(events.Record("c"), "patch 2 c");
}

TEST(EventCorrelator, OptionsReplaceTheRules) {
  Correlation events({
      .burst_size = 3,
      .max_events = 2,
      .key_func = [](const corev1::Event& event) -> AggregateKey {
        return {.group = "all", .local = std::string(event.message)};
      },
      .message_func = [](const corev1::Event&) -> std::string { return "many"; },
      .spam_key_func = [](const corev1::Event&) -> std::string { return "all"; },
  });
  EXPECT_EQ(events.Record(Correlation::MakeEvent("a", "x")), "create a");
  EXPECT_EQ(events.Record(Correlation::MakeEvent("b", "y")), "create many");
  EXPECT_EQ(events.Record(Correlation::MakeEvent("c", "z")), "patch 2 many");
  EXPECT_EQ(events.Record(Correlation::MakeEvent("d", "v")), "skip");
}

TEST(EventCorrelator, MaxEventsOfOneCombinesAll) {
  Correlation events({.max_events = 1});
  EXPECT_THAT(events.Record("a"), HasSubstr("create (combined"));
  EXPECT_THAT(events.Record("a"), HasSubstr("patch 2 (combined"));
}

}  // namespace
}  // namespace kube::record::internal
