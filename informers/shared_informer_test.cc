#include "informers/shared_informer.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/watch/byte_stream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "informers/handler_options.h"
#include "informers/lister_watcher.h"
#include "informers/testing/faulty_transport.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_informer.h"
#include "listers/index_function.h"
#include "net/httpclient/http_message.h"

namespace kube::informers {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;
using unstructured::Unstructured;

// Loses the history while nobody watches, so that what happens in `meanwhile` is seen by a list.
template <typename Function>
void WhileUnwatched(TestCluster& cluster, Function meanwhile) {
  cluster.transport().SetFault([](const httpclient::HttpRequest&) -> FaultyTransport::Answer {
    return absl::StatusOr<httpclient::HttpResponse>(ErrorResponse(errors::InternalError("away")));
  });
  cluster.transport().BreakStreams(absl::OkStatus());
  Pass(absl::Minutes(1));
  meanwhile();
  cluster.server().Compact();
  cluster.transport().SetFault(nullptr);
}

// One piece of a watch, and then nothing.
class OnePiece final : public watch::ByteStream {
 public:
  explicit OnePiece(std::string bytes) : bytes_(std::move(bytes)) {}

  absl::StatusOr<std::string> Read(const Context& ctx) override {
    if (bytes_.empty()) return base::WaitUntilDone(ctx);
    return std::exchange(bytes_, "");
  }
  void Close() override {}

 private:
  std::string bytes_;
};

TEST(SharedInformer, FillsAStoreAndTellsHandlers) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Recorder recorder;
    TestInformer test(cluster);
    ASSERT_THAT(test.informer.AddEventHandler(recorder.Handler()).status(), IsOk());
    EXPECT_FALSE(test.informer.HasStarted());
    test.StartAndSync();
    cluster.Set("a", "2");
    cluster.Create("b");
    cluster.Delete("a");
    recorder.Await(4);
    EXPECT_THAT(recorder.told(),
                ElementsAre("add a=1 initial", "update a=1>2", "add b=1", "delete a=2"));
    EXPECT_EQ(ContentOf(*test.informer.store()), cluster.Content());
    EXPECT_THAT(test.informer.lister().Namespace("default").Get("b"), IsOk());
    EXPECT_EQ(test.informer.status().stored, 1u);
    EXPECT_EQ(test.informer.name(), "configmaps");
  });
}

// What has come together with an object of another kind does not wait for what comes next.
// behaviour.md: RF-9
TEST(SharedInformer, AnUnexpectedObjectHoldsNothingUp) {
  const log::LogCapture log;
  Simulate([] {
    TestCluster cluster;
    cluster.transport().SetFault(
        [](const httpclient::HttpRequest& request) -> FaultyTransport::Answer {
          if (!absl::StrContains(request.url, "watch=true")) return std::nullopt;
          httpclient::HttpResponse response = JsonResponse("");
          response.body = std::make_unique<OnePiece>(
              R"({"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":)"
              R"({"name":"b","namespace":"default","resourceVersion":"900"}}})"
              R"({"type":"ADDED","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1"}})");
          return absl::StatusOr<httpclient::HttpResponse>(std::move(response));
        });
    SharedInformer<Unstructured> informer(*MakeListerWatcher(cluster.any_config_maps()),
                                          {.reflector = {.watch_list = false}});
    base::Thread thread;
    ASSERT_THAT(thread.Start(Context(), "informer",
                             [&](const Context& ctx) { informer.Run(ctx).IgnoreError(); }),
                IsOk());
    // The watchdog would end the watch later.
    Await([&] { return informer.store()->Get("default", "b") != nullptr; }, absl::Seconds(10));
  });
  EXPECT_THAT(log.Lines(), Contains(HasSubstr("unexpected watch event object gvk")));
}

// Each handler has its own thread and, unless it wants a bound, a queue without one.
// behaviour.md: INF-1
TEST(SharedInformer, ASlowHandlerHoldsNobody) {
  Simulate([] {
    TestCluster cluster;
    base::Event gate;
    Recorder slow;
    Recorder quick;
    slow.SetGate(&gate);
    TestInformer test(cluster);
    const auto registration = test.informer.AddEventHandler(slow.Handler(), {.name = "slow"});
    ASSERT_THAT(test.informer.AddEventHandler(quick.Handler()).status(), IsOk());
    test.StartAndSync();
    for (int i = 0; i < 600; ++i) cluster.Create(absl::StrCat("m", i));
    quick.Await(600);
    Pass(absl::Seconds(5));
    EXPECT_THAT(slow.told(), SizeIs(1));
    const HandlerStatus status = registration->status();
    EXPECT_EQ(status.name, "slow");
    EXPECT_EQ(status.pending, 600u);
    EXPECT_GE(status.running, absl::Seconds(5));
    gate.Set();
    slow.Await(600);
    EXPECT_EQ(slow.told(), quick.told());
    Await([&] { return registration->status().pending == 0; });
    EXPECT_EQ(registration->status().delivered, 600);
    EXPECT_EQ(registration->status().max_pending, 600u);
  });
}

// behaviour.md: INF-2
TEST(SharedInformer, ResyncsGoToThoseWhoAskForThem) {
  const log::LogCapture log;
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Recorder never;
    Recorder minutes;
    Recorder hours;
    TestInformer test(cluster, {.resync_period = absl::Hours(1)});
    ASSERT_THAT(
        test.informer.AddEventHandler(never.Handler(), {.resync_period = absl::ZeroDuration()}),
        IsOk());
    ASSERT_THAT(test.informer.AddEventHandler(hours.Handler()), IsOk());
    // Before it runs, who asks for more makes it look more often.
    ASSERT_THAT(
        test.informer.AddEventHandler(minutes.Handler(), {.resync_period = absl::Minutes(10)}),
        IsOk());
    test.StartAndSync();
    Pass(absl::Minutes(65));
    EXPECT_THAT(never.told(), ElementsAre("add a=1 initial"));
    EXPECT_THAT(minutes.told(), AllOf(SizeIs(7), Contains("update a=1>1 resync").Times(6)));
    EXPECT_THAT(hours.told(), AllOf(SizeIs(2), Contains("update a=1>1 resync").Times(1)));
    EXPECT_EQ(test.informer.status().handlers[0].suppressed, 6);
    // Afterwards it does not.
    Recorder late;
    ASSERT_THAT(test.informer.AddEventHandler(late.Handler(), {.resync_period = absl::Seconds(1)}),
                IsOk());
    Pass(absl::Minutes(31));
    EXPECT_THAT(late.told(), SizeIs(AllOf(testing::Ge(3u), testing::Le(4u))));
  });
  EXPECT_THAT(absl::StrJoin(log.Lines(), "\n"), HasSubstr("has already started"));
}

// Less than a second is a second; an informer without resyncs has none.
// behaviour.md: INF-2
TEST(SharedInformer, ResyncPeriodsHaveALimit) {
  const log::LogCapture log;
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Recorder often;
    Recorder in_vain;
    TestInformer with(cluster, {.resync_period = absl::Hours(1)});
    TestInformer without(cluster);
    ASSERT_THAT(
        with.informer.AddEventHandler(often.Handler(), {.resync_period = absl::Milliseconds(1)}),
        IsOk());
    ASSERT_THAT(
        without.informer.AddEventHandler(in_vain.Handler(), {.resync_period = absl::Minutes(1)}),
        IsOk());
    with.StartAndSync();
    without.StartAndSync();
    Pass(absl::Milliseconds(5500));
    EXPECT_THAT(often.told(), SizeIs(AllOf(testing::Ge(5u), testing::Le(7u))));
    Pass(absl::Hours(1));
    EXPECT_THAT(in_vain.told(), SizeIs(1));
  });
  EXPECT_THAT(absl::StrJoin(log.Lines(), "\n"),
              AllOf(HasSubstr("is too small"), HasSubstr("doesn't support resyncing")));
}

// behaviour.md: INF-3
TEST(SharedInformer, AHandlerThatComesLaterIsToldOfAllThereIs) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    cluster.Create("b");
    TestInformer test(cluster);
    test.StartAndSync();
    Recorder recorder;
    const auto registration = test.informer.AddEventHandler(recorder.Handler());
    ASSERT_THAT(registration, IsOk());
    cluster.Set("a", "2");
    recorder.Await(3);
    const std::vector<std::string> told = recorder.told();
    EXPECT_THAT(std::vector<std::string>(told.begin(), told.begin() + 2),
                UnorderedElementsAre("add a=1 initial", "add b=1 initial"));
    EXPECT_EQ(told[2], "update a=1>2");
    EXPECT_TRUE(registration->HasSynced());
  });
}

// behaviour.md: INF-4
TEST(SharedInformer, AStoppedInformerStaysStopped) {
  Simulate([] {
    TestCluster cluster;
    TestInformer test(cluster);
    test.StartAndSync();
    EXPECT_THAT(test.informer.Run(Context()), StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_FALSE(test.informer.IsStopped());
    test.Stop();
    EXPECT_TRUE(test.informer.IsStopped());
    Recorder recorder;
    EXPECT_THAT(test.informer.AddEventHandler(recorder.Handler()),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         "add event handler: informer configmaps has stopped"));
    EXPECT_THAT(test.informer.AddIndexers({}), StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_THAT(test.informer.Run(Context()), StatusIs(absl::StatusCode::kFailedPrecondition));
  });
}

// A handler has synced when it has returned from all that was there.
// behaviour.md: INF-5
TEST(SharedInformer, AHandlerSyncsWhenItWasToldOfAll) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    cluster.Create("b");
    base::Event gate;
    Recorder recorder;
    Recorder late_recorder;
    recorder.SetGate(&gate);
    TestInformer test(cluster);
    const auto registration = test.informer.AddEventHandler(recorder.Handler());
    const auto nothing = test.informer.AddEventHandler({});
    test.StartAndSync();
    Await([&] { return nothing->HasSynced(); });
    Pass(absl::Minutes(1));
    EXPECT_FALSE(registration->HasSynced());
    EXPECT_THAT(
        registration->WhyNotSynced().message(),
        AllOf(HasSubstr("configmaps, handler-0: 2 pending events"), HasSubstr("running for 1m")));
    late_recorder.SetGate(&gate);
    const auto late = test.informer.AddEventHandler(late_recorder.Handler());
    Pass(absl::Minutes(1));
    EXPECT_FALSE(late->HasSynced());
    gate.Set();
    Await([&] { return registration->HasSynced() && late->HasSynced(); });
    EXPECT_THAT(recorder.told(), SizeIs(2));
    EXPECT_THAT(registration->WhyNotSynced(), IsOk());
  });
}

// A transform that takes the version away takes no updates away.
// behaviour.md: INF-6, INF-17
TEST(SharedInformer, TransformsAreSetBeforeItStarts) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Recorder recorder;
    int calls = 0;
    TestInformer test(cluster, {.resync_period = absl::Hours(10)});
    ASSERT_THAT(test.informer.SetTransform([&](ConfigMap& object) {
      ++calls;
      object.data["v"] = absl::StrCat(object.data["v"].view(), "!");
      object.metadata.resource_version = "";
      return absl::OkStatus();
    }),
                IsOk());
    ASSERT_THAT(test.informer.AddEventHandler(recorder.Handler()), IsOk());
    test.StartAndSync();
    Pass(absl::Hours(11));
    recorder.Take();
    cluster.Set("a", "2");
    cluster.Set("a", "3");
    recorder.Await(2);
    EXPECT_THAT(recorder.told(), ElementsAre("update a=1!>2!", "update a=2!>3!"));
    EXPECT_EQ(calls, 3);
    EXPECT_THAT(test.informer.SetTransform(nullptr),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_THAT(test.informer.SetWatchErrorHandler(nullptr),
                StatusIs(absl::StatusCode::kFailedPrecondition));
  });
}

// behaviour.md: INF-6
TEST(SharedInformer, TheErrorHandlerHearsOfErrors) {
  const log::LogCapture quiet;
  Simulate([] {
    TestCluster cluster;
    std::vector<std::string> errors;
    TestInformer test(cluster);
    ASSERT_THAT(test.informer.SetWatchErrorHandler(
                    [&](const absl::Status& error) { errors.emplace_back(error.message()); }),
                IsOk());
    test.StartAndSync();
    WhileUnwatched(cluster, [] {});
    Pass(absl::Minutes(2));
    EXPECT_THAT(errors, Contains(HasSubstr("away")));
  });
}

// behaviour.md: INF-8, INF-9
TEST(SharedInformer, WhatNobodySawIsToldAllTheSame) {
  const log::LogCapture quiet;
  Simulate([] {
    TestCluster cluster;
    for (const char* name : {"changed", "deleted", "recreated", "same"}) cluster.Create(name);
    Recorder recorder;
    TestInformer test(cluster);
    ASSERT_THAT(test.informer.AddEventHandler(recorder.Handler()), IsOk());
    test.StartAndSync();
    recorder.Await(4);
    recorder.Take();
    WhileUnwatched(cluster, [&] {
      cluster.Set("changed", "2");
      cluster.Delete("deleted");
      cluster.Delete("recreated");
      cluster.Create("recreated", "2");
      cluster.Create("new");
    });
    recorder.Await(5);
    // "same": all handlers are told of resyncs until the first look at the clock, as by client-go.
    EXPECT_THAT(recorder.told(),
                UnorderedElementsAre("update changed=1>2", "delete deleted=1 unknown",
                                     "update recreated=1>2 recreated", "add new=1",
                                     "update same=1>1 resync"));
    EXPECT_THAT(recorder.told()[0], EndsWith("unknown"));
  });
}

// behaviour.md: INF-14
TEST(SharedInformer, IndexersComeAtAnyTime) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a", "x");
    TestInformer test(cluster);
    test.StartAndSync();
    const listers::IndexFunction<ConfigMap> by_value = [](const ConfigMap& object) {
      return std::vector<std::string>{std::string(object.data.find("v")->view())};
    };
    ASSERT_THAT(test.informer.AddIndexer("value", by_value), IsOk());
    cluster.Create("b", "x");
    test.AwaitContent(cluster);
    EXPECT_EQ(test.informer.lister().ByIndex("value", "x")->size(), 2u);
  });
}

TEST(SharedInformer, WaitsUntilItHasWhatWasWritten) {
  Simulate([] {
    TestCluster cluster;
    TestInformer test(cluster);
    test.StartAndSync();
    const auto written =
        cluster.direct().Namespace("default").Create(Context(), {.metadata = {.name = "mine"}});
    ASSERT_THAT(written, IsOk());
    const std::string version(written->metadata.resource_version);
    ASSERT_THAT(test.informer.WaitForResourceVersion(Context(), version), IsOk());
    EXPECT_THAT(test.informer.lister().Namespace("default").Get("mine"), IsOk());
    EXPECT_EQ(test.informer.LastSyncResourceVersion(), version);
    EXPECT_THAT(test.informer.WaitForResourceVersion(Context(), "new"),
                StatusIs(absl::StatusCode::kInvalidArgument));
    EXPECT_THAT(
        test.informer.WaitForResourceVersion(WithTimeout(Context(), absl::Minutes(1)), "999999"),
        StatusIs(absl::StatusCode::kDeadlineExceeded));
    base::Thread stopper;
    ASSERT_THAT(stopper.Start(Context(), "stopper",
                              [&](const Context&) {
                                Pass(absl::Seconds(3));
                                test.Stop();
                              }),
                IsOk());
    EXPECT_THAT(test.informer.WaitForResourceVersion(Context(), "999999"),
                StatusIs(absl::StatusCode::kCancelled));
    stopper.Join();
  });
}

TEST(SharedInformer, CountsForMetrics) {
  const log::LogCapture quiet;
  Simulate([] {
    auto registry = std::make_shared<base::PrometheusRegistry>();
    TestCluster cluster({.bookmark_interval = absl::Minutes(1)});
    cluster.Create("a");
    Recorder recorder;
    TestInformer test(cluster, {.resync_period = absl::Minutes(2),
                                .resource = {.version = "v1", .resource = "configmaps"},
                                .metrics = registry,
                                .metrics_name = "test",
                                .reflector = {.watch_list = false}});
    ASSERT_THAT(
        test.informer.AddEventHandler(recorder.Handler(), {.resync_period = absl::Hours(1)}),
        IsOk());
    ASSERT_THAT(test.informer.AddEventHandler({}), IsOk());
    test.StartAndSync();
    cluster.Create("b");
    cluster.Set("b", "2");
    recorder.Await(3);
    Pass(absl::Minutes(3));
    cluster.transport().StallStreams();
    Pass(absl::Minutes(5));
    test.Stop();
    const std::string labels = R"({name="test",group="",version="v1",resource="configmaps"} )";
    const std::string text = registry->Render();
    for (const char* line : {"informer_lists_total", "informer_syncs_total",
                             "informer_added_events_total", "informer_modified_events_total"}) {
      EXPECT_THAT(text, HasSubstr(absl::StrCat("\n", line, labels, "1\n"))) << line;
    }
    EXPECT_THAT(text, HasSubstr(absl::StrCat("informer_watchdog_closes_total", labels, "1\n")));
    EXPECT_THAT(text, HasSubstr(absl::StrCat("informer_stored_objects", labels, "2\n")));
    EXPECT_THAT(text, HasSubstr(absl::StrCat("informer_queued_items", labels, "0\n")));
    EXPECT_THAT(text, HasSubstr(absl::StrCat("informer_store_resource_version", labels,
                                             test.informer.LastSyncResourceVersion(), "\n")));
    for (const char* name :
         {"informer_received_bytes_total", "informer_decoded_objects_total",
          "informer_bookmarks_total", "informer_delivered_notifications_total",
          "informer_suppressed_notifications_total", "informer_last_event_timestamp_seconds"}) {
      EXPECT_THAT(text, HasSubstr(absl::StrCat(name, labels)));
      EXPECT_THAT(text, testing::Not(HasSubstr(absl::StrCat(name, labels, "0\n")))) << name;
    }
  });
}

}  // namespace
}  // namespace kube::informers
