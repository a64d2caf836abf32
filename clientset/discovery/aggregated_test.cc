#include "clientset/discovery/aggregated.h"

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/apidiscovery/v2/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/server_resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::discovery {
namespace {

namespace metav1 = api::meta::v1;

GroupsAndMaybeResources Split(absl::string_view json) {
  const auto document = codec::DecodeJson<api::apidiscovery::v2::APIGroupDiscoveryList>(json);
  EXPECT_THAT(document, base::IsOk());
  return SplitGroupsAndResources(*document);
}

TEST(SplitGroupsAndResources, Split_Subresources_BecomeResources) {
  const GroupsAndMaybeResources all = Split(R"({"items":[{"metadata":{"name":"apps"},"versions":[
    {"version":"v1","resources":[{"resource":"deployments","singularResource":"deployment",
      "responseKind":{"group":"apps","version":"v1","kind":"Deployment"},"scope":"Namespaced",
      "verbs":["get"],"shortNames":["deploy"],"categories":["all"],"subresources":[
        {"subresource":"scale","verbs":["update"],
         "responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"}},
        {"subresource":"nameless","verbs":["get"]}]}]}]}]})");
  ASSERT_EQ(all.groups->groups.size(), 1);
  EXPECT_TRUE(all.failed.empty());
  const ResourceList list = all.resources->at({.group = "apps", .version = "v1"});
  EXPECT_EQ(list->group_version, "apps/v1");
  ASSERT_EQ(list->resources.size(), 2);
  EXPECT_EQ(list->resources[0], (metav1::APIResource{.name = "deployments",
                                                     .singular_name = "deployment",
                                                     .namespaced = true,
                                                     .group = "apps",
                                                     .version = "v1",
                                                     .kind = "Deployment",
                                                     .verbs = {"get"},
                                                     .short_names = {"deploy"},
                                                     .categories = {"all"}}));
  EXPECT_EQ(list->resources[1], (metav1::APIResource{.name = "deployments/scale",
                                                     .singular_name = "deployment",
                                                     .namespaced = true,
                                                     .group = "autoscaling",
                                                     .version = "v1",
                                                     .kind = "Scale",
                                                     .verbs = {"update"}}));
}

TEST(SplitGroupsAndResources, Split_ResourceWithoutKind_IsLeftOut) {
  const GroupsAndMaybeResources all = Split(R"({"items":[{"metadata":{"name":""},"versions":[
    {"version":"v1","resources":[
      {"resource":"a","scope":"Cluster","subresources":[
        {"subresource":"b","responseKind":{"kind":"B"}}]},
      {"resource":"c","scope":"Namespaced","responseKind":{"group":"","version":"","kind":""}}
    ]}]}]})");
  const ResourceList list = all.resources->at({.group = "", .version = "v1"});
  ASSERT_EQ(list->resources.size(), 1);
  EXPECT_EQ(list->resources[0].name, "a/b");
  EXPECT_EQ(list->resources[0].kind, "B");
  EXPECT_FALSE(list->resources[0].namespaced);
}

TEST(SplitGroupsAndResources, Split_StaleVersion_HasFailed) {
  const GroupsAndMaybeResources all = Split(R"({"items":[
    {"metadata":{"name":"a"},"versions":[{"version":"v2","freshness":"Stale"},
      {"version":"v1","freshness":"Current"},{"version":"v0"}]},
    {"metadata":{"name":"b"},"versions":[{"version":"v1","freshness":"Stale"}]}]})");
  ASSERT_EQ(all.groups->groups.size(), 2);
  EXPECT_EQ(all.groups->groups[0].preferred_version.group_version, "a/v1");
  EXPECT_EQ(all.groups->groups[0].versions.size(), 2);
  EXPECT_TRUE(all.groups->groups[1].versions.empty());
  EXPECT_EQ(all.resources->size(), 2);
  ASSERT_EQ(all.failed.size(), 2);
  EXPECT_TRUE(IsStaleGroupVersion(all.failed.at({.group = "b", .version = "v1"})));
}

}  // namespace
}  // namespace kube::discovery
