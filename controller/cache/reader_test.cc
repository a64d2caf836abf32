#include "controller/cache/reader.h"

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/restmapper/default_rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "clientset/generic/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "clientset/typed/reader.h"
#include "controller/cache/cache.h"
#include "controller/cache/watched.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/testing/test_cluster.h"
#include "informers/testing/test_informer.h"
#include "listers/stored_object.h"

namespace kube::controller {
namespace {

using api::meta::v1::PartialObjectMetadata;
using base::IsOk;
using base::StatusIs;
using informers::ConfigMap;
using informers::Simulate;
using informers::TestCluster;
using testing::HasSubstr;
using testing::SizeIs;

template <listers::StoredObject K>
Watched<K> Synced(Watched<K> watched) {
  watched.core()->Start();
  EXPECT_THAT(watched.core()->WaitForSync(WithTimeout(Context(), absl::Minutes(1))), IsOk());
  return watched;
}

TEST(WatchedReaderTest, ReadsWhatTheWatchHas) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    cluster.Create("b");
    Cache cache(cluster.config_maps().client());
    const Watched<ConfigMap> maps = Synced(cache.Watch<ConfigMap>());
    const std::shared_ptr<const typed::Reader<ConfigMap>> reader = ReaderOf(maps);
    const auto a = reader->Get(Context(), "default", "a");
    ASSERT_THAT(a, IsOk());
    EXPECT_EQ((*a)->metadata.name, "a");
    EXPECT_TRUE(errors::IsNotFound(reader->Get(Context(), "default", "c").status()));
    const auto in_default = reader->List(Context(), {.namespace_name = "default"});
    ASSERT_THAT(in_default, IsOk());
    EXPECT_THAT(*in_default, SizeIs(2));
    const auto none = reader->List(Context(), {.selector = *labels::Parse("app=web")});
    ASSERT_THAT(none, IsOk());
    EXPECT_THAT(*none, SizeIs(0));
  });
}

TEST(WatchedReaderTest, ANamespaceThatIsNotWatched_IsNoEmptyOne) {
  Simulate([] {
    TestCluster cluster;
    Cache cache(cluster.config_maps().client());
    const auto reader = ReaderOf(Synced(cache.Watch<ConfigMap>({.namespaces = {"default"}})));
    EXPECT_THAT(reader->Get(Context(), "other", "a"),
                StatusIs(absl::StatusCode::kFailedPrecondition));
    EXPECT_THAT(reader->List(Context(), {.namespace_name = "other"}),
                StatusIs(absl::StatusCode::kFailedPrecondition,
                         HasSubstr("does not cover the namespace \"other\"")));
  });
}

// As in the header.
TEST(WatchedReaderTest, IsTheCacheOfAGenericClient) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Cache cache(cluster.config_maps().client());
    const Watched<ConfigMap> config_maps = Synced(cache.Watch<ConfigMap>());
    const rest::Client& rest_client = cluster.config_maps().client();
    const generic::Client client = generic::Client(rest_client).WithReader(ReaderOf(config_maps));
    const auto read = client.Get<ConfigMap>(Context(), {.namespace_name = "default", .name = "a"});
    ASSERT_THAT(read, IsOk());
    EXPECT_EQ(*read, *ReaderOf(config_maps)->Get(Context(), "default", "a")) << "not a copy";
  });
}

TEST(WatchedReaderTest, MetadataOfTheCache_HasItsKindInAGenericClient) {
  Simulate([] {
    TestCluster cluster;
    cluster.Create("a");
    Cache cache(cluster.config_maps().client());
    const auto metadata = Synced(cache.WatchMetadata<ConfigMap>());
    const schema::GroupVersionKind kind = {.group = "", .version = "v1", .kind = "ConfigMap"};
    auto mapper = std::make_shared<restmapper::DefaultRestMapper>(
        std::vector<schema::GroupVersion>{{.group = "", .version = "v1"}});
    mapper->Add(kind, Scope::kNamespaced);
    const generic::Client client = generic::Client(cluster.config_maps().client(), mapper)
                                       .WithReader(kind, ReaderOf(metadata));
    const auto read = client.Get<PartialObjectMetadata>(Context(), kind,
                                                        {.namespace_name = "default", .name = "a"});
    ASSERT_THAT(read, IsOk());
    EXPECT_EQ((*read)->kind, "ConfigMap");
    const auto listed = client.List<PartialObjectMetadata>(Context(), kind);
    ASSERT_THAT(listed, IsOk());
    ASSERT_THAT(*listed, SizeIs(1));
    EXPECT_EQ(listed->front()->kind, "ConfigMap");
    EXPECT_THAT(client.Delete(Context(), **read), IsOk()) << "it says what it is";
  });
}

}  // namespace
}  // namespace kube::controller
