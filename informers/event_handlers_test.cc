// What handlers may do, and what becomes of those that are slow, or go.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/any_shared_informer.h"
#include "informers/event_handler.h"
#include "informers/handler_options.h"
#include "informers/shared_informer.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_informer.h"

namespace kube::informers {
namespace {

using base::IsOk;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// When the removal has returned, the handler is no longer called.
// behaviour.md: INF-11
TEST(EventHandlers, RemovalWaitsForTheCallThatRuns) {
  Simulate([] {
    TestCluster cluster;
    base::Event gate;
    Recorder recorder;
    recorder.SetGate(&gate);
    TestInformer test(cluster);
    const auto registration = test.informer.AddEventHandler(recorder.Handler());
    test.StartAndSync();
    cluster.Create("a");
    cluster.Create("b");
    recorder.Await(1);
    bool removed = false;
    base::Thread remover;
    ASSERT_THAT(remover.Start(Context(), "remover",
                              [&](const Context&) {
                                test.informer.RemoveEventHandler(*registration);
                                removed = true;
                              }),
                IsOk());
    Pass(absl::Minutes(1));
    EXPECT_FALSE(removed);
    EXPECT_TRUE(registration->IsStopped());
    gate.Set();
    remover.Join();
    EXPECT_TRUE(removed);
    cluster.Set("a", "2");
    test.AwaitContent(cluster);
    Pass(absl::Minutes(1));
    EXPECT_THAT(recorder.told(), ElementsAre("add a=1"));
    EXPECT_THAT(test.informer.status().handlers, IsEmpty());
    test.informer.RemoveEventHandler(*registration);
    test.Stop();
    test.informer.RemoveEventHandler(*registration);
  });
}

TEST(EventHandlers, MayRemoveThemselvesAndAddOthers) {
  Simulate([] {
    TestCluster cluster;
    Recorder others;
    TestInformer test(cluster);
    std::optional<HandlerRegistration> self;
    int calls = 0;
    const auto registration =
        test.informer.AddEventHandler({.on_add = [&](const AddEvent<ConfigMap>&) {
          ++calls;
          test.informer.RemoveEventHandler(*self);
          EXPECT_THAT(test.informer.AddEventHandler(others.Handler()), IsOk());
        }});
    ASSERT_THAT(registration, IsOk());
    self = *registration;
    test.StartAndSync();
    cluster.Create("a");
    cluster.Create("b");
    others.Await(2);
    EXPECT_EQ(calls, 1);
  });
}

TEST(EventHandlers, MayStopTheInformer) {
  Simulate([] {
    TestCluster cluster;
    TestInformer test(cluster);
    int calls = 0;
    ASSERT_THAT(test.informer.AddEventHandler({.on_add =
                                                   [&](const AddEvent<ConfigMap>&) {
                                                     ++calls;
                                                     test.thread.RequestStop();
                                                   }}),
                IsOk());
    test.Start();
    cluster.Create("a");
    test.thread.Join();
    EXPECT_EQ(calls, 1);
    EXPECT_TRUE(test.informer.IsStopped());
  });
}

// No handler is called after Run has returned, even if another thread waits for a removed one.
TEST(EventHandlers, RunWaitsForTheCallOfAHandlerThatWasRemoved) {
  for (const bool by_itself : {false, true}) {
    SCOPED_TRACE(by_itself);
    Simulate([&] {
      TestCluster cluster;
      base::Event called, gate;
      TestInformer test(cluster);
      std::optional<HandlerRegistration> self;
      bool returned = false;
      const auto registration =
          test.informer.AddEventHandler({.on_add = [&](const AddEvent<ConfigMap>&) {
            if (by_itself) test.informer.RemoveEventHandler(*self);
            called.Set();
            EXPECT_THAT(gate.Wait(Context()), IsOk());
            returned = true;
          }});
      ASSERT_THAT(registration, IsOk());
      self = *registration;
      test.Start();
      cluster.Create("a");
      ASSERT_THAT(called.Wait(Context()), IsOk());
      base::Thread remover;
      ASSERT_THAT(remover.Start(Context(), "remover",
                                [&](const Context&) {
                                  test.informer.RemoveEventHandler(*self);
                                  EXPECT_TRUE(returned);
                                }),
                  IsOk());
      Pass(absl::Minutes(1));
      bool stopped = false;
      base::Thread stopper;
      ASSERT_THAT(stopper.Start(Context(), "stopper",
                                [&](const Context&) {
                                  test.Stop();
                                  stopped = true;
                                }),
                  IsOk());
      Pass(absl::Minutes(1));
      EXPECT_TRUE(test.informer.IsStopped());
      EXPECT_FALSE(stopped);
      gate.Set();
      stopper.Join();
      EXPECT_TRUE(returned);
      remover.Join();
    });
  }
}

TEST(EventHandlers, RemovedBeforeTheStartAreNeverCalled) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Recorder recorder;
    TestInformer test(cluster);
    const auto registration = test.informer.AddEventHandler(recorder.Handler());
    test.informer.RemoveEventHandler(*registration);
    test.StartAndSync();
    Pass(absl::Minutes(1));
    EXPECT_THAT(recorder.told(), IsEmpty());
  });
}

// behaviour.md: INF-1
TEST(EventHandlers, FullQueuesMerge) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    cluster.Create("gone");
    base::Event gate;
    Recorder recorder;
    recorder.SetGate(&gate);
    TestInformer test(cluster);
    const auto registration =
        test.informer.AddEventHandler(recorder.Handler(), {.max_pending = 10});
    test.StartAndSync();
    recorder.Await(1);
    for (int i = 2; i <= 50; ++i) cluster.Set("a", absl::StrCat(i));
    cluster.Delete("gone");
    cluster.Create("brief");
    cluster.Delete("brief");
    test.AwaitContent(cluster);
    EXPECT_LE(registration->status().pending, 15u);
    gate.Set();
    Await([&] { return registration->status().pending == 0; });
    const std::vector<std::string> told = recorder.told();
    EXPECT_LT(told.size(), 20u);
    EXPECT_THAT(told, Contains("delete gone=1"));
    std::string last;
    for (const std::string& text : told) {
      if (text.substr(0, 9) == "update a=") last = text.substr(text.find('>'));
    }
    EXPECT_EQ(last, ">50");
    const HandlerStatus status = registration->status();
    EXPECT_EQ(status.delivered, static_cast<int64_t>(told.size()));
    EXPECT_GT(status.merged, 35);
    EXPECT_TRUE(status.synced);
  });
}

// behaviour.md: INF-1
TEST(EventHandlers, FullQueuesHoldTheInformerWhereThatIsWanted) {
  Simulate([] {
    TestCluster cluster;
    base::Event gate;
    Recorder slow;
    Recorder quick;
    slow.SetGate(&gate);
    TestInformer test(cluster);
    const auto registration = test.informer.AddEventHandler(
        slow.Handler(), {.max_pending = 3, .overflow = OverflowPolicy::kWait});
    ASSERT_THAT(test.informer.AddEventHandler(quick.Handler()), IsOk());
    test.StartAndSync();
    for (int i = 0; i < 50; ++i) {
      cluster.Create(absl::StrCat("m", i));
      Pass(absl::Milliseconds(10));
    }
    Pass(absl::Minutes(1));
    EXPECT_EQ(registration->status().pending, 3u);
    EXPECT_LT(quick.told().size(), 10u);
    // Others can come and go meanwhile.
    Recorder late;
    const auto late_registration = test.informer.AddEventHandler(late.Handler());
    ASSERT_THAT(late_registration, IsOk());
    test.informer.RemoveEventHandler(*late_registration);
    gate.Set();
    quick.Await(50);
    slow.Await(50);
    EXPECT_EQ(slow.told(), quick.told());
    EXPECT_EQ(registration->status().max_pending, 3u);
    EXPECT_GE(registration->status().waited, absl::Minutes(1));
  });
}

TEST(EventHandlers, AWaitingInformerStopsAtOnce) {
  Simulate([] {
    TestCluster cluster;
    base::Event gate;
    Recorder recorder;
    recorder.SetGate(&gate);
    TestInformer test(cluster);
    ASSERT_THAT(test.informer.AddEventHandler(
                    recorder.Handler(), {.max_pending = 1, .overflow = OverflowPolicy::kWait}),
                IsOk());
    test.StartAndSync();
    for (int i = 0; i < 10; ++i) cluster.Create(absl::StrCat("m", i));
    Pass(absl::Minutes(1));
    test.thread.RequestStop();
    Pass(absl::Minutes(1));
    gate.Set();
    test.Stop();
    EXPECT_THAT(recorder.told(), SizeIs(1));
  });
}

bool IsIn(const ConfigMap& object) { return *object.data.find("v") == "in"; }

// A handler that was told of an object that passes its filter hears of the end, also if the last
// state does not pass, and the change to it was merged with the end.
TEST(EventHandlers, FilteredHandlersHearOfTheEndOfWhatTheyKnow) {
  for (const size_t max_pending : {0, 1}) {
    SCOPED_TRACE(max_pending);
    Simulate([&] {
      TestCluster cluster;
      cluster.Create("left", "in");
      cluster.Create("never", "out");
      base::Event gate;
      Recorder recorder;
      TestInformer test(cluster);
      ASSERT_THAT(
          test.informer.AddEventHandler(FilteringEventHandler<ConfigMap>(IsIn, recorder.Handler()),
                                        {.max_pending = max_pending}),
          IsOk());
      test.StartAndSync();
      recorder.Await(1);
      recorder.SetGate(&gate);
      cluster.Create("busy", "in");
      recorder.Await(2);
      for (const char* key : {"left", "never"}) {
        cluster.Set(key, key == absl::string_view("left") ? "out" : "in");
        Pass(absl::Seconds(1));
        cluster.Delete(key);
        Pass(absl::Seconds(1));
      }
      gate.Set();
      Pass(absl::Minutes(1));
      std::vector<std::string> told = recorder.told();
      // Without a bound it hears of what has come and gone.
      std::erase(told, "add never=in");
      std::erase(told, "delete never=in");
      EXPECT_EQ(told.size(), 3u) << testing::PrintToString(told);
      EXPECT_THAT(told.back(), testing::StartsWith("delete left="));
      EXPECT_EQ(recorder.told().size(), max_pending == 0 ? 5u : 3u);
    });
  }
}

// Events that tests make by hand may have no old object.
TEST(EventHandlers, FiltersTakeDeletesWithoutAnOldObject) {
  Recorder recorder;
  const auto handler = FilteringEventHandler<ConfigMap>(IsIn, recorder.Handler());
  for (const char* value : {"in", "out"}) {
    handler.on_delete({.object = std::make_shared<const ConfigMap>(
                           ConfigMap{.metadata = {.name = "a"}, .data = {{"v", value}}})});
  }
  EXPECT_THAT(recorder.told(), ElementsAre("delete a=in"));
}

TEST(EventHandlers, FiltersTurnChangesIntoAddsAndDeletes) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("in", "yes");
    cluster.Create("out", "no");
    Recorder recorder;
    TestInformer test(cluster);
    ASSERT_THAT(test.informer.AddEventHandler(FilteringEventHandler<ConfigMap>(
                    [](const ConfigMap& object) { return object.data.find("v")->view()[0] == 'y'; },
                    recorder.Handler())),
                IsOk());
    test.StartAndSync();
    recorder.Await(1);
    cluster.Set("in", "yes2");
    cluster.Set("in", "no");
    cluster.Set("out", "yes");
    cluster.Set("out", "yes3");
    cluster.Delete("in");
    cluster.Delete("out");
    recorder.Await(6);
    EXPECT_THAT(recorder.told(),
                ElementsAre("add in=yes initial", "update in=yes>yes2", "delete in=yes2",
                            "add out=yes", "update out=yes>yes3", "delete out=yes3"));
  });
}

}  // namespace
}  // namespace kube::informers
