#include "informers/reflector.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apiserver/handler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/delta.h"
#include "informers/lister_watcher.h"
#include "informers/reflector_options.h"
#include "informers/reflector_status.h"
#include "informers/testing/faulty_transport.h"
#include "informers/testing/test_cluster.h"
#include "informers/transform.h"
#include "listers/indexer.h"
#include "net/httpclient/http_message.h"
#include "net/httpclient/transport_error.h"

namespace kube::informers {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using base::IsOk;
using base::MonotonicTime;
using base::StatusIs;
using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;
using unstructured::Unstructured;

constexpr char kConfigMapsPath[] = "/api/v1/configmaps";

// Runs a test in virtual time.
void Simulate(const std::function<void()>& body) {
  base::SimRuntime sim;
  const absl::Status end = sim.Run([&] { body(); });
  EXPECT_THAT(end, IsOk());
}

// Waits, in virtual time, until something is so.
void Await(const std::function<bool()>& condition, absl::Duration patience = absl::Hours(2)) {
  const absl::Status status =
      base::PollUntilTimeout(Context(), absl::Milliseconds(100), patience, base::FirstPoll::kAtOnce,
                             [&](const Context&) -> absl::StatusOr<bool> { return condition(); });
  EXPECT_THAT(status, IsOk()) << "what was waited for does not come";
}

void Pass(absl::Duration time) { base::SleepFor(Context(), time).IgnoreError(); }

// A reflector that runs, and its store.
template <typename T = ConfigMap>
struct Running {
  Running(TypedListerWatcher<T> source, ReflectorOptions options = {}, Transform<T> transform = {})
      : reflector(std::move(source), IntoStore(store), std::move(options), std::move(transform)) {
    Start();
  }
  Running(const TestCluster& cluster, ReflectorOptions options)
      : Running(*MakeListerWatcher(cluster.config_maps()), std::move(options)) {}

  void Start() {
    const absl::Status status = thread.Start(
        Context(), "reflector", [this](const Context& ctx) { reflector.Run(ctx).IgnoreError(); });
    EXPECT_THAT(status, IsOk());
  }
  void AwaitListed() {
    Await([this] { return reflector.status().has_listed(); });
  }
  void AwaitContent(const TestCluster& cluster) {
    Await([&] { return ContentOf(store) == cluster.Content(); });
  }

  listers::Indexer<T> store;
  Reflector<T> reflector;
  base::Thread thread;
};

// "list rv=0", "watch rv=5" ... for each request.
std::vector<std::string> Requests(TestCluster& cluster) {
  std::vector<std::string> texts;
  for (const std::string& url : cluster.transport().Requests()) {
    std::string text = absl::StrContains(url, "sendInitialEvents=true") ? "watch-list"
                       : absl::StrContains(url, "watch=true")           ? "watch"
                                                                        : "list";
    for (const char* name : {"limit=", "resourceVersion=", "continue="}) {
      const size_t at = url.find(name);
      if (at == std::string::npos) continue;
      const bool is_token = name[0] == 'c';
      absl::StrAppend(&text, " ", is_token ? "continue" : url.substr(at, url.find('&', at) - at));
    }
    texts.push_back(text);
  }
  return texts;
}

// Fails this number of requests whose URL contains the text.
FaultyTransport::Fault FailTimes(std::string part, int times, absl::Status error) {
  auto left = std::make_shared<int>(times);
  return [part = std::move(part), left, error = std::move(error)](
             const httpclient::HttpRequest& request) -> FaultyTransport::Answer {
    if (!absl::StrContains(request.url, part) || *left == 0) return std::nullopt;
    --*left;
    if (httpclient::TransportErrorOf(error).has_value())
      return absl::StatusOr<httpclient::HttpResponse>(error);
    return absl::StatusOr<httpclient::HttpResponse>(ErrorResponse(error));
  };
}

absl::Status Refused() {
  return httpclient::MakeTransportError(
      {.kind = httpclient::TransportErrorKind::kConnect, .maybe_sent = false},
      "connection refused");
}
absl::Status Reset() {
  return httpclient::MakeTransportError({.kind = httpclient::TransportErrorKind::kReset}, "reset");
}

absl::Status TooLarge() {
  metav1::StatusDetails details;
  details.causes.push_back(
      {.reason = "ResourceVersionTooLarge", .message = "Too large resource version"});
  return errors::FromStatus({.status = "Failure",
                             .message = "Too large resource version",
                             .reason = "Timeout",
                             .details = std::move(details),
                             .code = 504});
}

// ---- each way to begin

struct Mode {
  const char* name;
  ReflectorOptions options;
  std::vector<std::string> requests;
};

std::vector<Mode> Modes() {
  return {
      {"RF-5 watch-list", {}, {"watch-list"}},
      {"RF-3 list", {.watch_list = false}, {"list limit=500 resourceVersion=0", "watch resource"}},
      {"RF-4 pages of three",
       {.watch_list = false, .page_size = 3},
       // Of a version that it has in its cache, a server gives all.
       {"list limit=3 resourceVersion=0", "watch resource"}},
  };
}

// behaviour.md: RF-3, RF-5, RF-15
TEST(Reflector, KeepsAStoreUpToDate) {
  for (const Mode& mode : Modes()) {
    Simulate([&] {
      SCOPED_TRACE(mode.name);
      TestCluster cluster;
      for (int i = 0; i < 8; ++i) cluster.Create(absl::StrCat("m", i));
      Running<> running(cluster, mode.options);
      running.AwaitListed();
      running.AwaitContent(cluster);
      EXPECT_EQ(running.store.size(), 8u);
      cluster.Create("new");
      cluster.Set("m0", "2");
      cluster.Delete("m1");
      running.AwaitContent(cluster);
      EXPECT_EQ(running.store.resource_version(), absl::StrCat(cluster.server().revision()));
      const ReflectorStatus status = running.reflector.status();
      EXPECT_EQ(status.state, ReflectorState::kWatching);
      EXPECT_EQ(status.last_sync_resource_version, absl::StrCat(cluster.server().revision()));
      EXPECT_EQ(status.counters.modified, 1);
      EXPECT_EQ(status.counters.deleted, 1);
      EXPECT_EQ(status.counters.errors, 0);
      const std::vector<std::string> requests = Requests(cluster);
      ASSERT_EQ(requests.size(), mode.requests.size());
      for (size_t i = 0; i < requests.size(); ++i) {
        EXPECT_THAT(requests[i], StartsWith(mode.requests[i]));
      }
    });
  }
}

// The example of Reflector.
absl::StatusOr<std::vector<std::string>> WebsOf(const Context& ctx, const ConfigMaps& config_maps) {
  listers::Indexer<corev1::ConfigMap> store;
  KUBE_ASSIGN_OR_RETURN(const auto maps, MakeListerWatcher(config_maps));
  Reflector<corev1::ConfigMap> reflector(maps, IntoStore(store), {.label_selector = "app=web"});
  base::Thread thread;  // after what it uses: it ends first
  const auto run = [&](const Context& run_ctx) { reflector.Run(run_ctx).IgnoreError(); };
  KUBE_RETURN_IF_ERROR(thread.Start(ctx, "reflector", run));
  Await([&] { return reflector.status().has_listed(); });
  return store.ListKeys();
}

TEST(Reflector, StoresWhatItsSelectorMatches_AsInTheHeader) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("other");
    ASSERT_THAT(cluster.direct().Namespace("default").Create(
                    Context(), {.metadata = {.name = "web", .labels = {{"app", "web"}}}}),
                IsOk());
    EXPECT_THAT(WebsOf(Context(), cluster.config_maps()),
                base::IsOkAndHolds(ElementsAre("default/web")));
  });
}

TEST(Reflector, OfUnstructuredObjectsAndOfMetadataAlone) {
  for (const Mode& mode : Modes()) {
    Simulate([&] {
      SCOPED_TRACE(mode.name);
      TestCluster cluster;
      for (int i = 0; i < 8; ++i) cluster.Create(absl::StrCat("m", i));
      Running<Unstructured> any(*MakeListerWatcher(cluster.any_config_maps()), mode.options);
      Running<metav1::PartialObjectMetadata> metadata(*MakeListerWatcher(cluster.metadata()),
                                                      mode.options);
      any.AwaitListed();
      metadata.AwaitListed();
      cluster.Set("m0", "2");
      cluster.Delete("m1");
      Await([&] { return any.store.size() == 7 && metadata.store.size() == 7; });
      const std::shared_ptr<const Unstructured> m0 = any.store.Get("default", "m0");
      EXPECT_EQ(m0->kind(), "ConfigMap");
      EXPECT_EQ(any.store.Get("default", "m2")->api_version(), "v1");
      const auto m0_metadata = metadata.store.Get("default", "m0");
      EXPECT_EQ(m0_metadata->metadata.annotations.size(), 1u);
      for (const apiserver::LoggedRequest& request : cluster.server().Requests()) {
        if (absl::StrContains(request.accept, "as=")) return;
      }
      ADD_FAILURE() << "nobody asked for metadata";
    });
  }
}

TEST(Reflector, OfOneNamespaceAndBySelectors) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a", "1");
    cluster.Create("b", "2");
    cluster.Create("kube-system/a", "1");
    Running<> one(*MakeListerWatcher(cluster.config_maps().Namespace("kube-system")));
    Running<> labelled(cluster, {.label_selector = "value=1"});
    Running<> named(cluster, {.field_selector = "metadata.name=b", .watch_list = false});
    Running<> both(*MakeListerWatcher(cluster.config_maps(), {.label_selector = "value=1"}),
                   {.field_selector = "metadata.name=a"});
    Running<> neither(*MakeListerWatcher(cluster.config_maps(), {.label_selector = "value=1"}),
                      {.label_selector = "value=2"});
    for (Running<>* running : {&one, &labelled, &named, &both, &neither}) running->AwaitListed();
    EXPECT_THAT(both.store.ListKeys(), UnorderedElementsAre("default/a", "kube-system/a"));
    EXPECT_EQ(neither.store.size(), 0u);
    EXPECT_THAT(one.store.ListKeys(), ElementsAre("kube-system/a"));
    EXPECT_EQ(labelled.store.size(), 2u);
    EXPECT_THAT(named.store.ListKeys(), ElementsAre("default/b"));
    // An object that is no longer selected is deleted.
    cluster.Set("a", "3");
    Await([&] { return labelled.store.size() == 1; });
    EXPECT_EQ(one.reflector.name(), "configmaps in kube-system");
    EXPECT_EQ(labelled.reflector.name(), "configmaps");
  });
}

// ---- what goes wrong

// 422, as from servers without watch-lists.
// behaviour.md: RF-6
TEST(Reflector, ListsWhereTheServerHasNoWatchLists) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    cluster.transport().SetFault(
        FailTimes("sendInitialEvents", 1,
                  errors::Invalid({.kind = "ListOptions"}, "", List<metav1::StatusCause>())));
    Running<> running(cluster, {});
    running.AwaitListed();
    EXPECT_THAT(Requests(cluster), ElementsAre("watch-list", "list limit=500 resourceVersion=0",
                                               StartsWith("watch resourceVersion=")));
    EXPECT_EQ(ContentOf(running.store), cluster.Content());
  });
}

// What happened in between is forgotten by the server; a list finds out.
// behaviour.md: RF-7
TEST(Reflector, ListsAgainWhenItsWatchHasExpired) {
  for (const Mode& mode : Modes()) {
    Simulate([&] {
      SCOPED_TRACE(mode.name);
      TestCluster cluster;
      for (int i = 0; i < 8; ++i) cluster.Create(absl::StrCat("m", i));
      Running<> running(cluster, mode.options);
      running.AwaitListed();
      cluster.transport().SetFault(FailTimes("watch=true", 1, Refused()));
      Pass(absl::Seconds(2));
      cluster.transport().BreakStreams(absl::OkStatus());
      Await([&] { return running.reflector.status().state == ReflectorState::kBackingOff; });
      cluster.Delete("m3");
      cluster.Set("m4", "2");
      cluster.Create("other");
      cluster.server().Compact();
      const MonotonicTime start = base::Now();
      running.AwaitContent(cluster);
      EXPECT_LT(base::Now() - start, absl::Seconds(5));
      const ReflectorStatus status = running.reflector.status();
      EXPECT_EQ(status.counters.expired, 1);
      EXPECT_EQ(status.counters.syncs, 2);
      EXPECT_THAT(status.error, IsOk());
    });
  }
}

// A server that has restarted knows old states, but lets nobody watch from them. What it lists must
// be a newer one, or that would have no end.
TEST(Reflector, ListsAgainWhenTheServerHasRestarted) {
  for (const Mode& mode : Modes()) {
    Simulate([&] {
      SCOPED_TRACE(mode.name);
      TestCluster cluster;
      for (int i = 0; i < 8; ++i) cluster.Create(absl::StrCat("m", i));
      Running<> running(cluster, mode.options);
      running.AwaitListed();
      const std::string version =
          absl::StrCat("resourceVersion=", running.reflector.status().last_sync_resource_version);
      cluster.transport().SetFault(
          [version](const httpclient::HttpRequest& request) -> FaultyTransport::Answer {
            const bool only_watch = absl::StrContains(request.url, "watch=true") &&
                                    !absl::StrContains(request.url, "sendInitialEvents");
            if (!only_watch || !absl::StrContains(request.url, version)) return std::nullopt;
            return absl::StatusOr<httpclient::HttpResponse>(
                ErrorResponse(errors::ResourceExpired("old")));
          });
      cluster.transport().BreakStreams(Reset());
      cluster.Delete("m3");
      const MonotonicTime start = base::Now();
      running.AwaitContent(cluster);
      EXPECT_LT(base::Now() - start, absl::Seconds(5));
      EXPECT_EQ(running.reflector.status().counters.syncs, 2);
    });
  }
}

// A server that was restored from a backup has lower versions than were seen.
// behaviour.md: RF-3
TEST(Reflector, AsksWithoutAVersionWhereItIsTooLarge) {
  for (const Mode& mode : Modes()) {
    Simulate([&] {
      SCOPED_TRACE(mode.name);
      TestCluster cluster;
      for (int i = 0; i < 8; ++i) cluster.Create(absl::StrCat("m", i));
      Running<> running(cluster, mode.options);
      running.AwaitListed();
      const std::string version =
          absl::StrCat("resourceVersion=", running.reflector.status().last_sync_resource_version);
      cluster.transport().ClearRequests();
      cluster.transport().SetFault(
          [version](const httpclient::HttpRequest& request) -> FaultyTransport::Answer {
            if (!absl::StrContains(request.url, version)) return std::nullopt;
            const bool only_watch = absl::StrContains(request.url, "watch=true") &&
                                    !absl::StrContains(request.url, "sendInitialEvents");
            return absl::StatusOr<httpclient::HttpResponse>(
                ErrorResponse(only_watch ? errors::ResourceExpired("old") : TooLarge()));
          });
      cluster.transport().BreakStreams(Reset());
      Await([&] { return running.reflector.status().counters.syncs > 1; });
      EXPECT_THAT(Requests(cluster), Contains(AnyOf("watch-list", StartsWith("list limit"))));
      EXPECT_GE(running.reflector.status().counters.expired, 1);
      cluster.Create("n");
      running.AwaitContent(cluster);
    });
  }
}

// A first page that a server gives from its database, then the others by their tokens.
// behaviour.md: RF-4
TEST(Reflector, ListsInPages) {
  Simulate([] {
    TestCluster cluster;
    for (int i = 0; i < 8; ++i) cluster.Create(absl::StrCat("m", i));
    cluster.transport().SetFault(
        FailTimes("resourceVersion=0", 1, errors::ResourceExpired("no cache")));
    Running<> running(cluster, {.watch_list = false, .page_size = 3});
    running.AwaitListed();
    EXPECT_EQ(ContentOf(running.store), cluster.Content());
    EXPECT_THAT(Requests(cluster), ElementsAre("list limit=3 resourceVersion=0", "list limit=3",
                                               "list limit=3 continue", "list limit=3 continue",
                                               StartsWith("watch resourceVersion=")));
  });
}

// The token of a page has expired.
TEST(Reflector, ListsAllAtOnceWhenAPageHasExpired) {
  Simulate([] {
    TestCluster cluster;
    for (int i = 0; i < 8; ++i) cluster.Create(absl::StrCat("m", i));
    auto fault = FailTimes("resourceVersion=0", 1, errors::ResourceExpired("no cache"));
    auto token = FailTimes("continue=", 1, errors::ResourceExpired("old token"));
    cluster.transport().SetFault([=](const httpclient::HttpRequest& request) {
      FaultyTransport::Answer answer = fault(request);
      return answer.has_value() ? std::move(answer) : token(request);
    });
    Running<> running(cluster, {.watch_list = false, .page_size = 3});
    running.AwaitListed();
    EXPECT_EQ(ContentOf(running.store), cluster.Content());
    EXPECT_THAT(Requests(cluster),
                ElementsAre("list limit=3 resourceVersion=0", "list limit=3",
                            "list limit=3 continue", "list", StartsWith("watch resourceVersion=")));
  });
}

// What is known stays right, and nothing is listed again.
// behaviour.md: RF-7
TEST(Reflector, WatchesAgainWhenTheServerWasAway) {
  const struct {
    const char* name;
    absl::Status error;
  } cases[] = {
      {"refused", Refused()},
      {"429", errors::TooManyRequestsError("slow")},
  };
  for (const auto& test : cases) {
    Simulate([&] {
      SCOPED_TRACE(test.name);
      TestCluster cluster;
      cluster.Create("a");
      Running<> running(cluster, {.watch_list = false});
      running.AwaitListed();
      Pass(absl::Seconds(2));
      cluster.transport().SetFault(FailTimes("watch=true", 4, test.error));
      cluster.transport().BreakStreams(absl::OkStatus());
      Await([&] { return running.reflector.status().state == ReflectorState::kBackingOff; });
      EXPECT_THAT(running.reflector.status().error, Not(IsOk()));
      cluster.Create("b");
      const MonotonicTime start = base::Now();
      running.AwaitContent(cluster);
      // 0.8, 1.6, 3.2, 6.4 s, and up to twice that.
      EXPECT_GT(base::Now() - start, absl::Seconds(6));
      EXPECT_LT(base::Now() - start, absl::Seconds(25));
      EXPECT_EQ(running.reflector.status().counters.lists, 1);
    });
  }
}

TEST(Reflector, GoesOnFromTheLastVersionWhenAConnectionIsLost) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Running<> running(cluster, {});
    running.AwaitListed();
    cluster.Create("b");
    running.AwaitContent(cluster);
    Pass(absl::Seconds(2));
    const std::string version = absl::StrCat(cluster.server().revision());
    cluster.transport().BreakStreams(Reset());
    cluster.Create("c");
    const MonotonicTime start = base::Now();
    running.AwaitContent(cluster);
    EXPECT_LT(base::Now() - start, absl::Seconds(1));
    EXPECT_THAT(Requests(cluster),
                ElementsAre("watch-list", absl::StrCat("watch resourceVersion=", version)));
  });
}

// The connection looks sound, and nothing comes.
TEST(Reflector, NoticesAServerThatSaysNothingMore) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Running<> running(cluster, {});
    running.AwaitListed();
    // As long as bookmarks come, all is well.
    Pass(absl::Minutes(4));
    EXPECT_EQ(running.reflector.status().counters.watches, 0);
    EXPECT_GE(running.reflector.status().counters.bookmarks, 4);
    cluster.transport().StallStreams();
    cluster.Create("b");
    const MonotonicTime start = base::Now();
    running.AwaitContent(cluster);
    EXPECT_LE(base::Now() - start, absl::Minutes(3) + absl::Seconds(1));
    EXPECT_EQ(running.reflector.status().counters.lists, 0);
  });
}

// The server ends watches, and each continues where the previous one ended.
TEST(Reflector, WatchesForHoursWithoutListing) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Running<> running(cluster, {});
    for (int i = 0; i < 60; ++i) {
      Pass(absl::Minutes(3));
      cluster.Set("a", absl::StrCat(i));
      running.AwaitContent(cluster);
    }
    const ReflectorStatus status = running.reflector.status();
    EXPECT_EQ(status.counters.errors, 0);
    EXPECT_EQ(status.counters.syncs, 1);
    // Three hours of watches of five to ten minutes.
    EXPECT_GE(status.counters.watches, 18);
    EXPECT_LE(status.counters.watches, 36);
  });
}

// Upstream waits up to a minute here.
// behaviour.md: RF-8
TEST(Reflector, StopsAtOnceWhileItBacksOff) {
  Simulate([] {
    TestCluster cluster;
    cluster.transport().SetFault(FailTimes(kConfigMapsPath, 1000, Refused()));
    Running<> running(cluster, {});
    Pass(absl::Minutes(5));
    EXPECT_EQ(running.reflector.status().state, ReflectorState::kBackingOff);
    const MonotonicTime start = base::Now();
    running.thread.RequestStop();
    running.thread.Join();
    EXPECT_EQ(base::Now(), start);
    EXPECT_EQ(running.reflector.status().state, ReflectorState::kStopped);
  });
}

// ... and in a list, in a watch-list and in a watch.
TEST(Reflector, StopsAtOnceWhateverItDoes) {
  for (const bool stalled : {false, true}) {
    for (const Mode& mode : Modes()) {
      Simulate([&] {
        TestCluster cluster;
        for (int i = 0; i < 8; ++i) cluster.Create(absl::StrCat("m", i));
        Running<> running(cluster, mode.options);
        if (!stalled) running.AwaitListed();
        const MonotonicTime start = base::Now();
        running.thread.RequestStop();
        running.thread.Join();
        EXPECT_EQ(base::Now(), start);
      });
    }
  }
}

TEST(Reflector, SaysWhyNothingComes) {
  Simulate([] {
    TestCluster cluster;
    cluster.transport().SetFault(
        FailTimes(kConfigMapsPath, 1000, errors::Forbidden({.resource = "configmaps"}, "", "no")));
    std::vector<absl::Status> told;
    Running<> running(cluster, {.on_error = [&](const absl::Status& e) { told.push_back(e); }});
    Await([&] { return running.reflector.status().counters.back_offs == 3; });
    const ReflectorStatus status = running.reflector.status();
    EXPECT_FALSE(status.has_listed());
    EXPECT_TRUE(errors::IsForbidden(status.error));
    EXPECT_THAT(std::string(status.error.message()), HasSubstr("configmaps"));
    cluster.transport().SetFault(nullptr);
    running.AwaitListed();
    EXPECT_THAT(running.reflector.status().error, IsOk());
    EXPECT_EQ(running.reflector.status().counters.errors, static_cast<int64_t>(told.size()));
  });
}

// behaviour.md: RF-11
TEST(Reflector, BacksOffAfterVeryShortWatches) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    cluster.transport().SetFault(
        [](const httpclient::HttpRequest& request) -> FaultyTransport::Answer {
          if (!absl::StrContains(request.url, "watch=true")) return std::nullopt;
          return absl::StatusOr<httpclient::HttpResponse>(JsonResponse(""));
        });
    Running<> running(cluster, {.watch_list = false});
    Pass(absl::Minutes(10));
    const ReflectorCounters counters = running.reflector.status().counters;
    EXPECT_EQ(counters.watches, counters.lists);
    EXPECT_LT(counters.lists, 30);
    EXPECT_GT(counters.lists, 10);
  });
}

// behaviour.md: RF-5
TEST(Reflector, WarnsWhenAWatchListDoesNotEnd) {
  log::LogCapture capture;
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    cluster.transport().SetFault(
        [](const httpclient::HttpRequest& request) -> FaultyTransport::Answer {
          if (!absl::StrContains(request.url, "sendInitialEvents")) return std::nullopt;
          return absl::StatusOr<httpclient::HttpResponse>(SilentResponse());
        });
    Running<> running(cluster, {});
    Pass(absl::Seconds(45));
    EXPECT_EQ(running.reflector.status().state, ReflectorState::kWatchListing);
    // It counts as lost, and is no reason not to list.
    Pass(absl::Minutes(3));
    EXPECT_TRUE(running.reflector.status().has_listed());
  });
  EXPECT_THAT(capture.Lines(), Contains(HasSubstr("hasn't received required bookmark event")));
}

// behaviour.md: RF-9
TEST(Reflector, LeavesOutObjectsOfAnotherKind) {
  log::LogCapture capture;
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    cluster.transport().SetFault(
        [](const httpclient::HttpRequest& request) -> FaultyTransport::Answer {
          if (!absl::StrContains(request.url, "watch=true")) return std::nullopt;
          return absl::StatusOr<httpclient::HttpResponse>(JsonResponse(
              R"({"type":"ADDED","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1"}})"
              R"({"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":)"
              R"({"name":"b","namespace":"default","resourceVersion":"900"}}})"));
        });
    Running<Unstructured> running(*MakeListerWatcher(cluster.any_config_maps()),
                                  {.watch_list = false});
    Await([&] { return running.store.size() == 2; });
    EXPECT_NE(running.store.Get("default", "b"), nullptr);
  });
  EXPECT_THAT(capture.Lines(), Contains(HasSubstr("unexpected watch event object gvk")));
}

// ---- transforms and projections

// behaviour.md: INF-6
TEST(Reflector, TransformsBeforeItStores) {
  for (const Mode& mode : Modes()) {
    Simulate([&] {
      SCOPED_TRACE(mode.name);
      TestCluster cluster;
      for (int i = 0; i < 8; ++i) cluster.Create(absl::StrCat("m", i));
      Running<> running(*MakeListerWatcher(cluster.config_maps()), mode.options,
                        [](ConfigMap& object) {
                          object.metadata = {};
                          object.data["seen"] = object.data["v"].view();
                          return absl::OkStatus();
                        });
      running.AwaitListed();
      cluster.Set("m0", "2");
      cluster.Set("m0", "3");
      running.AwaitContent(cluster);
      const std::shared_ptr<const ConfigMap> m0 = running.store.Get("default", "m0");
      EXPECT_EQ(*m0->data.find("seen"), "3");
      EXPECT_TRUE(m0->metadata.annotations.empty());
      EXPECT_EQ(m0->metadata.resource_version, absl::StrCat(cluster.server().revision()));
      EXPECT_NE(m0->metadata.uid, "");
    });
  }
}

TEST(Reflector, LeavesOutWhatATransformRefuses) {
  log::LogCapture capture;
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Running<> running(*MakeListerWatcher(cluster.config_maps()), {}, [](ConfigMap& object) {
      const String* value = object.data.find("v");
      return *value == "bad" ? absl::InvalidArgumentError("bad") : absl::OkStatus();
    });
    running.AwaitListed();
    cluster.Create("b", "bad");
    cluster.Create("c");
    Await([&] { return running.store.size() == 2; });
    EXPECT_EQ(running.store.Get("default", "b"), nullptr);
    EXPECT_EQ(running.reflector.status().counters.rejected, 1);
  });
}

TEST(Reflector, ProjectsWhileItDecodes) {
  for (const Mode& mode : Modes()) {
    Simulate([&] {
      SCOPED_TRACE(mode.name);
      TestCluster cluster;
      cluster.Create("a");
      const auto source = MakeListerWatcher(
          cluster.config_maps(),
          {.projection = {.drop = {"metadata.annotations"}}, .drop_managed_fields = true});
      ASSERT_THAT(source, IsOk());
      Running<> running(*source, mode.options);
      running.AwaitListed();
      cluster.Create("b");
      running.AwaitContent(cluster);
      for (const ConfigMap& object : running.store.List()) {
        EXPECT_TRUE(object.metadata.annotations.empty());
        EXPECT_EQ(object.kind, "");
        EXPECT_FALSE(object.metadata.labels.empty());
      }
    });
  }
}

TEST(MakeListerWatcher, ProjectionsOfFieldsThatThereAreNot) {
  Simulate([] {
    TestCluster cluster;
    EXPECT_THAT(
        MakeListerWatcher(cluster.config_maps(), {.projection = {.drop = {"spec.x"}}}).status(),
        StatusIs(absl::StatusCode::kInvalidArgument));
    EXPECT_THAT(
        MakeListerWatcher(cluster.any_config_maps(), {.drop_managed_fields = true}).status(),
        StatusIs(absl::StatusCode::kInvalidArgument));
  });
}

TEST(Reflector, TellsASinkWhatHasHappened) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    std::vector<std::string> seen;
    Reflector<ConfigMap> reflector(*MakeListerWatcher(cluster.config_maps()),
                                   [&](const Context&, Delta<ConfigMap> delta) {
                                     seen.push_back(std::string(ToString(delta.type)));
                                     return absl::OkStatus();
                                   });
    base::Thread thread;
    ASSERT_THAT(thread.Start(Context(), "reflector",
                             [&](const Context& ctx) { reflector.Run(ctx).IgnoreError(); }),
                IsOk());
    Await([&] { return reflector.status().has_listed(); });
    cluster.Create("b");
    cluster.Set("a", "2");
    cluster.Delete("b");
    Pass(absl::Seconds(90));
    thread.RequestStop();
    thread.Join();
    EXPECT_THAT(seen, ElementsAre("ReplacedAll", "Added", "Updated", "Deleted", "Bookmark"));
  });
}

// behaviour.md: RF-12
TEST(Reflector, Resyncs) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    int syncs = 0;
    bool wanted = true;
    Reflector<ConfigMap> reflector(
        *MakeListerWatcher(cluster.config_maps()),
        [&](const Context&, const Delta<ConfigMap>& delta) {
          syncs += delta.type == DeltaType::kSync ? 1 : 0;
          return absl::OkStatus();
        },
        {.resync_period = absl::Seconds(30), .should_resync = [&] { return wanted; }});
    base::Thread thread;
    ASSERT_THAT(thread.Start(Context(), "reflector",
                             [&](const Context& ctx) { reflector.Run(ctx).IgnoreError(); }),
                IsOk());
    Pass(absl::Seconds(155));
    EXPECT_EQ(syncs, 5);
    wanted = false;
    Pass(absl::Minutes(2));
    EXPECT_EQ(syncs, 5);
    EXPECT_EQ(reflector.status().counters.resyncs, 5);
  });
}

// A sink that cannot take a list is given another one.
TEST(Reflector, ListsAgainWhenAListCannotBeStored) {
  Simulate([] {
    TestCluster cluster;
    int lists = 0;
    Reflector<ConfigMap> reflector(*MakeListerWatcher(cluster.config_maps()),
                                   [&](const Context&, const Delta<ConfigMap>& delta) {
                                     if (delta.type != DeltaType::kReplaced || ++lists == 3) {
                                       return absl::OkStatus();
                                     }
                                     return absl::InternalError("not now");
                                   });
    base::Thread thread;
    ASSERT_THAT(thread.Start(Context(), "reflector",
                             [&](const Context& ctx) { reflector.Run(ctx).IgnoreError(); }),
                IsOk());
    Await([&] { return lists == 3; });
    Pass(absl::Minutes(10));
    EXPECT_EQ(lists, 3);
    EXPECT_EQ(reflector.status().state, ReflectorState::kWatching);
  });
}

}  // namespace
}  // namespace kube::informers
