#include "clientset/typed/resource.h"

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/apps/v1/types.kinds.kube.h"
#include "api/core/v1/types.kinds.kube.h"
#include "api/rbac/v1/types.kinds.kube.h"
#include "apimachinery/types/kind_info.h"
#include "gtest/gtest.h"

namespace kube::typed {
namespace {

const KindInfo& Find(absl::Span<const KindInfo> kinds, absl::string_view kind) {
  for (const KindInfo& info : kinds) {
    if (info.kind == kind) return info;
  }
  ADD_FAILURE() << "no such kind: " << kind;
  return kinds[0];
}

TEST(ResourceOf, ResourceOf_BuiltInKind_HasGroupVersionPluralAndScope) {
  const Resource deployments = ResourceOf(Find(api::apps::v1::Kinds(), "Deployment"));
  EXPECT_EQ(deployments.group, "apps");
  EXPECT_EQ(deployments.version, "v1");
  EXPECT_EQ(deployments.plural, "deployments");
  EXPECT_EQ(deployments.kind, "Deployment");
  EXPECT_TRUE(deployments.namespaced);
  EXPECT_TRUE(deployments.built_in);

  const Resource nodes = ResourceOf(Find(api::core::v1::Kinds(), "Node"));
  EXPECT_EQ(nodes.group, "");
  EXPECT_FALSE(nodes.namespaced);
  EXPECT_TRUE(nodes.built_in);
  EXPECT_TRUE(ResourceOf(Find(api::rbac::v1::Kinds(), "Role")).built_in);
}

TEST(ResourceOf, ResourceOf_CustomKind_IsNotBuiltIn) {
  KindInfo kind = Find(api::apps::v1::Kinds(), "Deployment");
  kind.group = "example.com";
  EXPECT_FALSE(ResourceOf(kind).built_in);
  kind.group = "k8s.io.example.com";
  EXPECT_FALSE(ResourceOf(kind).built_in);
}

}  // namespace
}  // namespace kube::typed
