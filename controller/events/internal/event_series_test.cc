#include "controller/events/internal/event_series.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "controller/events/internal/clock_reading.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::events::internal {
namespace {

namespace eventsv1 = api::events::v1;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr absl::Duration kQuiet = absl::Minutes(6);

ClockReading At(absl::Duration since_start) {
  return {.wall = absl::FromUnixSeconds(1'700'000'000) + since_start,
          .monotonic = base::MonotonicTime(since_start)};
}

eventsv1::Event MakeEvent() {
  return {.metadata = {.name = "e", .namespace_ = "prod"},
          .reporting_controller = "c",
          .reporting_instance = "c-0",
          .action = "Restart",
          .reason = "Crashed",
          .regarding = {.kind = "Pod", .name = "web-0", .resource_version = "1"},
          .note = "first",
          .type = "Warning"};
}

// What is written, as "e 2": the name and the count.
class Written {
 public:
  auto Taking(bool done = true) {
    return [this, done](const eventsv1::Event& event) {
      texts_.push_back(absl::StrCat(event.metadata.name.view(), " ",
                                    event.series != nullptr ? event.series->count : 1));
      return done;
    };
  }
  std::vector<std::string> Take() { return std::exchange(texts_, {}); }

 private:
  std::vector<std::string> texts_;
};

// behaviour.md: EV-5
TEST(EventSeries, Observe_RepeatedEvent_CountsAndWritesTheSecondOne) {
  EventSeries series(10);
  const auto first = series.Observe(MakeEvent(), At(absl::ZeroDuration()));
  ASSERT_TRUE(first.write.has_value());
  EXPECT_EQ(*first.write, MakeEvent());

  eventsv1::Event again = MakeEvent();
  again.metadata.name = "e2";
  again.note = "second";
  const auto second = series.Observe(again, At(absl::Seconds(1)));
  ASSERT_TRUE(second.write.has_value());
  EXPECT_EQ(second.write->metadata.name, "e") << "the first one is patched";
  EXPECT_EQ(second.write->note, "first");
  EXPECT_EQ(second.write->series->count, 2);
  EXPECT_THAT(PatchOfSeries(*second.write),
              base::IsOkAndHolds(R"({"series":{"count":2,"lastObservedTime":)"
                                 R"("2023-11-14T22:13:21.000000Z"}})"));
  EXPECT_FALSE(series.Observe(again, At(absl::Seconds(2))).write.has_value());
  EXPECT_EQ(series.size(), 1u);
}

struct Difference {
  const char* name;
  void (*make)(eventsv1::Event&);
  bool is_another;
};

// behaviour.md: EV-5
TEST(EventSeries, Observe_OnlyNameOrNoteDiffers_IsTheSameSeries) {
  const std::vector<Difference> differences = {
      {"nothing", [](eventsv1::Event&) {}, false},
      {"name", [](eventsv1::Event& e) { e.metadata.name = "x"; }, false},
      {"note", [](eventsv1::Event& e) { e.note = "x"; }, false},
      {"type", [](eventsv1::Event& e) { e.type = "Normal"; }, true},
      {"action", [](eventsv1::Event& e) { e.action = "x"; }, true},
      {"reason", [](eventsv1::Event& e) { e.reason = "x"; }, true},
      {"controller", [](eventsv1::Event& e) { e.reporting_controller = "x"; }, true},
      {"instance", [](eventsv1::Event& e) { e.reporting_instance = "x"; }, true},
      {"object", [](eventsv1::Event& e) { e.regarding.name = "x"; }, true},
      {"version", [](eventsv1::Event& e) { e.regarding.resource_version = "2"; }, true},
      {"field path", [](eventsv1::Event& e) { e.regarding.field_path = "spec"; }, true},
      {"related", [](eventsv1::Event& e) { e.related.emplace().name = "x"; }, true},
      {"empty related", [](eventsv1::Event& e) { e.related.emplace(); }, false},
  };
  for (const Difference& difference : differences) {
    SCOPED_TRACE(difference.name);
    EventSeries series(10);
    series.Observe(MakeEvent(), At(absl::ZeroDuration()));
    eventsv1::Event other = MakeEvent();
    difference.make(other);
    series.Observe(other, At(absl::ZeroDuration()));
    EXPECT_EQ(series.size(), difference.is_another ? 2u : 1u);
  }
}

TEST(EventSeries, ForgetsSingleEventsThatWereQuiet) {
  EventSeries series(10);
  Written written;
  series.Observe(MakeEvent(), At(absl::ZeroDuration()));
  series.Finish(At(kQuiet).monotonic, kQuiet, written.Taking());
  EXPECT_EQ(series.size(), 1u) << "not longer than that";
  series.Finish(At(kQuiet + absl::Nanoseconds(1)).monotonic, kQuiet, written.Taking());
  EXPECT_EQ(series.size(), 0u);
  EXPECT_THAT(written.Take(), IsEmpty());
}

TEST(EventSeries, WritesTheLastCountOfSeriesThatWereQuiet) {
  EventSeries series(10);
  Written written;
  for (int i = 0; i < 5; ++i) series.Observe(MakeEvent(), At(absl::Seconds(i)));
  const base::MonotonicTime late = At(absl::Minutes(7)).monotonic;
  series.Finish(late, kQuiet, written.Taking(false));
  EXPECT_EQ(series.size(), 1u) << "it could not be written";
  series.Finish(late, kQuiet, written.Taking());
  EXPECT_EQ(series.size(), 0u);
  EXPECT_THAT(written.Take(), ElementsAre("e 5", "e 5"));
}

TEST(EventSeries, RefreshWritesSeriesAlone) {
  EventSeries series(10);
  Written written;
  eventsv1::Event single = MakeEvent();
  single.action = "Other";
  single.metadata.name = "single";
  series.Observe(single, At(absl::ZeroDuration()));
  for (int i = 0; i < 2; ++i) series.Observe(MakeEvent(), At(absl::Seconds(i)));
  series.Refresh(written.Taking());
  series.Refresh(written.Taking());
  EXPECT_THAT(written.Take(), ElementsAre("e 2", "e 2")) << "also if nothing has changed";
  EXPECT_EQ(series.size(), 2u);
}

TEST(EventSeries, FlushWritesCountsThatWereNot) {
  EventSeries series(10);
  Written written;
  for (int i = 0; i < 2; ++i) series.Observe(MakeEvent(), At(absl::Seconds(i)));
  series.Flush(written.Taking());
  EXPECT_THAT(written.Take(), IsEmpty()) << "the 2 was written";
  series.Observe(MakeEvent(), At(absl::Seconds(3)));
  series.Flush(written.Taking(false));
  series.Flush(written.Taking());
  series.Flush(written.Taking());
  EXPECT_THAT(written.Take(), ElementsAre("e 3", "e 3"));
}

TEST(EventSeries, Observe_MoreThanTheBound_ForgetsTheOldestSeries) {
  EventSeries series(2);
  const auto named = [](const char* reason) {
    eventsv1::Event event = MakeEvent();
    event.metadata.name = reason;
    event.reason = reason;
    return event;
  };
  for (int i = 0; i < 3; ++i) series.Observe(named("a"), At(absl::Seconds(i)));
  series.Observe(named("b"), At(absl::Seconds(4)));
  const auto third = series.Observe(named("c"), At(absl::Seconds(5)));
  ASSERT_TRUE(third.forgotten.has_value());
  EXPECT_EQ(third.forgotten->metadata.name, "a");
  EXPECT_EQ(third.forgotten->series->count, 3);
  EXPECT_FALSE(series.Observe(named("d"), At(absl::Seconds(6))).forgotten.has_value())
      << "b has no count to be written";
  EXPECT_EQ(series.size(), 2u);
}

}  // namespace
}  // namespace kube::events::internal
