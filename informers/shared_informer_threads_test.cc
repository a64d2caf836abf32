// The whole chain on real threads, for ThreadSanitizer above all.

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/event.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "clientset/typed/resource.h"
#include "gtest/gtest.h"
#include "informers/event_handler.h"
#include "informers/handler_options.h"
#include "informers/shared_informer.h"
#include "informers/shared_informer_factory_core.h"
#include "informers/store_advanced_registration.h"
#include "informers/testing/checking_handler.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_informer.h"
#include "informers/wait_for_cache_sync.h"
#include "net/httpclient/transport_error.h"

namespace kube::informers {
namespace {

constexpr int kObjects = 30;
constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};

// A handler that is told of the object "end" at last.
struct Member {
  explicit Member(TestInformer& test, HandlerOptions options) : checking(test.informer.store()) {
    EventHandler<ConfigMap> handler = checking.Handler();
    const auto add = handler.on_add;
    handler.on_add = [this, add](const AddEvent<ConfigMap>& event) {
      add(event);
      if (event.object->metadata.name == "end") ended.Set();
    };
    EXPECT_THAT(test.informer.AddEventHandler(std::move(handler), std::move(options)),
                base::IsOk());
  }
  CheckingHandler<ConfigMap> checking;
  base::Event ended;
};

TEST(SharedInformerThreads, WritersReadersHandlersAndStrikes) {
  const log::LogCapture quiet;
  TestCluster cluster;
  auto metrics = std::make_shared<base::PrometheusRegistry>();
  std::vector<std::unique_ptr<Member>> members;
  TestInformer test(cluster, {.metrics = metrics});
  for (const HandlerOptions& options :
       {HandlerOptions(), HandlerOptions{.max_pending = 3},
        HandlerOptions{.max_pending = 3, .overflow = OverflowPolicy::kWait}}) {
    members.push_back(std::make_unique<Member>(test, options));
  }
  test.Start();
  base::ThreadGroup others{Context()};
  for (int writer = 0; writer < 2; ++writer) {
    others.Go("writer", [&cluster, writer](const Context&) {
      for (int i = 0; i < kObjects; ++i) {
        const std::string key = absl::StrCat("w", writer, "-", i);
        cluster.Create(key);
        cluster.Set(key, "2");
        if (i % 3 == 0) cluster.Delete(key);
      }
      return absl::OkStatus();
    });
  }
  others.Go("reader", [&](const Context&) {
    for (int i = 0; i < 10 * kObjects; ++i) {
      EXPECT_LE(test.informer.lister().List().size(), 2u * kObjects);
      EXPECT_EQ(test.informer.status().handlers.size() >= 3, true);
      if (i % kObjects == 0) {
        EXPECT_FALSE(metrics->Render().empty());
      }
      if (i == kObjects) {
        cluster.transport().BreakStreams(httpclient::MakeTransportError(
            {.kind = httpclient::TransportErrorKind::kReset}, "reset"));
      }
    }
    return absl::OkStatus();
  });
  others.Go("handlers", [&](const Context&) -> absl::Status {
    for (int i = 0; i < kObjects; ++i) {
      CheckingHandler<ConfigMap> passing(test.informer.store());
      const auto registration =
          test.informer.AddEventHandler(passing.Handler(), {.max_pending = i % 2 == 0 ? 0u : 2u});
      if (!registration.ok()) return registration.status();
      if (i % 4 == 0) {
        EXPECT_THAT(WaitForCacheSync(Context(), {&*registration}), base::IsOk());
      }
      test.informer.RemoveEventHandler(*registration);
      passing.SetRemoved();
      if (absl::Status mistake = passing.mistake(); !mistake.ok()) return mistake;
    }
    return absl::OkStatus();
  });
  EXPECT_THAT(others.Wait(), base::IsOk());
  cluster.Create("end");
  for (const auto& member : members) {
    EXPECT_THAT(member->ended.Wait(Context()), base::IsOk());
    EXPECT_THAT(member->checking.mistake(), base::IsOk());
  }
  EXPECT_EQ(ContentOf(*test.informer.store()), cluster.Content());
  test.Stop();
}

// One informer of a factory comes and goes while others write, and ask the factory.
TEST(SharedInformerThreads, InformersOfAFactoryComeAndGo) {
  const log::LogCapture quiet;
  TestCluster cluster;
  SharedInformerFactoryCore factory(cluster.config_maps().client());
  base::ThreadGroup writers{Context()};
  writers.Go("writer", [&](const Context&) {
    for (int i = 0; i < 3 * kObjects; ++i) {
      const std::string key = absl::StrCat("w-", i);
      cluster.Create(key);
      cluster.Set(key, "2");
      if (i % 3 == 0) cluster.Delete(key);
    }
    return absl::OkStatus();
  });
  base::ThreadGroup askers{Context()};
  askers.Go("asker", [&](const Context& ctx) {
    while (!ctx.done()) {
      factory.CheckSynced().IgnoreError();
      factory.WaitForCacheSync(WithTimeout(ctx, absl::Milliseconds(1))).IgnoreError();
      for (const auto& informer : factory.Informers()) {
        EXPECT_LE(informer->status().handlers.size(), 1u);
      }
    }
    return absl::OkStatus();
  });
  for (int i = 0; i < kObjects; ++i) {
    SharedInformer<ConfigMap>& informer =
        factory.InformerFor<ConfigMap, api::core::v1::ConfigMapList>(kConfigMaps);
    CheckingHandler<ConfigMap> passing(informer.store());
    std::atomic<int> advances = 0;
    EXPECT_THAT(informer.AddEventHandler(passing.Handler()), base::IsOk());
    {
      const StoreAdvancedRegistration registration =
          informer.OnStoreAdvanced([&advances] { ++advances; });
      EXPECT_THAT(factory.Start(Context()), base::IsOk());
      if (i % 2 == 0) {
        EXPECT_THAT(WaitForCacheSync(Context(), {&informer}), base::IsOk());
      }
    }
    const int counted = advances.load();
    factory.Remove(informer);
    passing.SetRemoved();
    EXPECT_EQ(advances.load(), counted);
    EXPECT_THAT(passing.mistake(), base::IsOk());
  }
  EXPECT_THAT(writers.Wait(), base::IsOk());
  askers.Cancel();
  EXPECT_THAT(askers.Wait(), base::IsOk());
  EXPECT_TRUE(factory.Informers().empty());
}

}  // namespace
}  // namespace kube::informers
