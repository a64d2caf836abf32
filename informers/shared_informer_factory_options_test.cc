// Options of factories that hold for one type, and those that divide objects and time among
// replicas.
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/sharding/selector.h"
#include "clientset/typed/resource.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/shared_informer.h"
#include "informers/shared_informer_factory_core.h"
#include "informers/testing/faulty_transport.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_informer.h"
#include "listers/lister.h"

namespace kube::informers {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr typed::Resource kConfigMaps = {
    .version = "v1", .plural = "configmaps", .kind = "ConfigMap", .built_in = true};
constexpr typed::Resource kSecrets = {
    .version = "v1", .plural = "secrets", .kind = "Secret", .built_in = true};

SharedInformer<ConfigMap>& ConfigMapsOf(SharedInformerFactoryCore& factory) {
  return factory.InformerFor<ConfigMap, corev1::ConfigMapList>(kConfigMaps);
}

std::vector<std::string> NamesOf(const listers::Lister<ConfigMap>& lister) {
  std::vector<std::string> names;
  for (const ConfigMap& object : lister.List()) {
    names.push_back(std::string(object.metadata.name.view()));
  }
  return names;
}

TEST(SharedInformerFactoryOptions, Selectors_OfOneType_HoldForItAlone) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    cluster.Create("b");
    SharedInformerFactoryCore factory(
        cluster.config_maps().client(),
        {.field_selector = "metadata.namespace=default",
         .selectors = {SelectorsOf<ConfigMap>(
                           {.label_selector = "value=1", .field_selector = "metadata.name=a"}),
                       SelectorsOf<ConfigMap>({.label_selector = "value!=2"})}});
    const auto lister = ConfigMapsOf(factory).lister();
    factory.InformerFor<corev1::Secret, corev1::SecretList>(kSecrets);
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
    EXPECT_THAT(NamesOf(lister), ElementsAre("a"));
    for (const std::string& request : cluster.transport().Requests()) {
      const bool narrowed = absl::StrContains(request, "/configmaps");
      EXPECT_EQ(absl::StrContains(request, "labelSelector=value%3D1%2Cvalue%21%3D2"), narrowed)
          << request;
      EXPECT_EQ(absl::StrContains(request, "metadata.name%3Da"), narrowed) << request;
      EXPECT_THAT(request, HasSubstr("fieldSelector=metadata.namespace%3Ddefault"));
    }
  });
}

TEST(SharedInformerFactoryOptions, Projections_OfOneType_ReplaceThatOfTheFactory) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    SharedInformerFactoryCore factory(
        cluster.config_maps().client(),
        {.lister_watcher = {.projection = {.drop = {"nothing.of.the.kind"}}},
         .projections = {ProjectionOf<ConfigMap>({.drop = {"data"}}),
                         ProjectionOf<corev1::Secret>({.drop = {"metadata.annotations"}})}});
    const auto lister = ConfigMapsOf(factory).lister();
    factory.InformerFor<corev1::Secret, corev1::SecretList>(kSecrets);
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(Context(), {.fail_fast = true}), IsOk());
    EXPECT_THAT(NamesOf(lister), ElementsAre("a"));
    for (const ConfigMap& object : lister.List()) EXPECT_TRUE(object.data.empty());
  });
}

TEST(SharedInformerFactoryOptions, Shards_OfTwoFactories_HoldEachObjectOnce) {
  Simulate([] {
    TestCluster cluster;
    for (int i = 0; i < 20; ++i) cluster.Create(absl::StrCat("object-", i));
    size_t objects = 0;
    for (const int shard : {0, 1}) {
      SharedInformerFactoryCore factory(cluster.config_maps().client(),
                                        {.shard = *sharding::ShardOf(shard, 2)});
      const auto lister = ConfigMapsOf(factory).lister();
      ASSERT_THAT(factory.Start(Context()), IsOk());
      ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
      EXPECT_THAT(NamesOf(lister), Not(IsEmpty()));
      objects += NamesOf(lister).size();
    }
    EXPECT_EQ(objects, 20u);
  });
}

TEST(SharedInformerFactoryOptions, ResyncJitter_LengthensThePeriod) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Recorder recorder;
    // The chance that the period is less than eleven minutes is one in ten thousand, and the
    // simulation's seed decides.
    SharedInformerFactoryCore factory(cluster.config_maps().client(),
                                      {.default_resync = absl::Minutes(10), .resync_jitter = 1000});
    ASSERT_THAT(ConfigMapsOf(factory).AddEventHandler(recorder.Handler()), IsOk());
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
    recorder.Await(1);
    Pass(absl::Minutes(11));
    EXPECT_THAT(recorder.told(), ElementsAre("add a=1 initial"));
  });
}

TEST(SharedInformerFactoryOptions, ResyncJitter_LengthensThePeriodByItsPartAtMost) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Recorder recorder;
    SharedInformerFactoryCore factory(cluster.config_maps().client(),
                                      {.default_resync = absl::Minutes(10), .resync_jitter = 0.5});
    ASSERT_THAT(ConfigMapsOf(factory).AddEventHandler(recorder.Handler()), IsOk());
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(Context()), IsOk());
    recorder.Await(1);
    Pass(absl::Minutes(9));
    EXPECT_THAT(recorder.told(), ElementsAre("add a=1 initial"));
    Pass(absl::Minutes(7));
    EXPECT_THAT(recorder.told(), ElementsAre("add a=1 initial", "update a=1>1 resync"));
  });
}

}  // namespace
}  // namespace kube::informers
