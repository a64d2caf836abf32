#include "apimachinery/schema/group_version.h"

#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/hash/hash_testing.h"
#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::schema {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

const GroupVersion kAppsV1 = {.group = "apps", .version = "v1"};
const GroupVersion kCoreV1 = {.group = "", .version = "v1"};

template <typename T>
std::string Print(const T& value) {
  std::ostringstream out;
  out << value;
  EXPECT_EQ(out.str(), value.ToString());
  return out.str();
}

TEST(GroupVersionTest, TextsAndParts) {
  EXPECT_EQ(Print(kAppsV1), "apps/v1");
  EXPECT_EQ(Print(kCoreV1), "v1");
  EXPECT_EQ(Print(GroupVersion{.group = "apps", .version = ""}), "apps/");
  const GroupVersionKind deployment = kAppsV1.WithKind("Deployment");
  EXPECT_EQ(Print(deployment), "apps/v1, Kind=Deployment");
  EXPECT_EQ(Print(kCoreV1.WithKind("Pod")), "/v1, Kind=Pod");
  EXPECT_EQ(Print(deployment.group_kind()), "Deployment.apps");
  EXPECT_EQ(Print(kCoreV1.WithKind("Pod").group_kind()), "Pod");
  EXPECT_EQ(deployment.group_version(), kAppsV1);
  EXPECT_EQ(deployment.group_kind().WithVersion("v1"), deployment);
  const GroupVersionResource deployments = kAppsV1.WithResource("deployments");
  EXPECT_EQ(Print(deployments), "apps/v1, Resource=deployments");
  EXPECT_EQ(Print(deployments.group_resource()), "deployments.apps");
  EXPECT_EQ(deployments.group_version(), kAppsV1);
  EXPECT_EQ(deployments.group_resource().WithVersion("v1"), deployments);
}

TEST(GroupVersionTest, NamesAreMadeOfAndSplitIntoParts_AsInTheHeader) {
  const GroupVersion apps_v1 = {.group = "apps", .version = "v1"};
  const GroupVersionKind deployment = apps_v1.WithKind("Deployment");
  const GroupKind kind = deployment.group_kind();
  EXPECT_EQ(deployment.ToString(), "apps/v1, Kind=Deployment");
  EXPECT_EQ(kind, (GroupKind{.group = "apps", .kind = "Deployment"}));
}

TEST(GroupVersionTest, Empty) {
  EXPECT_TRUE(GroupVersion().empty() && GroupKind().empty() && GroupResource().empty() &&
              GroupVersionKind().empty() && GroupVersionResource().empty());
  EXPECT_FALSE(kCoreV1.empty() || kCoreV1.WithKind("").empty() || kCoreV1.WithResource("").empty());
  EXPECT_FALSE((GroupKind{.group = "", .kind = "Pod"}).empty());
  EXPECT_FALSE((GroupResource{.group = "", .resource = "pods"}).empty());
}

TEST(GroupVersionTest, ParseGroupVersion) {
  EXPECT_THAT(ParseGroupVersion("apps/v1"), IsOkAndHolds(kAppsV1));
  EXPECT_THAT(ParseGroupVersion("v1"), IsOkAndHolds(kCoreV1));
  EXPECT_THAT(ParseGroupVersion("/v1"), IsOkAndHolds(kCoreV1));
  EXPECT_THAT(ParseGroupVersion(""), IsOkAndHolds(GroupVersion()));
  EXPECT_THAT(ParseGroupVersion("/"), IsOkAndHolds(GroupVersion()));
  EXPECT_THAT(ParseGroupVersion("a/b/c"), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(ParseGroupVersion("a/b/c").status().message(), "unexpected GroupVersion string: a/b/c");
}

TEST(GroupVersionTest, ParseOthers) {
  EXPECT_EQ(ParseGroupKind("Deployment.apps"), (GroupKind{.group = "apps", .kind = "Deployment"}));
  EXPECT_EQ(ParseGroupKind("Pod"), (GroupKind{.group = "", .kind = "Pod"}));
  EXPECT_EQ(ParseGroupResource("roles.rbac.authorization.k8s.io"),
            (GroupResource{.group = "rbac.authorization.k8s.io", .resource = "roles"}));
  EXPECT_EQ(ParseResourceArg("deployments.apps").with_version, std::nullopt);
  const ResourceArg resource = ParseResourceArg("deployments.v1.apps");
  EXPECT_EQ(resource.with_version, kAppsV1.WithResource("deployments"));
  EXPECT_EQ(resource.group_resource,
            (GroupResource{.group = "v1.apps", .resource = "deployments"}));
  const KindArg kind = ParseKindArg("Role.v1.rbac.authorization.k8s.io");
  EXPECT_EQ(kind.with_version->ToString(), "rbac.authorization.k8s.io/v1, Kind=Role");
  EXPECT_EQ(kind.group_kind.group, "v1.rbac.authorization.k8s.io");
  EXPECT_EQ(ParseKindArg("Pod").with_version, std::nullopt);
}

TEST(GroupVersionTest, OfObjects) {
  EXPECT_EQ(FromApiVersionAndKind("apps/v1", "Deployment"), kAppsV1.WithKind("Deployment"));
  EXPECT_EQ(FromApiVersionAndKind("a/b/c", "Pod"), GroupVersion().WithKind("Pod"));
  EXPECT_EQ(ApiVersionOf(kCoreV1.WithKind("Pod")), "v1");
  EXPECT_EQ(ApiVersionOf(GroupVersionKind()), "");
}

TEST(GroupVersionTest, KindFor) {
  const std::vector<GroupVersionKind> kinds = {
      {.group = "apps", .version = "v1beta1", .kind = "Old"},
      {.group = "apps", .version = "v1", .kind = "New"},
      {.group = "batch", .version = "v1", .kind = "Job"}};
  EXPECT_EQ(KindFor(kAppsV1, kinds), kinds[1]);
  // The group has no kind in this version, so the first kind of the group is taken.
  EXPECT_EQ(KindFor({.group = "apps", .version = "v2"}, kinds),
            (GroupVersionKind{.group = "apps", .version = "v2", .kind = "Old"}));
  EXPECT_EQ(KindFor(kCoreV1, kinds), std::nullopt);
  // Of several wanted versions, one that exists is taken, and otherwise the first.
  std::vector<GroupVersion> wanted = {{.group = "apps", .version = "v2"},
                                      {.group = "batch", .version = "v1"}};
  EXPECT_EQ(KindForAny(wanted, kinds), kinds[2]);
  wanted[1].version = "v2";
  EXPECT_EQ(KindForAny(wanted, kinds)->ToString(), "apps/v2, Kind=Old");
  EXPECT_EQ(KindForAny({kCoreV1}, kinds), std::nullopt);
}

TEST(GroupVersionTest, OrderAndHash) {
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly({GroupVersion(), kAppsV1, kCoreV1}));
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      {GroupVersionKind(), kAppsV1.WithKind("A"), kCoreV1.WithKind("A")}));
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      {GroupVersionResource(), kAppsV1.WithResource("a"), kCoreV1.WithResource("a")}));
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      {GroupKind(), GroupKind{.group = "a", .kind = "b"}, GroupKind{.group = "b", .kind = "a"}}));
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly(
      {GroupResource(), GroupResource{.group = "a", .resource = "b"},
       GroupResource{.group = "b", .resource = "a"}}));
  // Group first, then version, then kind.
  EXPECT_LT(kCoreV1.WithKind("Z"), kAppsV1.WithKind("A"));
  EXPECT_LT(kAppsV1.WithKind("Z"), (GroupVersion{.group = "apps", .version = "v2"}).WithKind("A"));
  EXPECT_LT(kAppsV1.WithResource("a"), kAppsV1.WithResource("b"));
}

}  // namespace
}  // namespace kube::schema
