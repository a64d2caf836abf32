#include "controller/events/event_broadcaster.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/core/v1/types.kube.h"
#include "api/events/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "clientset/kubernetes/events/v1/client.h"
#include "controller/events/event_object.h"
#include "controller/events/event_recorder.h"
#include "controller/events/event_sink.h"
#include "controller/events/testing/fake_event_sink.h"
#include "envtest/fake/clientset.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::events {
namespace {

namespace corev1 = api::core::v1;
namespace eventsv1 = api::events::v1;
using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using FakeSink = FakeEventSink<EventSink, eventsv1::Event>;

const absl::Status& Refused() {
  static const absl::Status refused(absl::UnavailableError("refused"));
  return refused;
}

const absl::Status& NotFound() {
  static const absl::Status error(errors::NotFound({"", "events"}, "e"));
  return error;
}

const absl::Status& AlreadyExists() {
  static const absl::Status error(errors::AlreadyExists({"", "events"}, "e"));
  return error;
}

corev1::Pod MakePod() { return {.metadata = {.name = "web-0", .namespace_ = "prod", .uid = "u"}}; }

void Sleep(absl::Duration duration) { base::SleepFor(Context(), duration).IgnoreError(); }

class EventBroadcasterTest : public testing::Test {
 protected:
  // Runs `body` in virtual time.
  void Simulate(absl::AnyInvocable<void()> body) {
    base::SimRuntime sim({.seed = 1});
    ASSERT_THAT(sim.Run(std::move(body)), IsOk());
  }

  // One that writes to sink_ and counts in registry_.
  std::unique_ptr<EventBroadcaster> Start(BroadcasterOptions options = {}) {
    options.metrics = registry_;
    auto broadcaster = std::make_unique<EventBroadcaster>(sink_, std::move(options));
    EXPECT_THAT(broadcaster->StartRecordingToSink(), IsOk());
    recorder_ =
        broadcaster->NewRecorder({corev1::Kinds()}, "example.com/c", {.reporting_instance = "c-0"});
    return broadcaster;
  }

  void Record(absl::string_view reason) {
    recorder_->Eventf(MakePod(), nullptr, kEventTypeNormal, reason, "Do", "note");
  }

  // "create a", "patch a 2": verb, reason, count.
  std::vector<std::string> Calls() const {
    std::vector<std::string> calls;
    for (const FakeSink::Call& call : sink_->Calls()) {
      calls.push_back(absl::StrCat(call.verb, " ", call.event.reason.view()));
      if (call.event.series != nullptr) {
        absl::StrAppend(&calls.back(), " ", call.event.series->count);
      }
    }
    return calls;
  }

  void ExpectDropped(absl::string_view reason, int count) const {
    EXPECT_THAT(registry_->Render(),
                HasSubstr(absl::StrCat("event_recorder_dropped_events_total{reason=\"", reason,
                                       "\"} ", count, "\n")));
  }

  const log::LogCapture log_;
  const std::shared_ptr<FakeSink> sink_ = std::make_shared<FakeSink>();
  const std::shared_ptr<base::PrometheusRegistry> registry_ =
      std::make_shared<base::PrometheusRegistry>();
  std::unique_ptr<EventRecorder> recorder_;
};

TEST_F(EventBroadcasterTest, Eventf_ObjectAndRelated_WritesTheEvent) {
  Simulate([&] {
    const auto broadcaster = Start();
    const absl::Time now = base::WallNow();
    recorder_->Eventf(MakePod(), corev1::Node{.metadata = {.name = "n1"}}, kEventTypeWarning,
                      "Failed", "Binding", "try %d", 3);
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    eventsv1::Event want;
    want.metadata = {.name = absl::StrCat("web-0.", absl::Hex(absl::ToUnixNanos(now))),
                     .namespace_ = "prod"};
    want.event_time = now;
    want.reporting_controller = "example.com/c";
    want.reporting_instance = "c-0";
    want.action = "Binding";
    want.reason = "Failed";
    want.regarding = {
        .kind = "Pod", .namespace_ = "prod", .name = "web-0", .uid = "u", .api_version = "v1"};
    want.related = corev1::ObjectReference{.kind = "Node", .name = "n1", .api_version = "v1"};
    want.note = "try 3";
    want.type = "Warning";
    ASSERT_EQ(sink_->Calls().size(), 1u);
    EXPECT_EQ(sink_->Calls()[0].event, want);
  });
}

TEST_F(EventBroadcasterTest, AnnotatedEventf_WritesTheAnnotations_OfTheFirstEventOfASeries) {
  Simulate([&] {
    const auto broadcaster = Start();
    for (const char* value : {"first", "second"}) {
      recorder_->AnnotatedEventf(MakePod(), nullptr, {{"example.com/try", value}}, kEventTypeNormal,
                                 "R", "A", "note of the %s", value);
    }
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    ASSERT_FALSE(sink_->Calls().empty());
    EXPECT_EQ(sink_->Calls()[0].event.metadata.annotations,
              (Map<String>{{"example.com/try", "first"}}));
    EXPECT_EQ(sink_->Calls()[0].event.note, "note of the first");
  });
}

TEST_F(EventBroadcasterTest, NotesAreFormatted_AsInTheHeader) {
  Simulate([&] {
    const auto broadcaster = Start();
    const std::unique_ptr<EventRecorder>& recorder = recorder_;
    const corev1::Pod pod = MakePod();
    const corev1::Node node = {.metadata = {.name = "n1"}};
    recorder->Eventf(pod, node, kEventTypeNormal, "Scheduled", "Binding", "assigned %s to %s",
                     pod.metadata.name.view(), node.metadata.name.view());
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    ASSERT_EQ(sink_->Calls().size(), 1u);
    EXPECT_EQ(sink_->Calls()[0].event.note, "assigned web-0 to n1");
  });
}

TEST_F(EventBroadcasterTest, TheInstanceIsTheHostUnlessToldOtherwise) {
  Simulate([&] {
    const auto broadcaster = Start();
    broadcaster->NewRecorder({}, "c")->Eventf(corev1::ObjectReference{.name = "x"}, nullptr,
                                              kEventTypeNormal, "R", "A", "n");
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    ASSERT_EQ(sink_->Calls().size(), 1u);
    EXPECT_THAT(std::string(sink_->Calls()[0].event.reporting_instance), testing::StartsWith("c-"));
    EXPECT_EQ(sink_->Calls()[0].event.metadata.namespace_, "default");
  });
}

TEST_F(EventBroadcasterTest, Eventf_InvalidObjectOrType_IsLoggedAndNotWritten) {
  Simulate([&] {
    const auto broadcaster = Start();
    recorder_->Eventf(nullptr, MakePod(), kEventTypeNormal, "R", "A", "no object");
    recorder_->Eventf(MakePod(), nullptr, "Error", "R", "A", "a type that is none");
    broadcaster->NewRecorder({}, "c")->Eventf(corev1::ObjectReference{.name = "x"}, MakePod(),
                                              kEventTypeNormal, "Related", "A", "unknown");
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    EXPECT_THAT(Calls(), ElementsAre("create Related")) << "without the related object";
    EXPECT_THAT(log_.Lines(), ElementsAre(HasSubstr("can't reference a nil object"),
                                          HasSubstr("Unsupported event type")));
  });
}

// behaviour.md: EV-5
TEST_F(EventBroadcasterTest, Series_IsWrittenAtItsSecondEventThenOnRefreshAndAtItsEnd) {
  Simulate([&] {
    const auto broadcaster = Start();
    for (int i = 0; i < 5; ++i) Record("a");
    Sleep(absl::Seconds(1));
    EXPECT_THAT(Calls(), ElementsAre("create a", "patch a 2"));
    // Twenty-nine minutes, in which it comes again and again, and then the refresh.
    for (int i = 0; i < 29; ++i) {
      Record("a");
      Sleep(absl::Minutes(1));
    }
    EXPECT_EQ(Calls().size(), 2u);
    Sleep(absl::Minutes(1));
    EXPECT_THAT(Calls(), ElementsAre("create a", "patch a 2", "patch a 34"));
    // Quiet: the next look at the series that finds it over writes it for the last time.
    Sleep(absl::Minutes(13));
    EXPECT_THAT(Calls(), ElementsAre("create a", "patch a 2", "patch a 34", "patch a 34"));
    Record("a");
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    EXPECT_EQ(Calls().back(), "create a") << "it is a new one";
  });
}

// behaviour.md: EV-5
TEST_F(EventBroadcasterTest, Create_ServerUnreachable_IsTriedTwelveTimesThenDropped) {
  Simulate([&] {
    const auto broadcaster = Start();
    sink_->AnswerNext(std::vector<absl::Status>(12, Refused()));
    const base::MonotonicTime start = base::Now();
    Record("a");
    Record("b");
    ASSERT_THAT(sink_->WaitForCalls(Context(), 13), IsOk());
    const absl::Duration took = base::Now() - start;
    EXPECT_GE(took, absl::Seconds(110));
    EXPECT_LT(took, absl::Seconds(110 * 1.25));
    EXPECT_EQ(Calls()[11], "create a");
    EXPECT_EQ(Calls()[12], "create b");
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    ExpectDropped("retries", 1);
  });
}

struct Case {
  const char* name;
  std::vector<absl::Status> answers;  // after the first event was created
  std::vector<std::string> calls;     // likewise
};

// behaviour.md: EV-5
TEST_F(EventBroadcasterTest, Patch_Fails_EventIsCreatedAgainRetriedOrDropped) {
  const std::vector<Case> cases = {
      {"written", {}, {"patch a 2"}},
      {"gone", {NotFound()}, {"patch a 2", "create a 2"}},
      {"refused", {Refused()}, {"patch a 2", "patch a 2"}},
      {"rejected", {errors::BadRequest("no")}, {"patch a 2"}},
      // The first event's create was slow: now it is there, and can be patched.
      {"made meanwhile", {NotFound(), AlreadyExists()}, {"patch a 2", "create a 2", "patch a 2"}},
      {"gone twice",
       {NotFound(), Refused(), NotFound()},
       {"patch a 2", "create a 2", "patch a 2", "create a 2"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const size_t before = sink_->Calls().size();
    Simulate([&] {
      const auto broadcaster = Start();
      sink_->AnswerNext({absl::OkStatus()});
      sink_->AnswerNext(c.answers);
      Record("a");
      Record("a");
      ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    });
    const std::vector<std::string> all = Calls();
    std::vector<std::string> want = {"create a"};
    want.insert(want.end(), c.calls.begin(), c.calls.end());
    EXPECT_EQ(std::vector<std::string>(all.begin() + static_cast<long>(before), all.end()), want);
  }
  ExpectDropped("rejected", 1);
}

TEST_F(EventBroadcasterTest, ANewEventThatExistsIsNotTriedAgain) {
  Simulate([&] {
    const auto broadcaster = Start();
    sink_->AnswerNext({AlreadyExists()});
    Record("a");
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    EXPECT_THAT(Calls(), ElementsAre("create a"));
    EXPECT_THAT(log_.Lines(), IsEmpty());
    ExpectDropped("rejected", 1);
  });
}

TEST_F(EventBroadcasterTest, ShutdownWritesTheLastCounts) {
  Simulate([&] {
    const auto broadcaster = Start();
    for (int i = 0; i < 7; ++i) Record("a");
    for (int i = 0; i < 2; ++i) Record("b");
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    EXPECT_THAT(Calls(),
                ElementsAre("create a", "patch a 2", "create b", "patch b 2", "patch a 7"));
  });
}

// As after SIGTERM: the context of the program is done when its events are to be flushed, and a
// write has to be tried again.
TEST_F(EventBroadcasterTest, ShutdownFlushesThoughTheProgramsContextIsDone) {
  Simulate([&] {
    CancelScope program = WithCancel(Context());
    program.Cancel();
    const auto hurried = Start({.sleep_duration = absl::Seconds(1)});
    sink_->AnswerNext({Refused()});
    Record("a");
    EXPECT_THAT(hurried->Shutdown(WithTimeout(program.context(), absl::Seconds(5))),
                StatusIs(absl::StatusCode::kCancelled));
    ExpectDropped("shutdown", 1);
    const size_t calls = Calls().size();
    const auto broadcaster = Start({.sleep_duration = absl::Seconds(1)});
    sink_->AnswerNext({Refused()});
    Record("b");
    EXPECT_THAT(broadcaster->Shutdown(absl::Seconds(5)), IsOk());
    ExpectDropped("shutdown", 1);
    std::vector<std::string> flushed = Calls();
    flushed.erase(flushed.begin(), flushed.begin() + static_cast<std::ptrdiff_t>(calls));
    EXPECT_THAT(flushed, ElementsAre("create b", "create b"));
  });
}

TEST_F(EventBroadcasterTest, ShutdownEndsAtItsTimeLimit) {
  Simulate([&] {
    const auto broadcaster = Start();
    sink_->AnswerNext(std::vector<absl::Status>(100, Refused()));
    for (int i = 0; i < 20; ++i) Record(absl::StrCat("r", i));
    const base::MonotonicTime start = base::Now();
    EXPECT_THAT(broadcaster->Shutdown(absl::Seconds(5)),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(base::Now() - start, absl::Seconds(5));
    ExpectDropped("shutdown", 20);
  });
}

TEST_F(EventBroadcasterTest, ShutdownEndsWithItsContext) {
  Simulate([&] {
    const auto broadcaster = Start();
    sink_->AnswerNext(std::vector<absl::Status>(100, Refused()));
    for (const char* reason : {"a", "b", "c"}) Record(reason);
    EXPECT_THAT(broadcaster->Shutdown(WithTimeout(Context(), absl::Seconds(15))),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    ExpectDropped("shutdown", 3);
    EXPECT_THAT(broadcaster->StartRecordingToSink(),
                StatusIs(absl::StatusCode::kFailedPrecondition));
  });
}

TEST_F(EventBroadcasterTest, QueueLength_FullQueue_DropsNewEvents) {
  Simulate([&] {
    const auto broadcaster = Start({.queue_length = 2});
    sink_->AnswerNext({Refused()});
    Record("a");
    ASSERT_THAT(sink_->WaitForCalls(Context(), 1), IsOk());  // and now it sleeps
    for (const char* reason : {"b", "c", "d", "e"}) Record(reason);
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    EXPECT_THAT(Calls(), ElementsAre("create a", "create a", "create b", "create c"));
    ExpectDropped("queue_full", 2);
  });
}

TEST_F(EventBroadcasterTest, MaxSeries_SeriesIsForgotten_WritesItsLastCount) {
  Simulate([&] {
    const auto broadcaster = Start({.max_series = 1});
    for (int i = 0; i < 3; ++i) Record("a");
    Record("b");
    Record("a");
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    EXPECT_THAT(Calls(), ElementsAre("create a", "patch a 2", "patch a 3", "create b", "create a"));
  });
}

TEST_F(EventBroadcasterTest, LogAndWatcher_GetEveryEvent) {
  Simulate([&] {
    EventBroadcaster broadcaster(nullptr);
    std::vector<std::string> seen;
    ASSERT_THAT(broadcaster.StartStructuredLogging(), IsOk());
    ASSERT_THAT(
        broadcaster.StartEventWatcher([&](const std::shared_ptr<const eventsv1::Event>& event) {
          seen.push_back(std::string(event->reason));
        }),
        IsOk());
    recorder_ = broadcaster.NewRecorder({corev1::Kinds()}, "c");
    Record("a");
    Record("a");
    ASSERT_THAT(broadcaster.Shutdown(Context()), IsOk());
    EXPECT_THAT(seen, ElementsAre("a", "a"));
    EXPECT_EQ(log_.Lines()[0],
              R"(I "Event occurred" object="prod/web-0" kind="Pod" apiVersion="v1" )"
              R"(type="Normal" reason="a" action="Do" note="note")");
  });
}

TEST_F(EventBroadcasterTest, Eventf_RepeatedOnAServer_IsOneEventWithACount) {
  fake::Clientset fake;
  EventBroadcaster broadcaster(NewEventSink(fake.client().client()));
  ASSERT_THAT(broadcaster.StartRecordingToSink(), IsOk());
  recorder_ = broadcaster.NewRecorder({corev1::Kinds()}, "example.com/c");
  const corev1::ConfigMap map = {.metadata = {.name = "m", .namespace_ = "default"}};
  for (int i = 0; i < 4; ++i) {
    recorder_->Eventf(map, nullptr, kEventTypeNormal, "Read", "Reading", "it %d", i);
  }
  ASSERT_THAT(broadcaster.Shutdown(Context()), IsOk());
  const absl::StatusOr<eventsv1::EventList> list =
      fake.client().EventsV1().Events("default").List(Context());
  ASSERT_THAT(list, IsOk());
  ASSERT_EQ(list->items.size(), 1u);
  EXPECT_EQ(list->items[0].note, "it 0");
  ASSERT_NE(list->items[0].series, nullptr);
  EXPECT_EQ(list->items[0].series->count, 4);
}

// It would wait for itself.
TEST(EventBroadcasterDeathTest, Watcher_EndsItself_FailsACheck) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const struct {
    const char* name;
    void (*end)(std::unique_ptr<EventBroadcaster>&, int64_t id);
    const char* error;
  } cases[] = {
      {"without a limit",
       [](auto& broadcaster, int64_t) { broadcaster->Shutdown(Context()).IgnoreError(); },
       "an event broadcaster must not be shut down by one of its own watchers"},
      {"with a timeout",
       [](auto& broadcaster, int64_t) { broadcaster->Shutdown(absl::Seconds(5)).IgnoreError(); },
       "an event broadcaster must not be shut down by one of its own watchers"},
      {"by its destructor", [](auto& broadcaster, int64_t) { broadcaster = nullptr; },
       "an event broadcaster must not be shut down by one of its own watchers"},
      {"one watcher", [](auto& broadcaster, int64_t id) { broadcaster->StopWatching(id); },
       "an event watcher must not stop itself"},
  };
  for (const auto& test : cases) {
    const auto run = [&] {
      auto broadcaster = std::make_unique<EventBroadcaster>(nullptr);
      const auto recorder = broadcaster->NewRecorder({corev1::Kinds()}, "example.com/c");
      base::Event ended;
      const absl::StatusOr<int64_t> id = broadcaster->StartEventWatcher([&](const auto&) {
        test.end(broadcaster, 1);
        ended.Set();
      });
      if (!id.ok()) return;
      recorder->Eventf(MakePod(), nullptr, kEventTypeNormal, "a", "Do", "note");
      ended.Wait(WithTimeout(Context(), absl::Minutes(1))).IgnoreError();
    };
    EXPECT_DEATH(base::SimRuntime({.seed = 1}).Run(run).IgnoreError(), test.error) << test.name;
  }
}

TEST_F(EventBroadcasterTest, AWatcherMayShutDownAnotherBroadcaster) {
  Simulate([&] {
    EventBroadcaster other(nullptr);
    ASSERT_THAT(other.StartStructuredLogging(9), IsOk());
    const auto broadcaster = Start();
    base::Event ended;
    ASSERT_THAT(broadcaster->StartEventWatcher([&](const auto&) {
      EXPECT_THAT(other.Shutdown(absl::Seconds(5)), IsOk());
      ended.Set();
    }),
                IsOk());
    Record("a");
    EXPECT_THAT(ended.Wait(WithTimeout(Context(), absl::Minutes(1))), IsOk());
    EXPECT_THAT(broadcaster->Shutdown(Context()), IsOk());
  });
}

}  // namespace
}  // namespace kube::events
