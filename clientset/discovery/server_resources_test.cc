#include "clientset/discovery/server_resources.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/schema/group_version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::discovery {
namespace {

namespace metav1 = api::meta::v1;
using schema::GroupVersion;

ResourceList ListOf(absl::string_view group_version, std::vector<metav1::APIResource> resources) {
  auto list = std::make_shared<metav1::APIResourceList>();
  list->group_version = group_version;
  for (metav1::APIResource& resource : resources) list->resources.push_back(std::move(resource));
  return list;
}

TEST(ServerResources, StatusNamesEachFailedGroupVersion) {
  ServerResources resources;
  EXPECT_THAT(resources.status(), base::IsOk());
  const GroupVersion metrics = {.group = "metrics.k8s.io", .version = "v1beta1"};
  resources.failed[metrics] = StaleGroupVersionError(metrics);
  resources.failed[{.group = "a", .version = "v1"}] = absl::NotFoundError("gone");
  const absl::Status status = resources.status();
  EXPECT_EQ(status, GroupDiscoveryFailedError(resources.failed));
  EXPECT_THAT(status,
              base::StatusIs(absl::StatusCode::kUnavailable,
                             "unable to retrieve the complete list of server APIs: a/v1: gone, "
                             "metrics.k8s.io/v1beta1: stale GroupVersion discovery: "
                             "metrics.k8s.io/v1beta1"));
  EXPECT_TRUE(IsGroupDiscoveryFailed(base::Annotate(status, "list all")));
}

TEST(ServerResources, Predicates_OfEachError_RecognizeOnlyTheirOwn) {
  using Predicate = bool (*)(const absl::Status&);
  const GroupVersion v1 = {.version = "v1"};
  const std::pair<absl::Status, Predicate> cases[] = {
      {GroupDiscoveryFailedError({{v1, absl::UnknownError("x")}}), IsGroupDiscoveryFailed},
      {StaleGroupVersionError(v1), IsStaleGroupVersion},
      {EmptyResponseError("v1"), IsEmptyResponse},
      {CacheNotFoundError("v1"), IsCacheNotFound},
  };
  for (const auto& [status, own] : cases) {
    EXPECT_FALSE(own(absl::OkStatus()));
    for (const auto& [other_status, other] : cases) {
      EXPECT_EQ(other(base::Annotate(status, "context")), own == other) << status;
    }
  }
}

TEST(ServerResources, FilteredBy_DropsResourcesAndEmptyLists) {
  const std::vector<ResourceList> lists = {
      ListOf("v1", {{.name = "pods", .namespaced = true}, {.name = "nodes"}}),
      ListOf("rbac/v1", {{.name = "clusterroles"}})};
  const std::vector<ResourceList> kept = FilteredBy(
      [](absl::string_view, const metav1::APIResource& resource) { return resource.namespaced; },
      lists);
  ASSERT_EQ(kept.size(), 1);
  EXPECT_EQ(*kept[0], *ListOf("v1", {{.name = "pods", .namespaced = true}}));
  EXPECT_THAT(FilteredBy([](absl::string_view group_version,
                            const metav1::APIResource&) { return group_version == "rbac/v1"; },
                         lists),
              testing::SizeIs(1));
}

TEST(ServerResources, SupportsAllVerbs_MissingVerb_IsFalse) {
  const metav1::APIResource pods = {.name = "pods", .verbs = {"get", "list"}};
  EXPECT_TRUE(SupportsAllVerbs(pods, {}));
  EXPECT_TRUE(SupportsAllVerbs(pods, {"list", "get"}));
  EXPECT_FALSE(SupportsAllVerbs(pods, {"list", "watch"}));
}

TEST(ServerResources, GroupVersionResources_ReturnsThoseOfAllLists) {
  EXPECT_THAT(
      GroupVersionResources({ListOf("v1", {{.name = "pods"}, {.name = "pods/log"}}),
                             ListOf("apps/v1", {{.name = "deployments"}})}),
      base::IsOkAndHolds(testing::ElementsAre(
          schema::GroupVersionResource{.group = "", .version = "v1", .resource = "pods"},
          schema::GroupVersionResource{.group = "", .version = "v1", .resource = "pods/log"},
          schema::GroupVersionResource{
              .group = "apps", .version = "v1", .resource = "deployments"})));
  EXPECT_THAT(GroupVersionResources({ListOf("a/b/c", {})}),
              base::StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::discovery
