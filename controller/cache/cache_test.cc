#include "controller/cache/cache.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/monotonic_time.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/refusing_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/meta/object_name.h"
#include "apiserver/fault_rule.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/typed/resource.h"
#include "controller/cache/cache_options.h"
#include "controller/cache/required_access.h"
#include "controller/cache/view.h"
#include "controller/cache/watched.h"
#include "controller/cache/watched_core.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "informers/testing/faulty_transport.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_informer.h"
#include "net/httpclient/http_message.h"

namespace kube::controller {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;
using informers::AddEvent;
using informers::Await;
using informers::ConfigMap;
using informers::FaultyTransport;
using informers::Pass;
using informers::Recorder;
using informers::Simulate;
using informers::TestCluster;
using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;
using testing::UnorderedElementsAre;

constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};

Context Soon() { return WithTimeout(Context(), absl::Minutes(1)); }

meta::ObjectName Named(const char* namespace_name, const char* name) {
  return {.namespace_name = namespace_name, .name = name};
}

void StartAndSync(const std::vector<std::shared_ptr<WatchedCore>>& cores) {
  for (const std::shared_ptr<WatchedCore>& core : cores) core->Start();
  for (const std::shared_ptr<WatchedCore>& core : cores) {
    EXPECT_THAT(core->WaitForSync(Soon()), IsOk());
  }
}

template <typename Range>
std::vector<std::string> NamesIn(const Range& range) {
  std::vector<std::string> names;
  for (const auto& object : range) names.emplace_back(object.metadata.name.view());
  std::sort(names.begin(), names.end());
  return names;
}

FaultyTransport::Answer Forbidden(const httpclient::HttpRequest&) {
  return absl::StatusOr<httpclient::HttpResponse>(
      informers::ErrorResponse(errors::Forbidden({.resource = "configmaps"}, "", "no role")));
}

FaultyTransport::Answer Unavailable(const httpclient::HttpRequest&) {
  return absl::StatusOr<httpclient::HttpResponse>(
      informers::ErrorResponse(errors::InternalError("no storage")));
}

// ---- what is watched

// CACHE-2, CACHE-23: each type of objects is a watch of its own.
// behaviour.md: CACHE-2, CACHE-22, CACHE-23
TEST(Cache, WatchesObjectsMetadataAndKindsThatAreKnownAtRunTime) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a", "7");
    Cache cache(cluster.config_maps().client());
    const auto maps = cache.Watch<ConfigMap>();
    const auto only_metadata = cache.WatchMetadata<ConfigMap>();
    const auto unstructured_maps = cache.WatchDynamic(kConfigMaps);
    const auto dynamic_metadata = cache.WatchDynamicMetadata(kConfigMaps);
    StartAndSync(
        {maps.core(), only_metadata.core(), unstructured_maps.core(), dynamic_metadata.core()});
    const View view("default", {});
    const auto map = maps.Get(view, "a");
    ASSERT_THAT(map, IsOk());
    EXPECT_EQ((*map)->data.find("v")->view(), "7");
    EXPECT_TRUE((*map)->metadata.managed_fields.empty());
    const auto map_metadata = only_metadata.Get(view, "a");
    ASSERT_THAT(map_metadata, IsOk());
    EXPECT_EQ((*map_metadata)->metadata.uid, (*map)->metadata.uid);
    const auto unstructured_map = unstructured_maps.Get(view, "a");
    ASSERT_THAT(unstructured_map, IsOk());
    EXPECT_EQ((*unstructured_map)->kind(), "ConfigMap");

    const absl::Status missing = maps.Get(view, "b").status();
    EXPECT_TRUE(errors::IsNotFound(missing));
    EXPECT_EQ(missing.message(), "configmaps \"b\" not found");
    EXPECT_EQ(maps.core()->kind().ToString(), "/v1, Kind=ConfigMap");
    // The two of metadata share an informer.
    EXPECT_THAT(cache.Summaries(), SizeIs(3));
    Await([&] { return cluster.server().watches() == 3; });
  });
}

// behaviour.md: CACHE-13, CACHE-25
TEST(Cache, WatchesClusterScopedKinds) {
  Simulate([] {
    TestCluster cluster;
    Cache cache(cluster.config_maps().client(), {.namespaces = {"default"}});
    const auto namespaces = cache.Watch<corev1::Namespace>();
    StartAndSync({namespaces.core()});
    EXPECT_THAT(namespaces.Get(View("default", {}), "kube-system"), IsOk());
    EXPECT_THAT(NamesIn(namespaces.List(View(), {.namespace_name = "default"})),
                Contains("kube-system"));
    EXPECT_THAT(NamesIn(*namespaces.List(View(), {}, "metadata.name=kube-system")),
                ElementsAre("kube-system"));
    EXPECT_TRUE(namespaces.core()->Covers("anything"));
    EXPECT_EQ(namespaces.core()->name(), "namespaces");
  });
}

// behaviour.md: CACHE-16, CACHE-17, CACHE-18
TEST(Cache, WatchesSeveralNamespaces) {
  Simulate([] {
    TestCluster cluster;
    for (const char* key : {"default/a", "kube-system/b", "kube-public/c"}) cluster.Create(key);
    Recorder recorder;
    Cache cache(cluster.config_maps().client(), {.namespaces = {"kube-system", "default"}});
    const auto maps = cache.Watch<ConfigMap>();
    ASSERT_THAT(maps.AddEventHandler(recorder.Handler()), IsOk());
    StartAndSync({maps.core()});
    EXPECT_EQ(maps.core()->name(), "configmaps (namespaces default, kube-system)");
    EXPECT_THAT(recorder.told(), UnorderedElementsAre("add a=1 initial", "add b=1 initial"));
    EXPECT_THAT(cluster.transport().Requests(),
                Each(AnyOf(HasSubstr("/namespaces/default/configmaps"),
                           HasSubstr("/namespaces/kube-system/configmaps"))));
    Await([&] { return cluster.server().watches() == 2; });

    const View view("default", {maps.core()});
    EXPECT_THAT(NamesIn(maps.List(view)), ElementsAre("a", "b"));
    EXPECT_THAT(NamesIn(maps.List(view, {.namespace_name = "kube-system"})), ElementsAre("b"));
    EXPECT_TRUE(maps.List(view, {.namespace_name = "kube-public"}).empty());
    EXPECT_THAT(maps.Get(view, Named("kube-system", "b")), IsOk());
    EXPECT_TRUE(maps.core()->Covers("default"));
    EXPECT_FALSE(maps.core()->Covers("kube-public"));
    // Not NotFound: a controller would think that the object is gone.
    EXPECT_THAT(maps.Get(view, Named("kube-public", "c")),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         "get configmaps \"c\" in \"kube-public\": only namespaces default, "
                         "kube-system are watched"));
    EXPECT_THAT(maps.Get(View(), "a"),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         "get configmaps \"a\": an empty namespace may not be set"));
  });
}

TEST(Cache, WatchesSayWhatTheyNeedTheRightFor) {
  Simulate([] {
    TestCluster cluster;
    Cache cache(cluster.config_maps().client(), {.namespaces = {"b", "a"}});
    { const auto ended = cache.Watch<ConfigMap>(); }
    const auto all = cache.WatchMetadata<ConfigMap>({.namespaces = {""}});
    const auto nodes = cache.Watch<corev1::Node>();
    cache.RequireAccess({.resource = "nodes", .verbs = {"patch"}});
    const std::vector<std::string> reads = {"get", "list", "watch"};
    EXPECT_THAT(
        cache.required_access(),
        ElementsAre(
            RequiredAccess{.resource = "configmaps", .verbs = reads, .namespaces = {"a", "b"}},
            RequiredAccess{.resource = "configmaps", .verbs = reads},
            RequiredAccess{.resource = "nodes", .verbs = {"get", "list", "patch", "watch"}}));
  });
}

// CACHE-12: a watch may have other namespaces than the cache.
// behaviour.md: CACHE-12
TEST(Cache, AWatchMayHaveNamespacesOfItsOwn) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("kube-system/b");
    Cache cache(cluster.config_maps().client(), {.namespaces = {"default"}});
    const auto one = cache.Watch<ConfigMap>({.namespaces = {"kube-system"}});
    const auto all = cache.Watch<ConfigMap>({.namespaces = {""}});
    StartAndSync({one.core(), all.core()});
    EXPECT_EQ(one.core()->name(), "configmaps (namespace kube-system)");
    EXPECT_THAT(NamesIn(one.List(View())), ElementsAre("b"));
    EXPECT_EQ(all.core()->name(), "configmaps");
    EXPECT_THAT(NamesIn(all.List(View(), {.namespace_name = "kube-system"})), ElementsAre("b"));
  });
}

// ---- informers are counted

// behaviour.md: CACHE-1, CACHE-10, CACHE-15
TEST(Cache, EqualSettingsShareAnInformerWhichEndsWithItsLastWatch) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a", "1");
    cluster.Create("b", "2");
    Cache cache(cluster.config_maps().client());
    std::optional first = cache.Watch<ConfigMap>();
    std::optional second = cache.Watch<ConfigMap>();
    std::optional ones = cache.Watch<ConfigMap>({.label_selector = "value=1"});
    StartAndSync({first->core(), second->core(), ones->core()});
    EXPECT_THAT(NamesIn(first->List(View())), ElementsAre("a", "b"));
    EXPECT_THAT(NamesIn(ones->List(View())), ElementsAre("a"));
    Await([&] { return cluster.server().watches() == 2; });
    const std::vector<WatchSummary> both = cache.Summaries();
    ASSERT_THAT(both, SizeIs(2));
    EXPECT_EQ(both[0].users, 2);
    EXPECT_EQ(both[0].objects, 2u);
    EXPECT_EQ(both[1].users, 1);
    EXPECT_EQ(both[1].label_selector, "value=1");
    EXPECT_TRUE(both[1].synced);

    first.reset();
    Pass(absl::Seconds(10));
    EXPECT_EQ(cluster.server().watches(), 2u);
    cluster.Create("c", "3");
    Await([&] { return NamesIn(second->List(View())).size() == 3; });
    second.reset();
    Await([&] { return cluster.server().watches() == 1; });
    cluster.Create("d", "1");
    Await([&] { return NamesIn(ones->List(View())).size() == 2; });
    ones.reset();
    Await([&] { return cluster.server().watches() == 0; });
    EXPECT_THAT(cache.Summaries(), IsEmpty());
    // It can be watched again.
    const auto again = cache.Watch<ConfigMap>();
    StartAndSync({again.core()});
    EXPECT_THAT(NamesIn(again.List(View())), SizeIs(4));
  });
}

// behaviour.md: CACHE-22
TEST(Cache, AProjectionIsAnInformerOfItsOwn) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Cache cache(cluster.config_maps().client());
    const auto whole = cache.Watch<ConfigMap>();
    const auto without_data = cache.Watch<ConfigMap>({.projection = {.drop = {"data"}}});
    const auto with_owners = cache.Watch<ConfigMap>({.drop_managed_fields = false});
    StartAndSync({whole.core(), without_data.core(), with_owners.core()});
    EXPECT_THAT(cache.Summaries(), SizeIs(3));
    const View view("default", {});
    EXPECT_FALSE((*whole.Get(view, "a"))->data.empty());
    EXPECT_TRUE((*without_data.Get(view, "a"))->data.empty());
    EXPECT_FALSE((*with_owners.Get(view, "a"))->metadata.managed_fields.empty());
  });
}

// behaviour.md: CACHE-35
TEST(Cache, MetricsTellTheInformersOfAResourceApart) {
  Simulate([] {
    const auto registry = std::make_shared<base::PrometheusRegistry>();
    TestCluster cluster;
    Cache cache(cluster.config_maps().client(), {.metrics = registry});
    const auto maps = cache.Watch<ConfigMap>();
    const auto some = cache.Watch<ConfigMap>(
        {.label_selector = "value=7", .namespaces = {"default"}, .projection = {.drop = {"data"}}});
    const auto only_metadata = cache.WatchMetadata<ConfigMap>();
    const auto unstructured_maps = cache.WatchDynamic(kConfigMaps);
    const auto with_owners = cache.Watch<ConfigMap>({.drop_managed_fields = false});
    // The namespace "a", the label "a" and the cache "a".
    const auto in_a = cache.Watch<ConfigMap>({.namespaces = {"a"}});
    const auto with_a = cache.Watch<ConfigMap>({.label_selector = "a"});
    Cache other(cluster.config_maps().client(), {.metrics = registry, .name = "a"});
    const auto of_other = other.Watch<ConfigMap>();
    const std::string text = registry->Render();
    for (const char* name :
         {"", "namespace=default;labels=value=7;drop=data", "metadata", "unstructured",
          "managedFields=kept", "namespace=a", "labels=a", "cache=a"}) {
      EXPECT_THAT(
          text, HasSubstr(absl::StrCat("\ninformer_stored_objects{name=\"", name,
                                       "\",group=\"\",version=\"v1\",resource=\"configmaps\"} ")));
    }
  });
}

// behaviour.md: CACHE-8
TEST(Cache, AWatchWhoseThreadCannotBeCreatedSaysSoAndCanBeStartedAgain) {
  const log::LogCapture capture;
  Simulate([&capture] {
    base::RefusingRuntime runtime(base::Runtime::Current());
    const base::RuntimeScope scope(runtime);
    TestCluster cluster;
    Cache cache(cluster.config_maps().client());
    const auto maps = cache.Watch<ConfigMap>();
    runtime.Refuse("informer");
    maps.core()->Start();
    maps.core()->Start();
    EXPECT_EQ(runtime.refusals(), 2);
    const auto refused = StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("refused"));
    EXPECT_THAT(maps.core()->start_error(), refused);
    EXPECT_THAT(maps.core()->WhyNotSynced(), refused);
    EXPECT_THAT(maps.core()->WaitForSync(Context()), refused);
    EXPECT_THAT(cache.CheckSynced(),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr("refused")));
    ASSERT_THAT(cache.Summaries(), SizeIs(1));
    EXPECT_THAT(cache.Summaries()[0].why_not_synced, refused);
    int reports = 0;
    for (const std::string& line : capture.Lines()) {
      if (absl::StrContains(line, "unable to start watch")) ++reports;
    }
    EXPECT_EQ(reports, 1);

    runtime.Allow();
    StartAndSync({maps.core()});
    EXPECT_THAT(maps.core()->start_error(), IsOk());
    EXPECT_THAT(cache.CheckSynced(), IsOk());
  });
}

// behaviour.md: SRC-15
TEST(Cache, AHandlerIsRemovedWithItsHandle) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Recorder removed;
    Recorder staying;
    Cache cache(cluster.config_maps().client());
    std::optional first = cache.Watch<ConfigMap>();
    const auto second = cache.Watch<ConfigMap>();
    ASSERT_THAT(first->AddEventHandler(removed.Handler()), IsOk());
    ASSERT_THAT(second.AddEventHandler(staying.Handler()), IsOk());
    StartAndSync({first->core(), second.core()});
    auto copy = first;
    first.reset();
    cluster.Create("b");
    staying.Await(2);
    removed.Await(2);  // a copy of the handle is left
    copy.reset();
    cluster.Create("c");
    staying.Await(3);
    Pass(absl::Seconds(10));
    EXPECT_THAT(removed.told(), SizeIs(2));
  });
}

// Neither waits for itself: a handler, which has a thread of its own, and a function that is called
// on the informer's thread.
TEST(Cache, TheLastHandleMayEndOnAnyThread) {
  for (const bool in_handler : {true, false}) {
    SCOPED_TRACE(in_handler);
    Simulate([&] {
      TestCluster cluster;
      cluster.Create("a");
      Cache cache(cluster.config_maps().client());
      std::optional watched = cache.Watch<ConfigMap>();
      base::Event go;
      base::Event ended;
      const auto end = [&] {
        go.Wait(Context()).IgnoreError();
        watched.reset();
        ended.Set();
      };
      AdvancedRegistration registration;
      if (in_handler) {
        ASSERT_THAT(
            watched->AddEventHandler({.on_add = [&](const AddEvent<ConfigMap>&) { end(); }}),
            IsOk());
      } else {
        registration = watched->core()->OnAdvanced([&] {
          if (watched.has_value()) end();
        });
      }
      watched->core()->Start();
      go.Set();
      ASSERT_THAT(ended.Wait(Soon()), IsOk());
      Await([&] { return cluster.server().watches() == 0; });
      EXPECT_THAT(cache.Summaries(), IsEmpty());
    });
  }
}

// ---- synchronisation

// behaviour.md: SRC-4, SRC-7, CACHE-5, CACHE-9
TEST(Cache, WhatCannotSyncIsSaidAtOnce) {
  struct Row {
    const char* name;
    typed::Resource resource;
    WatchOptions options;
    FaultyTransport::Fault fault;
    const char* watch;
    const char* text;
  };
  const std::vector<Row> rows = {
      {"forbidden", kConfigMaps, {}, Forbidden, "watch configmaps: ", "no role"},
      {"no such kind",
       {.group = "example.com", .version = "v1", .plural = "widgets", .kind = "Widget"},
       {},
       nullptr,
       "watch widgets.example.com: ",
       "could not find the requested resource"},
      {"a label selector that cannot be parsed",
       kConfigMaps,
       {.label_selector = "a in"},
       nullptr,
       "watch configmaps (a in): ",
       "unable to parse"},
      {"a projection of unstructured objects",
       kConfigMaps,
       {.drop_managed_fields = true},
       nullptr,
       "watch configmaps: ",
       "unstructured objects are not supported"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const log::LogCapture quiet;
    Simulate([&] {
      TestCluster cluster;
      cluster.transport().SetFault(row.fault);
      Cache cache(cluster.config_maps().client());
      const auto watched = cache.WatchDynamic(row.resource, row.options);
      const base::MonotonicTime begin = base::Now();
      watched.core()->Start();
      const absl::Status status = watched.core()->WaitForSync(Context());
      EXPECT_LE(base::Now() - begin, absl::Seconds(1));
      EXPECT_FALSE(status.ok());
      EXPECT_THAT(std::string(status.message()), AllOf(StartsWith(row.watch), HasSubstr(row.text)));
      EXPECT_THAT(std::string(watched.core()->WhyNotSynced().message()), HasSubstr(row.text));
      EXPECT_THAT(cache.CheckSynced(),
                  StatusIs(absl::StatusCode::kUnavailable, HasSubstr(row.text)));
      EXPECT_EQ(errors::IsForbidden(status), row.fault != nullptr);
    });
  }
}

// behaviour.md: SRC-6, CACHE-9, CACHE-37
TEST(Cache, WhatPassesIsWaitedFor) {
  const log::LogCapture quiet;
  Simulate([] {
    TestCluster cluster;
    cluster.transport().SetFault(Unavailable);
    Cache cache(cluster.config_maps().client());
    const auto maps = cache.Watch<ConfigMap>();
    EXPECT_THAT(cache.CheckSynced(), IsOk()) << "none was started";
    EXPECT_THAT(maps.core()->WhyNotSynced(),
                StatusIs(absl::StatusCode::kUnavailable,
                         "watch configmaps: configmaps: informer has not started"));
    maps.core()->Start();
    EXPECT_THAT(maps.core()->WaitForSync(WithTimeout(Context(), absl::Seconds(30))),
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         AllOf(StartsWith("watch configmaps: "), HasSubstr("no storage"))));
    EXPECT_FALSE(maps.core()->HasSynced());
    cluster.transport().SetFault(nullptr);
    EXPECT_THAT(maps.core()->WaitForSync(WithTimeout(Context(), absl::Minutes(5))), IsOk());
    EXPECT_TRUE(maps.core()->HasSynced());
    EXPECT_THAT(cache.CheckSynced(), IsOk());
  });
}

TEST(Cache, AWatchHasSyncedWhenItsHandlersHave) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Recorder recorder;
    base::Event gate;
    recorder.SetGate(&gate);
    Cache cache(cluster.config_maps().client());
    const auto maps = cache.Watch<ConfigMap>();
    const auto other = cache.Watch<ConfigMap>();
    ASSERT_THAT(maps.AddEventHandler(recorder.Handler(), {.name = "slow"}), IsOk());
    maps.core()->Start();
    // The informer is shared; the handler is not.
    EXPECT_THAT(other.core()->WaitForSync(Soon()), IsOk());
    recorder.Await(1);
    EXPECT_FALSE(maps.core()->HasSynced());
    EXPECT_THAT(maps.core()->WhyNotSynced(),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr("configmaps, slow")));
    gate.Set();
    EXPECT_THAT(maps.core()->WaitForSync(Soon()), IsOk());
  });
}

TEST(Cache, TellsWhenAStoreHasAdvanced) {
  Simulate([] {
    TestCluster cluster;
    Cache cache(cluster.config_maps().client(), {.namespaces = {"default", "kube-system"}});
    const auto maps = cache.Watch<ConfigMap>();
    StartAndSync({maps.core()});
    base::Event advanced;
    std::optional registration = maps.core()->OnAdvanced([&] { advanced.Set(); });
    cluster.Create("kube-system/b");
    const std::string version = absl::StrCat(cluster.server().revision());
    ASSERT_THAT(advanced.Wait(Soon()), IsOk());
    registration.reset();
    Await([&] { return maps.core()->HasResourceVersion("kube-system", version); });
    EXPECT_FALSE(maps.core()->HasResourceVersion("default", version)) << "it has its own store";
    EXPECT_TRUE(maps.core()->HasResourceVersion("kube-public", version)) << "it is not covered";
  });
}

TEST(Cache, CountsTheListsThatHaveFilledItsStores) {
  Simulate([] {
    TestCluster cluster;
    Cache cache(cluster.config_maps().client(), {.namespaces = {"default", "kube-system"}});
    const auto maps = cache.Watch<ConfigMap>();
    EXPECT_EQ(maps.core()->lists(), 0);
    StartAndSync({maps.core()});
    EXPECT_EQ(maps.core()->lists(), 2) << "one for each namespace";
    const auto has_it = [&] {
      return maps.core()->HasResourceVersion("default", absl::StrCat(cluster.server().revision()));
    };
    cluster.Create("a");
    Await(has_it);
    EXPECT_EQ(maps.core()->lists(), 2) << "an event is no list";
    cluster.server().faults().Add({.verbs = {"watch"},
                                   .resource = "configmaps",
                                   .times = 1,
                                   .fault = apiserver::fault::ExpireWatch{}});
    cluster.Create("b");
    Await(has_it);
    EXPECT_EQ(maps.core()->lists(), 3);
  });
}

// ---- the end

TEST(Cache, ShutdownEndsTheHopeOfAWatchWhoseThreadCannotBeCreated) {
  const log::LogCapture quiet;
  Simulate([] {
    base::RefusingRuntime runtime(base::Runtime::Current());
    const base::RuntimeScope scope(runtime);
    TestCluster cluster;
    Cache cache(cluster.config_maps().client());
    const auto maps = cache.Watch<ConfigMap>();
    runtime.Refuse("informer");
    maps.core()->Start();
    EXPECT_THAT(maps.core()->start_error(), StatusIs(absl::StatusCode::kResourceExhausted));
    cache.Shutdown();
    maps.core()->Start();
    const auto shut_down =
        StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("the cache was shut down"));
    EXPECT_THAT(maps.core()->start_error(), shut_down);
    EXPECT_THAT(maps.core()->WaitForSync(Context()), shut_down);
  });
}

// behaviour.md: CACHE-8
TEST(Cache, AfterShutdownStoresCanBeReadAndNothingCanBeStarted) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    auto cache = std::make_unique<Cache>(cluster.config_maps().client());
    const auto maps = cache->Watch<ConfigMap>();
    StartAndSync({maps.core()});
    base::Thread other;
    ASSERT_THAT(other.Start(Context(), "other", [&](const Context&) { cache->Shutdown(); }),
                IsOk());
    cache->Shutdown();
    other.Join();
    Await([&] { return cluster.server().watches() == 0; });
    EXPECT_THAT(NamesIn(maps.List(View())), ElementsAre("a"));
    EXPECT_THAT(maps.AddEventHandler({}), StatusIs(absl::StatusCode::kFailedPrecondition));
    const auto late = cache->Watch<corev1::Secret>();
    late.core()->Start();
    EXPECT_FALSE(cache->Summaries().back().started);
    EXPECT_THAT(
        late.core()->WaitForSync(Context()),
        StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("the cache was shut down")));
    EXPECT_THAT(late.AddEventHandler({}), StatusIs(absl::StatusCode::kFailedPrecondition));
    // Handles may outlive the cache.
    cache = nullptr;
    EXPECT_THAT(maps.Get(View("default", {}), "a"), IsOk());
  });
}

TEST(Cache, ShutdownEndsTheWaitForAWatchThatWasNotStarted) {
  Simulate([] {
    TestCluster cluster;
    Cache cache(cluster.config_maps().client());
    const auto maps = cache.Watch<ConfigMap>();
    absl::Status waited;
    base::Thread waiter;
    ASSERT_THAT(waiter.Start(Context(), "waiter",
                             [&](const Context&) { waited = maps.core()->WaitForSync(Context()); }),
                IsOk());
    Pass(absl::Seconds(1));
    cache.Shutdown();
    waiter.Join();
    EXPECT_THAT(waited, StatusIs(absl::StatusCode::kFailedPrecondition,
                                 AllOf(StartsWith("watch configmaps: "),
                                       HasSubstr("informer has not started"))));
  });
}

TEST(Cache, ShutdownInAHandlerDoesNotWait) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Cache cache(cluster.config_maps().client());
    const auto maps = cache.Watch<ConfigMap>();
    base::Event returned;
    ASSERT_THAT(maps.AddEventHandler({.on_add =
                                          [&](const AddEvent<ConfigMap>&) {
                                            cache.Shutdown();
                                            returned.Set();
                                          }}),
                IsOk());
    maps.core()->Start();
    ASSERT_THAT(returned.Wait(Soon()), IsOk());
    cache.Shutdown();
    Await([&] { return cluster.server().watches() == 0; });
  });
}

TEST(CacheDeathTest, AHandlerMustNotDestroyItsCache) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto destroy = [] {
    TestCluster cluster;
    cluster.Create("a");
    auto cache = std::make_unique<Cache>(cluster.config_maps().client());
    const auto maps = cache->Watch<ConfigMap>();
    base::Event destroyed;
    const absl::Status added = maps.AddEventHandler({.on_add =
                                                         [&](const AddEvent<ConfigMap>&) {
                                                           cache = nullptr;
                                                           destroyed.Set();
                                                         }},
                                                    {.name = "webs"});
    if (!added.ok()) return;
    maps.core()->Start();
    destroyed.Wait(Soon()).IgnoreError();
  };
  EXPECT_DEATH(
      Simulate(destroy),
      "cache destroyed by handler \"webs\" of informer configmaps, which it must wait for");
}

}  // namespace
}  // namespace kube::controller
