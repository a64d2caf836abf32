// Discovery, mappers and the clients of any resource: dynamic, metadata, scale.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/patch/patch_type.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/decode_unstructured.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/watch/event.h"
#include "apimachinery/watch/watcher.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/memory_cache.h"
#include "clientset/discovery/server_resources.h"
#include "clientset/dynamic/dynamic_client.h"
#include "clientset/metadata/metadata_client.h"
#include "clientset/rest/client.h"
#include "clientset/restmapper/category_expander.h"
#include "clientset/restmapper/deferred_discovery_rest_mapper.h"
#include "clientset/restmapper/shortcut_expander.h"
#include "clientset/scale/scale_client.h"
#include "clientset/scale/scale_kind_resolver.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/conformance/server_under_test.h"

namespace kube::conformance {
namespace {

namespace autoscalingv1 = api::autoscaling::v1;
namespace metav1 = api::meta::v1;

using ::kube::base::IsOk;
using ::testing::Contains;
using ::testing::IsSupersetOf;
using unstructured::Unstructured;

Context Soon() { return WithTimeout(Context(), absl::Minutes(1)); }

const schema::GroupVersionResource kConfigMaps = {
    .group = "", .version = "v1", .resource = "configmaps"};
const schema::GroupVersionResource kDeployments = {
    .group = "apps", .version = "v1", .resource = "deployments"};

Unstructured ConfigMap(const std::string& name) {
  return *unstructured::DecodeUnstructured(
      absl::StrCat(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")", name,
                   R"(","labels":{"case":"y"}},"data":{"x":"1"}})"));
}

Unstructured Deployment() {
  return *unstructured::DecodeUnstructured(R"({"apiVersion":"apps/v1","kind":"Deployment",
      "metadata":{"name":"web"},"spec":{"replicas":1,"selector":{"matchLabels":{"app":"web"}},
      "template":{"metadata":{"labels":{"app":"web"}},
      "spec":{"containers":[{"name":"c","image":"i"}]}}}})");
}

class AnyResourceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (ServerUnderTest::variant().empty()) return;
    std::cout << "SKIPPED: not of this variant\n";
    GTEST_SKIP();
  }

  const ServerUnderTest& server_ = ServerUnderTest::Get();
  const std::string namespace_name_ = server_.MakeNamespace();
  const rest::Client client_ = *rest::MakeClient(server_.Config());
  const dynamic::DynamicClient dynamic_{client_};
  const std::shared_ptr<discovery::MemoryCache> cache_ = std::make_shared<discovery::MemoryCache>(
      std::make_shared<discovery::DiscoveryClient>(client_));
  const std::shared_ptr<restmapper::DeferredDiscoveryRestMapper> mapper_ =
      std::make_shared<restmapper::DeferredDiscoveryRestMapper>(cache_);
};

// "apps/v1 deployments/scale autoscaling/v1/Scale true get,patch,update"
std::set<std::string> Lines(const discovery::ServerResources& all) {
  std::set<std::string> lines;
  for (const discovery::ResourceList& list : all.resources) {
    const schema::GroupVersion own = *schema::ParseGroupVersion(list->group_version);
    for (const metav1::APIResource& each : list->resources) {
      // Legacy documents say it only where it is another one.
      const bool other = !each.version.empty();
      std::string line = absl::StrCat(list->group_version.view(), " ", each.name.view(), " ",
                                      other ? each.group.view() : own.group, "/",
                                      other ? each.version.view() : own.version, "/",
                                      each.kind.view(), " ", each.namespaced ? "true" : "false");
      std::vector<std::string> verbs(each.verbs.begin(), each.verbs.end());
      std::sort(verbs.begin(), verbs.end());
      for (const std::string& verb : verbs) absl::StrAppend(&line, " ", verb);
      lines.insert(std::move(line));
    }
  }
  return lines;
}

TEST_F(AnyResourceTest, DiscoverySaysTheSameInBothForms) {
  const discovery::DiscoveryClient aggregated(client_);
  const discovery::DiscoveryClient legacy(client_, {.legacy = true});
  const absl::StatusOr<discovery::ServerResources> all =
      aggregated.ServerGroupsAndResources(Soon());
  const absl::StatusOr<discovery::ServerResources> old = legacy.ServerGroupsAndResources(Soon());
  ASSERT_THAT(all.status(), IsOk());
  ASSERT_THAT(old.status(), IsOk());
  EXPECT_THAT(all->status(), IsOk());
  EXPECT_THAT(old->status(), IsOk());
  EXPECT_EQ(Lines(*all), Lines(*old));
  EXPECT_THAT(Lines(*all), Contains("apps/v1 deployments/scale autoscaling/v1/Scale true get patch "
                                    "update"));
  // The aggregated form is really there.
  EXPECT_TRUE(aggregated.MaybeResources(Soon())->resources.has_value());
  EXPECT_FALSE(legacy.MaybeResources(Soon())->resources.has_value());
  EXPECT_THAT(aggregated.ServerVersion(Soon()).status(), IsOk());
}

TEST_F(AnyResourceTest, NamesAreMapped) {
  const restmapper::ShortcutExpander mapper(mapper_, cache_);
  EXPECT_THAT(mapper.ResourceFor(Soon(), {.resource = "deploy"}), base::IsOkAndHolds(kDeployments));
  EXPECT_THAT(mapper.ResourceFor(Soon(), {.resource = "configmap"}),
              base::IsOkAndHolds(kConfigMaps));
  const auto all = restmapper::DiscoveryCategoryExpander(cache_).Expand(Soon(), "all");
  ASSERT_TRUE(all.has_value());
  EXPECT_THAT(*all, IsSupersetOf({schema::GroupResource{.group = "", .resource = "pods"},
                                  kDeployments.group_resource()}));
}

TEST_F(AnyResourceTest, DynamicClientsReadAndWrite) {
  const dynamic::ResourceClient maps = dynamic_.Resource(kConfigMaps).Namespace(namespace_name_);
  const absl::StatusOr<Unstructured> created = maps.Create(Soon(), ConfigMap("a"));
  ASSERT_THAT(created.status(), IsOk());
  const auto watcher =
      maps.Watch(Soon(), {.resource_version = std::string(created->resource_version())});
  ASSERT_THAT(watcher.status(), IsOk());
  Unstructured changed = *created;
  At(changed.object, {"data", "x"}) = "2";
  ASSERT_THAT(maps.Update(Soon(), changed).status(), IsOk());
  EXPECT_TRUE(errors::IsConflict(maps.Update(Soon(), changed).status()));
  const absl::StatusOr<std::optional<watch::Event<Unstructured>>> event = (*watcher)->Next(Soon());
  ASSERT_THAT(event.status(), IsOk());
  ASSERT_TRUE(event->has_value());
  EXPECT_EQ((*event)->type, watch::EventType::kModified);
  EXPECT_EQ((*event)->object->kind(), "ConfigMap");
  const absl::StatusOr<Unstructured> applied =
      maps.Apply(Soon(), "b", ConfigMap("b"), {.field_manager = "test"});
  ASSERT_THAT(applied.status(), IsOk());
  ASSERT_EQ(applied->managed_fields().size(), 1u);
  EXPECT_EQ(applied->managed_fields()[0].manager, "test");
  ASSERT_THAT(maps.Patch(Soon(), "b", patch::PatchType::kMerge, R"({"data":{"x":"3"}})").status(),
              IsOk());
  const absl::StatusOr<unstructured::UnstructuredList> list =
      maps.List(Soon(), {.label_selector = "case=y"});
  ASSERT_THAT(list.status(), IsOk());
  ASSERT_EQ(list->items.size(), 2u);
  EXPECT_EQ(list->items[0].kind(), "ConfigMap");
  EXPECT_EQ(*list->items[1].object.find("data")->Find("x")->text(), "3");
  ASSERT_THAT(maps.Delete(Soon(), "a"), IsOk());
  EXPECT_TRUE(errors::IsNotFound(maps.Get(Soon(), "a").status()));
  ASSERT_THAT(maps.DeleteCollection(Soon(), {}, {.label_selector = "case=y"}), IsOk());
  EXPECT_TRUE(errors::IsNotFound(maps.Get(Soon(), "b").status()));
}

TEST_F(AnyResourceTest, DynamicClientsReachSubresources) {
  const dynamic::ResourceClient deployments =
      dynamic_.ResourceOfKind(Soon(), *mapper_, {.group = "apps", .kind = "Deployment"})
          ->Namespace(namespace_name_);
  absl::StatusOr<Unstructured> web = deployments.Create(Soon(), Deployment());
  ASSERT_THAT(web.status(), IsOk());
  At(web->object, {"status", "replicas"}) = 1;
  const absl::StatusOr<Unstructured> updated = deployments.UpdateStatus(Soon(), *web);
  ASSERT_THAT(updated.status(), IsOk());
  const absl::StatusOr<Unstructured> scale = deployments.Get(Soon(), "web", {}, {"scale"});
  ASSERT_THAT(scale.status(), IsOk());
  EXPECT_EQ(scale->kind(), "Scale");
}

TEST_F(AnyResourceTest, MetadataClientsSeeMetadata) {
  const dynamic::ResourceClient maps = dynamic_.Resource(kConfigMaps).Namespace(namespace_name_);
  const metadata::ResourceClient metadata =
      metadata::MetadataClient(client_).Resource(kConfigMaps).Namespace(namespace_name_);
  ASSERT_THAT(maps.Create(Soon(), ConfigMap("a")).status(), IsOk());
  ASSERT_THAT(maps.Create(Soon(), ConfigMap("b")).status(), IsOk());
  const absl::StatusOr<metav1::PartialObjectMetadata> got = metadata.Get(Soon(), "a");
  ASSERT_THAT(got.status(), IsOk());
  EXPECT_EQ(got->metadata.name, "a");
  EXPECT_EQ(got->metadata.labels, (Map<String>{{"case", "y"}}));
  EXPECT_FALSE(got->metadata.uid.empty());
  const absl::StatusOr<metav1::PartialObjectMetadataList> list =
      metadata.List(Soon(), {.label_selector = "case=y"});
  ASSERT_THAT(list.status(), IsOk());
  ASSERT_EQ(list->items.size(), 2u);
  EXPECT_EQ(list->items[0], *got);
  const auto page = metadata.ListPage(Soon(), {.label_selector = "case=y"});
  ASSERT_THAT(page.status(), IsOk());
  ASSERT_EQ(page->items.size(), 2u);
  EXPECT_EQ(*page->items[0], *got);
  const auto watcher =
      metadata.Watch(Soon(), {.resource_version = std::string(list->metadata.resource_version)});
  ASSERT_THAT(watcher.status(), IsOk());
  const absl::StatusOr<metav1::PartialObjectMetadata> patched = metadata.Patch(
      Soon(), "a", patch::PatchType::kMerge, R"({"metadata":{"labels":{"case":"z"}}})");
  ASSERT_THAT(patched.status(), IsOk());
  EXPECT_EQ(patched->metadata.labels, (Map<String>{{"case", "z"}}));
  const auto event = (*watcher)->Next(Soon());
  ASSERT_THAT(event.status(), IsOk());
  ASSERT_TRUE(event->has_value());
  EXPECT_EQ(*(*event)->object, *patched);
  ASSERT_THAT(metadata.Delete(Soon(), "a"), IsOk());
  EXPECT_TRUE(errors::IsNotFound(metadata.Get(Soon(), "a").status()));
  ASSERT_THAT(metadata.DeleteCollection(Soon(), {}, {.label_selector = "case=y"}), IsOk());
  EXPECT_TRUE(errors::IsNotFound(metadata.Get(Soon(), "b").status()));
}

TEST_F(AnyResourceTest, ScaleClientsScale) {
  ASSERT_THAT(dynamic_.Resource(kDeployments)
                  .Namespace(namespace_name_)
                  .Create(Soon(), Deployment())
                  .status(),
              IsOk());
  const scale::ScaleClient scales =
      scale::ScaleClient(client_, mapper_,
                         std::make_shared<scale::DiscoveryScaleKindResolver>(cache_))
          .Namespace(namespace_name_);
  const schema::GroupResource deployments = kDeployments.group_resource();
  absl::StatusOr<autoscalingv1::Scale> web = scales.Get(Soon(), deployments, "web");
  ASSERT_THAT(web.status(), IsOk());
  EXPECT_EQ(web->spec.replicas, 1);
  EXPECT_EQ(web->status.selector, "app=web");
  web->spec.replicas = 3;
  const absl::StatusOr<autoscalingv1::Scale> updated = scales.Update(Soon(), deployments, *web);
  ASSERT_THAT(updated.status(), IsOk());
  EXPECT_EQ(updated->spec.replicas, 3);
  EXPECT_TRUE(errors::IsConflict(scales.Update(Soon(), deployments, *web).status()));
  const absl::StatusOr<autoscalingv1::Scale> patched = scales.Patch(
      Soon(), kDeployments, "web", patch::PatchType::kMerge, R"({"spec":{"replicas":5}})");
  ASSERT_THAT(patched.status(), IsOk());
  EXPECT_EQ(patched->spec.replicas, 5);
  EXPECT_TRUE(errors::IsNotFound(scales.Get(Soon(), deployments, "other").status()));
}

}  // namespace
}  // namespace kube::conformance
