#include "informers/store_advanced_registration.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/random.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/sim_search.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/errors.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/handler_options.h"
#include "informers/shared_informer.h"
#include "informers/testing/faulty_transport.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_informer.h"
#include "net/httpclient/http_message.h"

namespace kube::informers {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Content = std::map<std::string, std::string>;

// Records what a callback finds in the store. Thread-safe.
class Seen {
 public:
  explicit Seen(const SharedInformer<ConfigMap>& informer) : informer_(informer) {}

  std::function<void()> Callback() {
    return [this] {
      Content content = ContentOf(*informer_.store());
      base::MutexLock lock(mutex_);
      contents_.push_back(std::move(content));
    };
  }
  std::vector<Content> contents() const ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    return contents_;
  }

 private:
  const SharedInformer<ConfigMap>& informer_;
  mutable base::Mutex mutex_;
  std::vector<Content> contents_ ABSL_GUARDED_BY(mutex_);
};

// Changes an object and loses the history while nobody watches, so that a list tells of it.
void ChangeUnwatched(TestCluster& cluster) {
  cluster.transport().SetFault([](const httpclient::HttpRequest&) -> FaultyTransport::Answer {
    return absl::StatusOr<httpclient::HttpResponse>(ErrorResponse(errors::InternalError("away")));
  });
  cluster.transport().BreakStreams(absl::OkStatus());
  Pass(absl::Minutes(1));
  cluster.Set("a", "3");
  cluster.server().Compact();
  cluster.transport().SetFault(nullptr);
}

TEST(StoreAdvancedRegistration, IsCalledWhenAChangeCanBeRead) {
  const struct {
    const char* name;
    std::function<void(TestCluster&)> act;
    Content content;
  } rows[] = {
      {"a new object",
       [](TestCluster& cluster) { cluster.Create("b"); },
       {{"default/a", "1"}, {"default/b", "1"}}},
      {"a changed object",
       [](TestCluster& cluster) { cluster.Set("a", "2"); },
       {{"default/a", "2"}}},
      {"a deleted object", [](TestCluster& cluster) { cluster.Delete("a"); }, {}},
      {"a list, because the history was lost", ChangeUnwatched, {{"default/a", "3"}}},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const log::LogCapture quiet;
    Simulate([&] {
      TestCluster cluster;
      cluster.Create("a");
      TestInformer test(cluster);
      test.StartAndSync();
      Seen seen(test.informer);
      const StoreAdvancedRegistration registration = test.informer.OnStoreAdvanced(seen.Callback());
      row.act(cluster);
      Await([&] { return !seen.contents().empty(); });
      EXPECT_EQ(seen.contents().front(), row.content);
    });
  }
}

TEST(StoreAdvancedRegistration, IsCalledForTheFirstList) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    TestInformer test(cluster);
    Seen seen(test.informer);
    const StoreAdvancedRegistration registration = test.informer.OnStoreAdvanced(seen.Callback());
    test.StartAndSync();
    EXPECT_THAT(seen.contents(), ElementsAre(Content{{"default/a", "1"}}));
  });
}

TEST(StoreAdvancedRegistration, IsCalledForABookmarkOfANewerVersionOnly) {
  Simulate([] {
    TestCluster cluster({.bookmark_interval = absl::Seconds(30)});
    cluster.Create("a");
    TestInformer test(cluster, {.reflector = {.label_selector = "value=1"}});
    test.StartAndSync();
    Seen seen(test.informer);
    const StoreAdvancedRegistration registration = test.informer.OnStoreAdvanced(seen.Callback());
    Pass(absl::Minutes(3));
    EXPECT_THAT(seen.contents(), IsEmpty()) << "the bookmarks had the version of the list";
    // Not selected: only a bookmark tells of it.
    cluster.Create("b", "2");
    const std::string version = absl::StrCat(cluster.server().revision());
    EXPECT_FALSE(test.informer.HasResourceVersion(version));
    Await([&] { return !seen.contents().empty(); });
    EXPECT_TRUE(test.informer.HasResourceVersion(version));
    EXPECT_THAT(seen.contents(), ElementsAre(Content{{"default/a", "1"}}));
  });
}

TEST(StoreAdvancedRegistration, IsNotCalledForResyncs) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Recorder recorder;
    TestInformer test(cluster, {.resync_period = absl::Minutes(1)});
    ASSERT_THAT(test.informer.AddEventHandler(recorder.Handler()), IsOk());
    test.StartAndSync();
    Seen seen(test.informer);
    const StoreAdvancedRegistration registration = test.informer.OnStoreAdvanced(seen.Callback());
    recorder.Await(3);
    EXPECT_THAT(seen.contents(), IsEmpty());
  });
}

// The handler is in its first call, so that the informer waits with all that follows.
TEST(StoreAdvancedRegistration, IsCalledBeforeTheInformerWaitsForAHandler) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    base::Event gate;
    Recorder slow;
    slow.SetGate(&gate);
    TestInformer test(cluster);
    ASSERT_THAT(test.informer.AddEventHandler(
                    slow.Handler(), {.max_pending = 1, .overflow = OverflowPolicy::kWait}),
                IsOk());
    test.StartAndSync();
    slow.Await(1);
    Seen seen(test.informer);
    const StoreAdvancedRegistration registration = test.informer.OnStoreAdvanced(seen.Callback());
    cluster.Create("b");
    Await([&] { return seen.contents().size() == 1; });
    EXPECT_THAT(slow.told(), SizeIs(1));
    gate.Set();
  });
}

TEST(StoreAdvancedRegistration, IsNotCalledAfterItsEnd) {
  Simulate([] {
    TestCluster cluster;
    TestInformer test(cluster);
    test.StartAndSync();
    Seen destroyed(test.informer);
    Seen unregistered(test.informer);
    Seen replaced(test.informer);
    Seen stays(test.informer);
    {
      const StoreAdvancedRegistration registration =
          test.informer.OnStoreAdvanced(destroyed.Callback());
    }
    StoreAdvancedRegistration ends = test.informer.OnStoreAdvanced(unregistered.Callback());
    ends.Unregister();
    ends.Unregister();
    StoreAdvancedRegistration moved = test.informer.OnStoreAdvanced(replaced.Callback());
    moved = test.informer.OnStoreAdvanced(stays.Callback());
    const StoreAdvancedRegistration last = std::move(moved);
    cluster.Create("a");
    Await([&] { return !stays.contents().empty(); });
    EXPECT_THAT(destroyed.contents(), IsEmpty());
    EXPECT_THAT(unregistered.contents(), IsEmpty());
    EXPECT_THAT(replaced.contents(), IsEmpty());
  });
}

TEST(StoreAdvancedRegistration, ACallbackMayEndItself) {
  Simulate([] {
    TestCluster cluster;
    TestInformer test(cluster);
    test.StartAndSync();
    int calls = 0;
    Seen stays(test.informer);
    std::optional<StoreAdvancedRegistration> own;
    own = test.informer.OnStoreAdvanced([&] {
      ++calls;
      own.reset();
    });
    const StoreAdvancedRegistration registration = test.informer.OnStoreAdvanced(stays.Callback());
    cluster.Create("a");
    Await([&] { return stays.contents().size() == 1; });
    cluster.Create("b");
    Await([&] { return stays.contents().size() == 2; });
    test.Stop();
    EXPECT_EQ(calls, 1);
  });
}

TEST(StoreAdvancedRegistration, MayOutliveTheInformer) {
  Simulate([] {
    TestCluster cluster;
    int calls = 0;
    StoreAdvancedRegistration registration;
    StoreAdvancedRegistration late;
    {
      TestInformer test(cluster);
      registration = test.informer.OnStoreAdvanced([&] { ++calls; });
      test.StartAndSync();
      test.Stop();
      late = test.informer.OnStoreAdvanced([&] { calls += 100; });
      const StoreAdvancedRegistration none = test.informer.OnStoreAdvanced(nullptr);
    }
    EXPECT_EQ(calls, 1);
  });
}

// ---- in simulations

absl::Status Search(absl::Status (*program)(), int64_t seeds) {
  return base::SearchSeeds(
      [&](base::SimRuntime& sim) -> absl::Status {
        absl::Status outcome;
        KUBE_RETURN_IF_ERROR(sim.Run([&] { outcome = program(); }));
        return outcome;
      },
      {.seeds = base::SimulationSeeds(seeds)});
}

// Waits for versions as a work queue does: without a thread that blocks in the informer.
class Waiter {
 public:
  explicit Waiter(SharedInformer<ConfigMap>& informer)
      : informer_(informer), registration_(informer.OnStoreAdvanced([this] {
          base::MutexLock lock(mutex_);
          advanced_.NotifyAll();
        })) {}

  absl::Status WaitFor(const Context& ctx, const std::string& version) ABSL_LOCKS_EXCLUDED(mutex_) {
    base::MutexLock lock(mutex_);
    return advanced_.Wait(ctx, mutex_, [&] { return informer_.HasResourceVersion(version); });
  }

 private:
  SharedInformer<ConfigMap>& informer_;
  base::Mutex mutex_;
  base::CondVar advanced_;
  const StoreAdvancedRegistration registration_;  // last: its callback uses the rest
};

absl::Status ReadOwnWrites() {
  TestCluster cluster;
  cluster.Create("a");
  TestInformer test(cluster);
  test.StartAndSync();
  for (int i = 0; i < 20; ++i) {
    Waiter waiter(test.informer);
    const std::string value = absl::StrCat(i);
    cluster.Set("a", value);
    KUBE_RETURN_IF_ERROR(waiter.WaitFor(WithTimeout(Context(), absl::Seconds(20)),
                                        absl::StrCat(cluster.server().revision())));
    if (ContentOf(*test.informer.store())["default/a"] != value) {
      return absl::InternalError("the write cannot be read");
    }
  }
  return absl::OkStatus();
}

TEST(StoreAdvancedRegistration, NoAdvanceIsMissed) {
  EXPECT_THAT(Search(ReadOwnWrites, 50), IsOk());
}

// A number near those of the server, or no version at all.
std::string AnyVersion(int64_t revision) {
  static constexpr const char* kNone[] = {"", "0", "-1", "007", "1.5", "x"};
  if (base::UniformInt(0, 5) == 0) return kNone[base::UniformInt(0, 6)];
  if (base::UniformInt(0, 10) == 0) return "340282366920938463463374607431768211456";
  return absl::StrCat(base::UniformInt(1, revision + 5));
}

// The store may advance between two of the three questions, but never goes back.
absl::Status CompareAnswers(const SharedInformer<ConfigMap>& informer, const std::string& version) {
  CancelScope done = WithCancel(Context());
  done.Cancel();
  const bool before = informer.HasResourceVersion(version);
  const absl::Status waited = informer.WaitForResourceVersion(done.context(), version);
  const bool after = informer.HasResourceVersion(version);
  const bool agrees = (waited.ok() || !before) && (after || !waited.ok()) &&
                      !(absl::IsInvalidArgument(waited) && after);
  if (agrees) return absl::OkStatus();
  return absl::InternalError(
      absl::StrCat("\"", version, "\": ", before, ", then ", waited.ToString(), ", then ", after));
}

absl::Status AskAtRandom() {
  TestCluster cluster;
  cluster.Create("a");
  TestInformer test(cluster);
  KUBE_RETURN_IF_ERROR(CompareAnswers(test.informer, "1"));
  test.Start();
  int had = 0;
  for (int i = 0; i < 100; ++i) {
    if (base::UniformInt(0, 3) == 0) cluster.Set("a", absl::StrCat(i));
    const std::string version = AnyVersion(cluster.server().revision());
    KUBE_RETURN_IF_ERROR(CompareAnswers(test.informer, version));
    had += test.informer.HasResourceVersion(version) ? 1 : 0;
    if (base::UniformInt(0, 4) == 0) Pass(absl::Milliseconds(base::UniformInt(0, 10)));
  }
  test.Stop();
  KUBE_RETURN_IF_ERROR(CompareAnswers(test.informer, "1"));
  if (had == 0 || had == 100) return absl::InternalError("all answers were the same");
  return absl::OkStatus();
}

TEST(HasResourceVersion, AgreesWithWaitForResourceVersion) {
  EXPECT_THAT(Search(AskAtRandom, 50), IsOk());
}

TEST(HasResourceVersion, SaysNoToWhatIsNoVersion) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    TestInformer test(cluster);
    EXPECT_FALSE(test.informer.HasResourceVersion("1")) << "before the first list";
    test.StartAndSync();
    EXPECT_TRUE(test.informer.HasResourceVersion(test.informer.LastSyncResourceVersion()));
    for (const char* version : {"", "0", "-1", "01", "x"}) {
      SCOPED_TRACE(version);
      EXPECT_FALSE(test.informer.HasResourceVersion(version));
      EXPECT_THAT(test.informer.WaitForResourceVersion(Context(), version),
                  StatusIs(absl::StatusCode::kInvalidArgument));
    }
  });
}

}  // namespace
}  // namespace kube::informers
