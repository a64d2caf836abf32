#include "informers/shared_informer_factory_core.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread.h"
#include "apimachinery/errors/errors.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/labels/selector.h"
#include "clientset/typed/reader.h"
#include "clientset/typed/resource.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/any_shared_informer.h"
#include "informers/event_handler.h"
#include "informers/shared_informer.h"
#include "informers/store_advanced_registration.h"
#include "informers/testing/faulty_transport.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_informer.h"
#include "informers/wait_for_cache_sync.h"
#include "listers/indexer.h"
#include "listers/lister.h"
#include "listers/reader.h"
#include "net/httpclient/http_message.h"

namespace kube::informers {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using base::IsOk;
using base::StatusIs;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// ---- what a generator writes

constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};
constexpr typed::Resource kSecrets = {
    .version = "v1", .plural = "secrets", .kind = "Secret", .built_in = true};

class CoreV1Informers {
 public:
  explicit CoreV1Informers(SharedInformerFactoryCore& core) : core_(&core) {}
  KindInformer<corev1::ConfigMap, corev1::ConfigMapList> ConfigMaps() const {
    return {*core_, kConfigMaps};
  }
  KindInformer<corev1::Secret, corev1::SecretList> Secrets() const { return {*core_, kSecrets}; }

 private:
  SharedInformerFactoryCore* core_;
};

class CoreInformers {
 public:
  explicit CoreInformers(SharedInformerFactoryCore& core) : core_(&core) {}
  CoreV1Informers V1() const { return CoreV1Informers(*core_); }

 private:
  SharedInformerFactoryCore* core_;
};

class Factory : public SharedInformerFactoryCore {
 public:
  using SharedInformerFactoryCore::SharedInformerFactoryCore;
  CoreInformers Core() { return CoreInformers(*this); }
};

// ---- tests

std::vector<std::string> NamesOf(const listers::Lister<ConfigMap>& lister) {
  std::vector<std::string> names;
  for (const ConfigMap& object : lister.List()) {
    names.push_back(std::string(object.metadata.name.view()));
  }
  return names;
}

// behaviour.md: INF-15
TEST(SharedInformerFactory, MakesAndRunsOneInformerOfAKind) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Recorder recorder;
    Factory factory(cluster.config_maps().client());
    const auto config_maps = factory.Core().V1().ConfigMaps();
    const listers::Lister<ConfigMap> lister = config_maps.Lister();
    ASSERT_THAT(config_maps.Informer().AddEventHandler(recorder.Handler()), IsOk());
    EXPECT_EQ(&config_maps.Informer(), &factory.Core().V1().ConfigMaps().Informer());
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(WithTimeout(Context(), absl::Minutes(1))), IsOk());
    EXPECT_THAT(NamesOf(lister), ElementsAre("a"));
    recorder.Await(1);
    // Informers made later need another Start, which does not restart the others.
    const auto secrets = factory.Core().V1().Secrets();
    EXPECT_FALSE(secrets.Informer().HasStarted());
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(WithTimeout(Context(), absl::Minutes(1))), IsOk());
    EXPECT_TRUE(secrets.Informer().HasSynced());
    EXPECT_THAT(factory.Informers(), SizeIs(2));
    const absl::Status missing = secrets.Lister().Namespace("default").Get("x").status();
    EXPECT_TRUE(errors::IsNotFound(missing));
    EXPECT_EQ(missing.message(), "secrets \"x\" not found");
  });
}

// behaviour.md: INF-11
TEST(SharedInformerFactory, ShutdownWaits) {
  Simulate([] {
    TestCluster cluster;
    Factory factory(cluster.config_maps().client());
    auto& informer = factory.Core().V1().ConfigMaps().Informer();
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
    base::Thread other;
    ASSERT_THAT(other.Start(Context(), "other", [&](const Context&) { factory.Shutdown(); }),
                IsOk());
    factory.Shutdown();
    EXPECT_TRUE(informer.IsStopped());
    other.Join();
    EXPECT_THAT(factory.Start(Context()), StatusIs(absl::StatusCode::kFailedPrecondition));
    factory.Shutdown();
  });
}

// A handler cannot wait for itself, nor can what runs on an informer's own thread.
TEST(SharedInformerFactory, ShutdownInAHandlerDoesNotWait) {
  for (const bool in_transform : {false, true}) {
    SCOPED_TRACE(in_transform);
    Simulate([&] {
      TestCluster cluster;
      cluster.Create("a");
      Factory factory(cluster.config_maps().client());
      auto& informer = factory.Core().V1().ConfigMaps().Informer();
      auto& other = factory.Core().V1().Secrets().Informer();
      base::Event returned;
      const auto shut_down = [&] {
        factory.Shutdown();
        EXPECT_THAT(factory.Start(Context()), StatusIs(absl::StatusCode::kFailedPrecondition));
        returned.Set();
      };
      if (in_transform) {
        ASSERT_THAT(informer.SetTransform([&](ConfigMap&) -> absl::Status {
          shut_down();
          return absl::OkStatus();
        }),
                    IsOk());
      } else {
        ASSERT_THAT(
            informer.AddEventHandler({.on_add = [&](const AddEvent<ConfigMap>&) { shut_down(); }}),
            IsOk());
      }
      ASSERT_THAT(factory.Start(Context()), IsOk());
      ASSERT_THAT(returned.Wait(WithTimeout(Context(), absl::Minutes(1))), IsOk());
      // Others wait, as ever.
      factory.Shutdown();
      EXPECT_TRUE(informer.IsStopped());
      EXPECT_TRUE(other.IsStopped());
    });
  }
}

// A handler of another factory's informer waits: those of one namespace may be made and destroyed
// by one that follows namespaces.
TEST(SharedInformerFactory, ShutdownInAHandlerOfAnotherFactoryWaits) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    auto inner = std::make_unique<Factory>(cluster.config_maps().client());
    auto& informer = inner->Core().V1().ConfigMaps().Informer();
    ASSERT_THAT(informer.AddEventHandler({.on_add = [](const AddEvent<ConfigMap>&) {}}), IsOk());
    ASSERT_THAT(inner->Start(Context()), IsOk());
    Factory outer(cluster.config_maps().client());
    base::Event destroyed;
    ASSERT_THAT(outer.Core().V1().ConfigMaps().Informer().AddEventHandler(
                    {.on_add =
                         [&](const AddEvent<ConfigMap>&) {
                           inner->Shutdown();
                           EXPECT_TRUE(informer.IsStopped());
                           inner = nullptr;
                           destroyed.Set();
                         }}),
                IsOk());
    ASSERT_THAT(outer.Start(Context()), IsOk());
    ASSERT_THAT(destroyed.Wait(WithTimeout(Context(), absl::Minutes(1))), IsOk());
  });
}

TEST(SharedInformerFactoryDeathTest, AHandlerMustNotDestroyItsFactory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto destroy = [] {
    TestCluster cluster;
    cluster.Create("a");
    auto factory = std::make_unique<Factory>(cluster.config_maps().client());
    base::Event destroyed;
    const auto added = factory->Core().V1().ConfigMaps().Informer().AddEventHandler(
        {.on_add =
             [&](const AddEvent<ConfigMap>&) {
               factory = nullptr;
               destroyed.Set();
             }},
        {.name = "webs"});
    if (!added.ok() || !factory->Start(Context()).ok()) return;
    destroyed.Wait(WithTimeout(Context(), absl::Minutes(1))).IgnoreError();
  };
  EXPECT_DEATH(Simulate(destroy),
               "destroyed by handler \"webs\" of informer configmaps, which it must wait for");
}

TEST(SharedInformerFactory, InformersEndWithTheContextOfTheirStart) {
  Simulate([] {
    TestCluster cluster;
    Factory factory(cluster.config_maps().client());
    auto& informer = factory.Core().V1().ConfigMaps().Informer();
    CancelScope scope = WithCancel(Context());
    ASSERT_THAT(factory.Start(scope.context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(scope.context()), IsOk());
    scope.Cancel();
    Await([&] { return informer.IsStopped(); });
  });
}

// behaviour.md: INF-15
TEST(SharedInformerFactory, OptionsHoldForAllInformers) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    cluster.Create("other", "2");
    cluster.Create("kube-system/far");
    Recorder recorder;
    Factory factory(cluster.config_maps().client(),
                    {.default_resync = absl::Hours(5),
                     .custom_resync = {ResyncOf<ConfigMap>(absl::Minutes(1))},
                     .namespace_name = "default",
                     .tweak_list_options =
                         [](metav1::ListOptions& options) { options.label_selector = "value=1"; },
                     .transforms = {TransformOf<ConfigMap>([](ConfigMap& object) {
                       object.data["v"] = "transformed";
                       return absl::OkStatus();
                     })}});
    ASSERT_THAT(factory.Core().V1().ConfigMaps().Informer().AddEventHandler(recorder.Handler()),
                IsOk());
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
    cluster.Create("b");
    recorder.Await(2);
    EXPECT_THAT(recorder.told(), ElementsAre("add a=transformed initial", "add b=transformed"));
    Pass(absl::Seconds(70));
    EXPECT_THAT(recorder.told(), Contains("update a=transformed>transformed resync"));
    for (const std::string& request : cluster.transport().Requests()) {
      EXPECT_THAT(request, HasSubstr("/namespaces/default/configmaps"));
      EXPECT_THAT(request, HasSubstr("labelSelector=value%3D1"));
    }
  });
}

TEST(SharedInformerFactory, WhatCannotBeIsSaidWhereItIsWaitedFor) {
  const log::LogCapture quiet;
  Simulate([] {
    TestCluster cluster;
    Factory factory(cluster.config_maps().client(),
                    {.lister_watcher = {.projection = {.drop = {"nothing.of.the.kind"}}}});
    factory.Core().V1().ConfigMaps().Informer();
    ASSERT_THAT(factory.Start(Context()), IsOk());
    EXPECT_THAT(factory.WaitForCacheSync(Context(), {.fail_fast = true}),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("nothing.of.the.kind")));
  });
}

TEST(SharedInformerFactory, CheckSyncedSaysWhichIsNotAndWhy) {
  Simulate([] {
    const log::LogCapture quiet;
    TestCluster cluster;
    Factory factory(cluster.config_maps().client());
    EXPECT_THAT(factory.CheckSynced(), IsOk()) << "it has none";
    factory.Core().V1().ConfigMaps().Informer();
    EXPECT_THAT(factory.CheckSynced(),
                StatusIs(absl::StatusCode::kUnavailable,
                         "check cache sync: configmaps: informer has not started"));
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(WithTimeout(Context(), absl::Minutes(1))), IsOk());
    EXPECT_THAT(factory.CheckSynced(), IsOk());
    factory.Core().V1().Secrets().Informer();
    EXPECT_THAT(factory.CheckSynced(),
                StatusIs(absl::StatusCode::kUnavailable,
                         "check cache sync: secrets: informer has not started"));
  });
}

TEST(SharedInformerFactory, CodeMayReadFromItsCacheOrFromTheServer) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a", "1");
    cluster.Create("b", "2");
    Factory factory(cluster.config_maps().client());
    const auto lister = factory.Core().V1().ConfigMaps().Lister();
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
    for (const std::shared_ptr<const typed::Reader<ConfigMap>>& reader :
         {listers::ReaderOf(lister), typed::ReaderOf(cluster.direct())}) {
      EXPECT_THAT(reader->Get(Context(), "default", "a"), IsOk());
      EXPECT_TRUE(errors::IsNotFound(reader->Get(Context(), "default", "x").status()));
      EXPECT_EQ(reader->List(Context(), {})->size(), 2u);
      EXPECT_EQ(reader->List(Context(), {.selector = *labels::Parse("value=2")})->size(), 1u);
      EXPECT_EQ(reader->List(Context(), {.selector = labels::Nothing()})->size(), 0u);
      EXPECT_EQ(reader->List(Context(), {.namespace_name = "test"})->size(), 0u);
    }
  });
}

TEST(SharedInformerFactory, DestructionStopsAll) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    const auto lister = [&] {
      Factory factory(cluster.config_maps().client());
      auto config_maps = factory.Core().V1().ConfigMaps().Lister();
      EXPECT_THAT(factory.Start(Context()), IsOk());
      EXPECT_THAT(factory.WaitForCacheSync(Context()), IsOk());
      return config_maps;
    }();
    // It keeps what it had.
    EXPECT_THAT(NamesOf(lister), ElementsAre("a"));
  });
}

// ---- removal

TEST(SharedInformerFactory, RemoveEndsOneInformer) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Recorder recorder;
    Factory factory(cluster.config_maps().client());
    const auto config_maps = factory.Core().V1().ConfigMaps();
    auto& secrets = factory.Core().V1().Secrets().Informer();
    const listers::Lister<ConfigMap> lister = config_maps.Lister();
    const auto registration = config_maps.Informer().AddEventHandler(recorder.Handler());
    ASSERT_THAT(registration, IsOk());
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
    recorder.Await(1);
    const std::vector<std::shared_ptr<const AnySharedInformer>> before = factory.Informers();

    factory.Remove(config_maps.Informer());
    EXPECT_TRUE(registration->IsStopped());
    EXPECT_TRUE(before[1]->IsStopped());
    EXPECT_THAT(factory.Informers(), ElementsAre(before[0]));
    Await([&] { return cluster.server().watches() == 1; });
    cluster.Create("b");
    Pass(absl::Minutes(1));
    EXPECT_THAT(recorder.told(), SizeIs(1));
    EXPECT_THAT(NamesOf(lister), ElementsAre("a")) << "a view keeps what it had";
    EXPECT_FALSE(secrets.IsStopped());

    auto& fresh = config_maps.Informer();
    EXPECT_THAT(factory.CheckSynced(),
                StatusIs(absl::StatusCode::kUnavailable,
                         "check cache sync: configmaps: informer has not started"));
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
    EXPECT_THAT(NamesOf(fresh.lister()), SizeIs(2));
  });
}

TEST(SharedInformerFactory, RemoveDestroysTheInformer) {
  Simulate([] {
    TestCluster cluster;
    Factory factory(cluster.config_maps().client());
    for (const bool is_started : {false, true}) {
      SCOPED_TRACE(is_started);
      auto& informer = factory.Core().V1().ConfigMaps().Informer();
      const std::weak_ptr<const listers::Indexer<ConfigMap>> store = informer.store();
      if (is_started) {
        ASSERT_THAT(factory.Start(Context()), IsOk());
        ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
      }
      factory.Remove(informer);
      EXPECT_TRUE(store.expired());
      EXPECT_THAT(factory.Informers(), IsEmpty());
    }
  });
}

TEST(SharedInformerFactory, RemoveWaitsForAHandlerAndSoDoAllOthers) {
  const struct {
    const char* name;
    void (*end)(Factory& factory, AnySharedInformer& informer);
  } rows[] = {
      {"another removal", [](Factory& factory, AnySharedInformer& it) { factory.Remove(it); }},
      {"a shutdown", [](Factory& factory, AnySharedInformer&) { factory.Shutdown(); }},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    Simulate([&] {
      TestCluster cluster;
      cluster.Create("a");
      base::Event gate;
      Recorder slow;
      Recorder late;
      slow.SetGate(&gate);
      Factory factory(cluster.config_maps().client());
      auto& informer = factory.Core().V1().ConfigMaps().Informer();
      ASSERT_THAT(informer.AddEventHandler(slow.Handler()), IsOk());
      ASSERT_THAT(factory.Start(Context()), IsOk());
      slow.Await(1);
      base::Event first;
      base::Event second;
      base::Thread removal;
      base::Thread other;
      ASSERT_THAT(removal.Start(Context(), "removal",
                                [&](const Context&) {
                                  factory.Remove(informer);
                                  first.Set();
                                }),
                  IsOk());
      ASSERT_THAT(other.Start(Context(), "other",
                              [&](const Context&) {
                                row.end(factory, informer);
                                second.Set();
                              }),
                  IsOk());
      Pass(absl::Minutes(1));
      EXPECT_FALSE(first.IsSet());
      EXPECT_FALSE(second.IsSet());
      EXPECT_THAT(factory.Informers(), IsEmpty()) << "it has left the factory already";
      EXPECT_THAT(factory.WaitForCacheSync(Context()), IsOk());
      EXPECT_THAT(informer.AddEventHandler(late.Handler()),
                  StatusIs(absl::StatusCode::kFailedPrecondition));
      gate.Set();
      removal.Join();
      other.Join();
      EXPECT_TRUE(second.IsSet());
      EXPECT_THAT(late.told(), IsEmpty());
    });
  }
}

// The informer ends when they have returned; it is destroyed with the next Start.
TEST(SharedInformerFactory, RemoveInAHandlerDoesNotWait) {
  using Informer = SharedInformer<ConfigMap>;
  using Action = std::function<void()>;
  StoreAdvancedRegistration advanced;
  const struct {
    const char* name;
    std::function<absl::Status(Informer&, Action)> call_in;
  } rows[] = {
      {"a handler",
       [](Informer& informer, Action act) {
         return informer.AddEventHandler({.on_add = [act](const AddEvent<ConfigMap>&) { act(); }})
             .status();
       }},
      {"a transform",
       [](Informer& informer, Action act) {
         return informer.SetTransform([act](ConfigMap&) {
           act();
           return absl::OkStatus();
         });
       }},
      {"a callback of OnStoreAdvanced",
       [&](Informer& informer, Action act) {
         advanced = informer.OnStoreAdvanced(std::move(act));
         return absl::OkStatus();
       }},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    Simulate([&] {
      TestCluster cluster;
      cluster.Create("a");
      Factory factory(cluster.config_maps().client());
      auto& informer = factory.Core().V1().ConfigMaps().Informer();
      const std::weak_ptr<const listers::Indexer<ConfigMap>> store = informer.store();
      base::Event returned;
      ASSERT_THAT(row.call_in(informer,
                              [&] {
                                factory.Remove(informer);
                                factory.Remove(informer);
                                EXPECT_THAT(factory.Informers(), IsEmpty());
                                returned.Set();
                              }),
                  IsOk());
      ASSERT_THAT(factory.Start(Context()), IsOk());
      ASSERT_THAT(returned.Wait(WithTimeout(Context(), absl::Minutes(1))), IsOk());
      auto& fresh = factory.Core().V1().ConfigMaps().Informer();
      EXPECT_FALSE(fresh.HasStarted());
      Await([&] {
        EXPECT_THAT(factory.Start(Context()), IsOk());
        return store.expired();
      });
      ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
      EXPECT_THAT(NamesOf(fresh.lister()), ElementsAre("a"));
      advanced.Unregister();
    });
  }
}

TEST(SharedInformerFactory, DestructionWaitsForWhatAHandlerRemoved) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    base::Event removed;
    bool has_returned = false;
    {
      Factory factory(cluster.config_maps().client());
      auto& informer = factory.Core().V1().ConfigMaps().Informer();
      ASSERT_THAT(informer.AddEventHandler({.on_add =
                                                [&](const AddEvent<ConfigMap>&) {
                                                  factory.Remove(informer);
                                                  removed.Set();
                                                  Pass(absl::Minutes(1));
                                                  has_returned = true;
                                                }}),
                  IsOk());
      ASSERT_THAT(factory.Start(Context()), IsOk());
      ASSERT_THAT(removed.Wait(Context()), IsOk());
    }
    EXPECT_TRUE(has_returned);
  });
}

TEST(SharedInformerFactory, WaitForCacheSyncForgetsWhatIsRemoved) {
  const struct {
    const char* name;
    absl::StatusOr<httpclient::HttpResponse> (*answer)();
    bool fail_fast;
  } rows[] = {
      {"a server that says nothing",
       [] { return absl::StatusOr<httpclient::HttpResponse>(SilentResponse()); }, true},
      {"rights that are missing",
       [] {
         return absl::StatusOr<httpclient::HttpResponse>(
             ErrorResponse(errors::Forbidden({.resource = "configmaps"}, "", "no role")));
       },
       false},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const log::LogCapture quiet;
    Simulate([&] {
      TestCluster cluster;
      cluster.transport().SetFault(
          [&](const httpclient::HttpRequest& request) -> FaultyTransport::Answer {
            if (!absl::StrContains(request.url, "configmaps")) return std::nullopt;
            return row.answer();
          });
      Factory factory(cluster.config_maps().client());
      auto& informer = factory.Core().V1().ConfigMaps().Informer();
      auto& secrets = factory.Core().V1().Secrets().Informer();
      ASSERT_THAT(factory.Start(Context()), IsOk());
      base::Event returned;
      base::Thread waits;
      ASSERT_THAT(waits.Start(Context(), "waits",
                              [&](const Context& ctx) {
                                EXPECT_THAT(
                                    factory.WaitForCacheSync(ctx, {.fail_fast = row.fail_fast}),
                                    IsOk());
                                returned.Set();
                              }),
                  IsOk());
      Pass(absl::Seconds(10));
      EXPECT_FALSE(returned.IsSet());
      EXPECT_TRUE(secrets.HasSynced());
      factory.Remove(informer);
      EXPECT_THAT(returned.Wait(WithTimeout(Context(), absl::Seconds(1))), IsOk());
      EXPECT_THAT(factory.CheckSynced(), IsOk());
    });
  }
}

TEST(SharedInformerFactory, RemoveOfAnInformerThatWasNotStartedEndsItsHandlers) {
  Simulate([] {
    TestCluster cluster;
    Factory factory(cluster.config_maps().client());
    auto& informer = factory.Core().V1().ConfigMaps().Informer();
    const auto registration = informer.AddEventHandler({});
    ASSERT_THAT(registration, IsOk());
    factory.Remove(informer);
    EXPECT_TRUE(registration->IsStopped());
    EXPECT_THAT(WaitForCacheSync(Context(), {&*registration}),
                StatusIs(absl::StatusCode::kFailedPrecondition));
  });
}

TEST(SharedInformerFactory, RemoveIgnoresInformersOfOthersAndWorksAfterShutdown) {
  Simulate([] {
    TestCluster cluster;
    TestInformer other(cluster);
    other.StartAndSync();
    Factory factory(cluster.config_maps().client());
    auto& informer = factory.Core().V1().ConfigMaps().Informer();
    ASSERT_THAT(factory.Start(Context()), IsOk());
    factory.Remove(other.informer);
    EXPECT_FALSE(other.informer.IsStopped());
    EXPECT_THAT(factory.Informers(), SizeIs(1));
    factory.Shutdown();
    factory.Remove(informer);
    EXPECT_THAT(factory.Informers(), IsEmpty());
  });
}

}  // namespace
}  // namespace kube::informers
