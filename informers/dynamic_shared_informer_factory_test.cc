#include "informers/dynamic_shared_informer_factory.h"

#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/metadata/metadata_client.h"
#include "gtest/gtest.h"
#include "informers/shared_informer_factory_core.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_informer.h"

namespace kube::informers {
namespace {

using base::IsOk;

schema::GroupVersionResource ConfigMapsResource() {
  return {.version = "v1", .resource = "configmaps"};
}

// Once by a watch-list, and once by a list, whose items do not say what they are.
TEST(DynamicSharedInformerFactory, KeepsObjectsWithTheirKind) {
  for (const bool watch_list : {true, false}) {
    Simulate([watch_list] {
      TestCluster cluster;
      cluster.Create("a");
      DynamicSharedInformerFactory factory(
          dynamic::DynamicClient(cluster.config_maps().client()),
          {.namespace_name = "default", .reflector = {.watch_list = watch_list}});
      auto& informer = factory.ForResource(ConfigMapsResource());
      EXPECT_EQ(&informer, &factory.ForResource(ConfigMapsResource()));
      ASSERT_THAT(factory.Start(Context()), IsOk());
      ASSERT_THAT(factory.WaitForCacheSync(WithTimeout(Context(), absl::Minutes(5))), IsOk());
      cluster.Create("b");
      const auto lister = informer.lister().Namespace("default");
      Await([&] { return lister.Get("b").ok(); });
      for (const char* name : {"a", "b"}) {
        const auto object = lister.Get(name);
        ASSERT_THAT(object, IsOk());
        EXPECT_EQ((*object)->kind(), "ConfigMap");
        EXPECT_EQ((*object)->api_version(), "v1");
      }
      EXPECT_EQ(lister.Get("c").status().message(), "configmaps \"c\" not found");
    });
  }
}

TEST(MetadataSharedInformerFactory, KeepsMetadata) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    MetadataSharedInformerFactory factory(metadata::MetadataClient(cluster.config_maps().client()));
    auto& informer = factory.ForResource(ConfigMapsResource());
    ASSERT_THAT(factory.Start(Context()), IsOk());
    ASSERT_THAT(factory.WaitForCacheSync(WithTimeout(Context(), absl::Minutes(5))), IsOk());
    cluster.Create("b");
    const auto lister = informer.lister().Namespace("default");
    Await([&] { return lister.Get("b").ok(); });
    const auto object = lister.Get("a");
    ASSERT_THAT(object, IsOk());
    EXPECT_EQ((*object)->metadata.labels.find("value")->view(), "1");
    EXPECT_TRUE(errors::IsNotFound(lister.Get("c").status()));
  });
}

}  // namespace
}  // namespace kube::informers
