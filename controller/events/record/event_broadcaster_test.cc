#include "controller/events/record/event_broadcaster.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/status_error.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "controller/events/event_object.h"
#include "controller/events/record/event_recorder.h"
#include "controller/events/record/event_sink.h"
#include "controller/events/testing/fake_event_sink.h"
#include "envtest/fake/action.h"
#include "envtest/fake/clientset.h"
#include "envtest/fake/reaction.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::record {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using FakeSink = events::FakeEventSink<EventSink, corev1::Event>;

const absl::Status& Refused() {
  static const absl::Status refused(absl::UnavailableError("refused"));
  return refused;
}

corev1::Pod MakePod(absl::string_view name = "web-0") {
  return {.metadata = {.name = name, .namespace_ = "prod", .uid = "u"}};
}

class CoreEventBroadcasterTest : public testing::Test {
 protected:
  // Runs `body` in virtual time.
  void Simulate(absl::AnyInvocable<void()> body) {
    base::SimRuntime sim({.seed = 1});
    ASSERT_THAT(sim.Run(std::move(body)), IsOk());
  }

  // One that writes to sink_ and counts in registry_.
  std::unique_ptr<EventBroadcaster> Start(BroadcasterOptions options = {}) {
    options.metrics = registry_;
    auto broadcaster = std::make_unique<EventBroadcaster>(std::move(options));
    EXPECT_THAT(broadcaster->StartRecordingToSink(sink_), IsOk());
    recorder_ = broadcaster->NewRecorder({corev1::Kinds()}, {.component = "c", .host = "h"});
    return broadcaster;
  }

  void Record(absl::string_view message) {
    recorder_->Event(MakePod(), kEventTypeNormal, "Started", message);
  }

  // "create a", "patch a".
  std::vector<std::string> Calls() const {
    std::vector<std::string> calls;
    for (const FakeSink::Call& call : sink_->Calls()) {
      calls.push_back(absl::StrCat(call.verb, " ", call.event.message.view()));
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

TEST_F(CoreEventBroadcasterTest, AnnotatedEventf_Object_WritesTheEvent) {
  Simulate([&] {
    const auto broadcaster = Start();
    const absl::Time now = base::WallNow();
    recorder_->AnnotatedEventf(MakePod(), {{"a", "b"}}, kEventTypeWarning, "Failed", "try %d", 3);
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    corev1::Event want;
    want.metadata = {.name = absl::StrCat("web-0.", absl::Hex(absl::ToUnixNanos(now))),
                     .namespace_ = "prod",
                     .annotations = {{"a", "b"}}};
    want.involved_object = {
        .kind = "Pod", .namespace_ = "prod", .name = "web-0", .uid = "u", .api_version = "v1"};
    want.type = "Warning";
    want.reason = "Failed";
    want.message = "try 3";
    want.first_timestamp = now;
    want.last_timestamp = now;
    want.count = 1;
    want.source = {.component = "c", .host = "h"};
    want.reporting_component = "c";
    want.reporting_instance = "h";
    ASSERT_EQ(sink_->Calls().size(), 1u);
    EXPECT_EQ(sink_->Calls()[0].event, want);
  });
}

TEST_F(CoreEventBroadcasterTest, TakesObjectsAndReferences_AsInTheHeaders) {
  Simulate([&] {
    const auto broadcaster = Start();
    const std::unique_ptr<EventRecorder>& recorder = recorder_;
    const corev1::Pod pod = MakePod();
    recorder->Event(pod, kEventTypeNormal, "Restarted", "by request");
    const corev1::ObjectReference node = {.kind = "Node", .name = "n1"};
    recorder->Event(node, kEventTypeNormal, "Cordoned", "before the restart");
    const std::string volume = "data";
    const std::string cause = "no such disk";
    recorder->Eventf(pod, kEventTypeWarning, "FailedMount", "volume %s: %s", volume, cause);
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    EXPECT_THAT(Calls(), ElementsAre("create by request", "create before the restart",
                                     "create volume data: no such disk"));
    EXPECT_EQ(sink_->Calls()[0].event.involved_object.name, "web-0");
    EXPECT_EQ(sink_->Calls()[1].event.involved_object.name, "n1");
  });
}

TEST_F(CoreEventBroadcasterTest, ObjectsOfNoNamespaceHaveTheirEventsInDefault) {
  Simulate([&] {
    const auto broadcaster = Start();
    recorder_->Event(corev1::Node{.metadata = {.name = "n1"}}, kEventTypeNormal, "Up", "up");
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    ASSERT_EQ(sink_->Calls().size(), 1u);
    EXPECT_EQ(sink_->Calls()[0].event.metadata.namespace_, "default");
    EXPECT_EQ(sink_->Calls()[0].event.involved_object.namespace_, "");
  });
}

TEST_F(CoreEventBroadcasterTest, Event_InvalidObjectOrType_IsLoggedAndNotWritten) {
  Simulate([&] {
    const auto broadcaster = Start();
    recorder_->Event(MakePod(), "Error", "Started", "a type that is none");
    recorder_->Event(nullptr, kEventTypeNormal, "Started", "no object");
    broadcaster->NewRecorder({}, {})->Event(MakePod(), kEventTypeNormal, "Started", "no kind");
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    EXPECT_THAT(Calls(), IsEmpty());
    EXPECT_THAT(log_.Lines(), ElementsAre(HasSubstr("Unsupported event type"),
                                          HasSubstr("can't reference a nil object"),
                                          HasSubstr("no kind is registered for the type")));
  });
}

// behaviour.md: EV-1
TEST_F(CoreEventBroadcasterTest, Create_ServerUnreachable_IsTriedTwelveTimesThenDropped) {
  Simulate([&] {
    const auto broadcaster = Start();
    sink_->AnswerNext(std::vector<absl::Status>(12, Refused()));
    const base::MonotonicTime start = base::Now();
    Record("a");
    Record("b");
    ASSERT_THAT(sink_->WaitForCalls(Context(), 13), IsOk());
    // Ten pauses of ten seconds, and the first one, which is a part of that.
    const absl::Duration took = base::Now() - start;
    EXPECT_GE(took, absl::Seconds(100));
    EXPECT_LT(took, absl::Seconds(110));
    EXPECT_EQ(Calls()[11], "create a");
    EXPECT_EQ(Calls()[12], "create b");
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    ExpectDropped("retries", 1);
  });
}

struct Answer {
  const char* name;
  absl::Status error;
  int tries;
};

// behaviour.md: EV-1
TEST_F(CoreEventBroadcasterTest, Create_ErrorOfTheServer_IsNotRetriedTransportErrorsAre) {
  const std::vector<Answer> answers = {
      {"invalid", errors::BadRequest("no"), 1},
      {"server error", errors::InternalError("etcd"), 1},
      {"already exists", errors::AlreadyExists({"", "events"}, "e"), 1},
      {"no request", absl::InvalidArgumentError("no name"), 1},
      {"refused", Refused(), 2},
      {"no Kubernetes", errors::UnexpectedObject("<html>"), 2},
  };
  int rejected = 0;
  for (const Answer& answer : answers) {
    SCOPED_TRACE(answer.name);
    rejected += answer.tries == 1 ? 1 : 0;
    const size_t before = sink_->Calls().size();
    Simulate([&] {
      const auto broadcaster = Start();
      sink_->AnswerNext({answer.error});
      Record("a");
      ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    });
    EXPECT_EQ(sink_->Calls().size() - before, static_cast<size_t>(answer.tries));
    ExpectDropped("rejected", rejected);
  }
}

// behaviour.md: EV-1
TEST_F(CoreEventBroadcasterTest, Patch_NotFound_CreatesTheEventAgain) {
  Simulate([&] {
    const auto broadcaster = Start();
    sink_->AnswerNext({absl::OkStatus(), errors::NotFound({"", "events"}, "e"), Refused(),
                       errors::NotFound({"", "events"}, "e")});
    Record("a");
    Record("a");
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    EXPECT_THAT(Calls(), ElementsAre("create a", "patch a", "create a", "patch a", "create a"));
    EXPECT_EQ(sink_->Calls()[4].event.count, 2);
    EXPECT_EQ(sink_->Calls()[4].event.metadata.resource_version, "");
  });
}

// behaviour.md: EV-3
TEST_F(CoreEventBroadcasterTest, Event_MoreThanTheBurst_IsDroppedAndCountedAsSpam) {
  Simulate([&] {
    const auto broadcaster = Start();
    for (int i = 0; i < 30; ++i) Record("a");
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    EXPECT_EQ(Calls().size(), 25u);
    ExpectDropped("spam", 5);
  });
}

// behaviour.md: EV-1
TEST_F(CoreEventBroadcasterTest, QueueLength_FullQueue_DropsNewEventsAndLogsOnce) {
  Simulate([&] {
    const auto broadcaster = Start({.queue_length = 2});
    sink_->AnswerNext({Refused()});
    Record("a");
    ASSERT_THAT(sink_->WaitForCalls(Context(), 1), IsOk());  // and now it sleeps
    for (const char* message : {"b", "c", "d", "e"}) Record(message);
    ASSERT_THAT(broadcaster->Shutdown(Context()), IsOk());
    EXPECT_THAT(Calls(), ElementsAre("create a", "create a", "create b", "create c"));
    ExpectDropped("queue_full", 2);
    EXPECT_THAT(log_.Lines(), ElementsAre(HasSubstr("may retry"), HasSubstr("too many queued")))
        << "once for all that follow each other";
  });
}

// As after SIGTERM: the context of the program is done when its events are to be flushed, and a
// write has to be tried again.
TEST_F(CoreEventBroadcasterTest, ShutdownFlushesThoughTheProgramsContextIsDone) {
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

TEST_F(CoreEventBroadcasterTest, ShutdownEndsAtItsTimeLimit) {
  Simulate([&] {
    const auto broadcaster = Start();
    sink_->AnswerNext(std::vector<absl::Status>(100, Refused()));
    for (int i = 0; i < 20; ++i) Record(absl::StrCat("m", i));
    const base::MonotonicTime start = base::Now();
    EXPECT_THAT(broadcaster->Shutdown(absl::Seconds(5)),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(base::Now() - start, absl::Seconds(5));
    ExpectDropped("shutdown", 20);
  });
}

TEST_F(CoreEventBroadcasterTest, ShutdownEndsWithItsContext) {
  Simulate([&] {
    const auto broadcaster = Start();
    sink_->AnswerNext(std::vector<absl::Status>(100, Refused()));
    for (const char* message : {"a", "b", "c"}) Record(message);
    const base::MonotonicTime start = base::Now();
    EXPECT_THAT(broadcaster->Shutdown(WithTimeout(Context(), absl::Seconds(15))),
                StatusIs(absl::StatusCode::kDeadlineExceeded));
    EXPECT_EQ(base::Now() - start, absl::Seconds(15));
    ExpectDropped("shutdown", 3);
    Record("d");
    ExpectDropped("shutdown", 4);
    EXPECT_THAT(broadcaster->StartStructuredLogging(),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_THAT(broadcaster->Shutdown(Context()), IsOk()) << "again: nothing is left";
  });
}

TEST_F(CoreEventBroadcasterTest, Destructor_BeforeItsRecorders_DropsTheirEvents) {
  Simulate([&] {
    auto broadcaster = Start();
    sink_->AnswerNext(std::vector<absl::Status>(100, Refused()));
    Record("a");
    broadcaster.reset();
    Record("b");
    ExpectDropped("shutdown", 2);
  });
}

TEST_F(CoreEventBroadcasterTest, StartStructuredLogging_Event_IsLogged) {
  Simulate([&] {
    EventBroadcaster broadcaster;
    ASSERT_THAT(broadcaster.StartStructuredLogging(), IsOk());
    ASSERT_THAT(broadcaster.StartStructuredLogging(5), IsOk());
    recorder_ = broadcaster.NewRecorder({corev1::Kinds()}, {.component = "c"});
    Record("hello");
    ASSERT_THAT(broadcaster.Shutdown(Context()), IsOk());
    EXPECT_THAT(log_.Lines(),
                ElementsAre(R"(I "Event occurred" object="prod/web-0" fieldPath="" kind="Pod" )"
                            R"(apiVersion="v1" type="Normal" reason="Started" message="hello")"));
  });
}

TEST_F(CoreEventBroadcasterTest, WatchersSeeWhatComesWhileTheyWatch) {
  Simulate([&] {
    EventBroadcaster broadcaster;
    recorder_ = broadcaster.NewRecorder({corev1::Kinds()}, {.component = "c"});
    std::vector<std::string> seen;
    Record("before");
    const absl::StatusOr<int64_t> id =
        broadcaster.StartEventWatcher([&](const std::shared_ptr<const corev1::Event>& event) {
          seen.push_back(std::string(event->message));
        });
    ASSERT_THAT(id, IsOk());
    Record("a");
    Record("a");
    base::SleepFor(Context(), absl::Seconds(1)).IgnoreError();
    broadcaster.StopWatching(*id);
    broadcaster.StopWatching(*id);
    Record("after");
    ASSERT_THAT(broadcaster.Shutdown(Context()), IsOk());
    EXPECT_THAT(seen, ElementsAre("a", "a")) << "as they were recorded: neither counted nor new";
  });
}

TEST_F(CoreEventBroadcasterTest, Event_RepeatedOnAServer_IsOneEventWithACount) {
  fake::Clientset fake;
  const corev1::EventClient events = fake.client().CoreV1().Events("default");
  EventBroadcaster broadcaster;
  ASSERT_THAT(broadcaster.StartRecordingToSink(NewEventSink(fake.client().client())), IsOk());
  recorder_ = broadcaster.NewRecorder({corev1::Kinds()}, {.component = "c"});
  const corev1::ConfigMap map = {.metadata = {.name = "m", .namespace_ = "default"}};
  for (int i = 0; i < 3; ++i) recorder_->Event(map, kEventTypeNormal, "Read", "read it");
  ASSERT_THAT(broadcaster.Shutdown(Context()), IsOk());
  const absl::StatusOr<corev1::EventList> list =
      events.Search(Context(), corev1::ObjectReference{.namespace_ = "default", .name = "m"});
  ASSERT_THAT(list, IsOk());
  ASSERT_EQ(list->items.size(), 1u);
  EXPECT_EQ(list->items[0].count, 3);
  EXPECT_EQ(list->items[0].message, "read it");
  EXPECT_EQ(list->items[0].source.component, "c");
}

TEST_F(CoreEventBroadcasterTest, AServerThatForgetsAnEventGetsItAgain) {
  fake::Clientset fake;
  bool forgets = true;
  fake.PrependReactor("patch", "events", [&](fake::Action&) {
    if (!std::exchange(forgets, false)) return fake::Reaction::PassOn();
    return fake::Reaction::Fail(errors::NotFound({"", "events"}, "e"));
  });
  EventBroadcaster broadcaster;
  ASSERT_THAT(broadcaster.StartRecordingToSink(NewEventSink(fake.client().client())), IsOk());
  recorder_ = broadcaster.NewRecorder({corev1::Kinds()}, {.component = "c"});
  const corev1::ObjectReference object = {.kind = "X", .namespace_ = "default", .name = "x"};
  for (int i = 0; i < 2; ++i) recorder_->Event(object, kEventTypeNormal, "Read", "read it");
  ASSERT_THAT(broadcaster.Shutdown(Context()), IsOk());
  std::vector<std::string> verbs;
  for (const fake::Action& action : fake.Actions()) verbs.push_back(action.verb);
  EXPECT_THAT(verbs, ElementsAre("create", "patch", "create"));
}

// The example of EventBroadcaster.
absl::Status ReportRestart(const kubernetes::Clientset& clientset, const corev1::Pod& pod) {
  EventBroadcaster broadcaster;
  KUBE_RETURN_IF_ERROR(broadcaster.StartRecordingToSink(NewEventSink(clientset.client())));
  const std::unique_ptr<EventRecorder> recorder =
      broadcaster.NewRecorder(events::KindsOf<corev1::PodClient>(), {.component = "example"});
  recorder->Event(pod, kEventTypeNormal, "Restarted", "by request");
  return broadcaster.Shutdown(absl::Seconds(5));  // not WithTimeout(ctx, …): ctx is done
}

TEST_F(CoreEventBroadcasterTest, EventsArriveBeforeTheProgramEnds_AsInTheHeader) {
  fake::Clientset fake;
  const corev1::Pod pod = {.metadata = {.name = "web-0", .namespace_ = "default"}};
  ASSERT_THAT(ReportRestart(fake.client(), pod), IsOk());
  const absl::StatusOr<corev1::EventList> list =
      fake.client().CoreV1().Events("default").List(Context());
  ASSERT_THAT(list, IsOk());
  ASSERT_EQ(list->items.size(), 1u);
  EXPECT_EQ(list->items[0].message, "by request");
  EXPECT_EQ(list->items[0].involved_object.kind, "Pod");
}

}  // namespace
}  // namespace kube::record
