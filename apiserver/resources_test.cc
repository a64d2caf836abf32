#include "apiserver/resources.h"

#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver {
namespace {

TEST(Resources, AreThoseThatAServerHasByDefault) {
  const Resources resources = Resources::BuiltIn();
  EXPECT_EQ(resources.group_versions().size(), 22u);
  EXPECT_TRUE(resources.HasGroupVersion("autoscaling", "v1"));
  EXPECT_FALSE(resources.HasGroupVersion("apps", "v1beta1"));
  EXPECT_FALSE(resources.HasGroup("imagepolicy.k8s.io"));
  const Resource* deployments = resources.Find("apps", "v1", "deployments");
  ASSERT_NE(deployments, nullptr);
  EXPECT_EQ(deployments->list_kind->kind, "DeploymentList");
  EXPECT_TRUE(deployments->namespaced());
  EXPECT_EQ(deployments->KeyOf("n", "d"), "n/d");
  EXPECT_EQ(deployments->PrefixOf("n"), "n/");
  EXPECT_EQ(deployments->PrefixOf(""), "");
  EXPECT_NE(deployments->FindSubresource("scale"), nullptr);
  EXPECT_EQ(deployments->FindSubresource("log"), nullptr);
  EXPECT_EQ(resources.FindKind("apps/v1", "Deployment"), deployments);
  EXPECT_EQ(resources.Find("", "v1", "nodes")->KeyOf("", "a"), "a");
  EXPECT_EQ(resources.Find("apps", "v1", "pods"), nullptr);
}

// What has objects can be listed, and only versions of one resource have the same objects.
TEST(Resources, AreConsistent) {
  const Resources resources = Resources::BuiltIn();
  std::set<std::string> names;
  for (const schema::GroupVersion& each : resources.group_versions()) {
    EXPECT_FALSE(resources.InGroupVersion(each).empty()) << each;
    for (const Resource* resource : resources.InGroupVersion(each)) {
      SCOPED_TRACE(absl::StrCat(resource->ApiVersion(), " ", resource->kind->plural));
      const Resource* const stored = resources.FindStorage(resource->storage);
      ASSERT_NE(stored, nullptr);
      if (resource->stored_kind == nullptr) {
        EXPECT_TRUE(names.insert(resource->storage).second);
        EXPECT_EQ(stored, resource);
      } else {
        EXPECT_EQ(stored->kind, resource->stored_kind);
      }
      EXPECT_EQ(resource->HasVerb("list"), resource->list_kind != nullptr);
    }
  }
}

}  // namespace
}  // namespace kube::apiserver
