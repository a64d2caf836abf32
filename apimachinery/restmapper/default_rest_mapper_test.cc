#include "apimachinery/restmapper/default_rest_mapper.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/apps/v1/types.kinds.kube.h"
#include "api/core/v1/types.kinds.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/restmapper/errors.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::restmapper {
namespace {

namespace appsv1 = api::apps::v1;
namespace corev1 = api::core::v1;

using base::IsOkAndHolds;
using base::StatusIs;
using schema::GroupVersionKind;
using schema::GroupVersionResource;
using testing::ElementsAre;

DefaultRestMapper Everything() { return MapperFromKinds({corev1::Kinds(), appsv1::Kinds()}); }

TEST(UnsafeGuessKindToResourceTest, GuessesPluralAndSingularAsUpstream) {
  struct Case {
    const char* kind;
    const char* plural;
    const char* singular;
  };
  const std::vector<Case> cases = {
      {"Pod", "pods", "pod"},
      {"Policy", "policies", "policy"},
      {"Ingress", "ingresses", "ingress"},
      {"Endpoints", "endpoints", "endpoints"},
      {"MyEndpoints", "myendpoints", "myendpoints"},
      {"Gateway", "gatewaies", "gateway"},
      {"Y", "ies", "y"},
      {"", "", ""},
  };
  for (const Case& c : cases) {
    const GuessedResource guessed = UnsafeGuessKindToResource({"g", "v1", c.kind});
    EXPECT_EQ(guessed.plural.resource, c.plural) << c.kind;
    EXPECT_EQ(guessed.singular.resource, c.singular) << c.kind;
    EXPECT_EQ(guessed.plural.group, c.kind[0] == '\0' ? "" : "g") << c.kind;
  }
}

TEST(DefaultRestMapperTest, MapperFromKinds_FindsKindsResourcesAndScopes) {
  const DefaultRestMapper mapper = MapperFromKinds({corev1::Kinds(), appsv1::Kinds()});
  const Context ctx;
  EXPECT_THAT(mapper.KindFor(ctx, {.resource = "Deployments"}),
              IsOkAndHolds(GroupVersionKind{"apps", "v1", "Deployment"}));
  EXPECT_THAT(mapper.ResourceFor(ctx, {.resource = "node"}),
              IsOkAndHolds(GroupVersionResource{"", "v1", "nodes"}));
  EXPECT_THAT(mapper.ResourceSingularizer(ctx, "statefulsets"),
              IsOkAndHolds(std::string("statefulset")));
  EXPECT_THAT(mapper.RestMappingFor(ctx, {"", "Node"}, {}),
              IsOkAndHolds(RestMapping{{"", "v1", "nodes"}, {"", "v1", "Node"}, Scope::kCluster}));
  EXPECT_THAT(
      mapper.RestMappingFor(ctx, {"apps", "ReplicaSet"}, {"v9", "v1"}),
      IsOkAndHolds(RestMapping{
          {"apps", "v1", "replicasets"}, {"apps", "v1", "ReplicaSet"}, Scope::kNamespaced}));
}

TEST(DefaultRestMapperTest, Lookup_UnknownOrMissingName_ReturnsUpstreamsError) {
  const DefaultRestMapper mapper = Everything();
  const Context ctx;
  // Kinds without a resource are no part of it.
  EXPECT_TRUE(IsNoMatch(mapper.RestMappingFor(ctx, {"apps", "DeploymentList"}, {}).status()));
  EXPECT_THAT(
      mapper.RestMappingFor(ctx, {"apps", "Web"}, {"v1"}),
      StatusIs(absl::StatusCode::kNotFound, "no matches for kind \"Web\" in version \"apps/v1\""));
  EXPECT_THAT(mapper.KindFor(ctx, {.resource = "webs"}),
              StatusIs(absl::StatusCode::kNotFound, "no matches for /, Resource=webs"));
  EXPECT_THAT(mapper.KindFor(ctx, {.group = "apps"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "a resource must be present, got: apps/, Resource="));
}

TEST(DefaultRestMapperTest, PrefersDefaultVersionsInTheirOrder) {
  DefaultRestMapper mapper({{"b", "v1"}, {"a", "v2"}});
  for (const char* group : {"a", "b", "c"}) {
    for (const char* version : {"v1", "v2"}) {
      mapper.Add({group, version, "Box"}, Scope::kCluster);
    }
  }
  const Context ctx;
  EXPECT_THAT(
      mapper.ResourcesFor(ctx, {.resource = "boxs"}),
      IsOkAndHolds(ElementsAre(
          GroupVersionResource{"b", "v1", "boxs"}, GroupVersionResource{"a", "v2", "boxs"},
          GroupVersionResource{"a", "v1", "boxs"}, GroupVersionResource{"b", "v2", "boxs"},
          GroupVersionResource{"c", "v1", "boxs"}, GroupVersionResource{"c", "v2", "boxs"})));
  const absl::StatusOr<GroupVersionKind> kind =
      mapper.KindFor(ctx, {.group = "a", .resource = "box"});
  EXPECT_TRUE(IsAmbiguous(kind.status()));
  EXPECT_THAT(CandidatesOf(kind.status())->kinds,
              ElementsAre(GroupVersionKind{"a", "v2", "Box"}, GroupVersionKind{"a", "v1", "Box"}));
  // Without a version, only default versions count.
  EXPECT_TRUE(IsNoMatch(mapper.RestMappingFor(ctx, {"c", "Box"}, {}).status()));
}

TEST(DefaultRestMapperTest, Lookup_PrefixOfAGroup_FindsTheGroup) {
  DefaultRestMapper mapper(std::vector<schema::GroupVersion>{{"storage.k8s.io", "v1"}});
  mapper.AddSpecific({"storage.k8s.io", "v1", "Sheep"}, {"storage.k8s.io", "v1", "flock"},
                     {"storage.k8s.io", "v1", "sheep"}, Scope::kCluster);
  const Context ctx;
  EXPECT_THAT(mapper.ResourceFor(ctx, {.group = "storage", .resource = "sheep"}),
              IsOkAndHolds(GroupVersionResource{"storage.k8s.io", "v1", "flock"}));
  EXPECT_THAT(mapper.KindFor(ctx, {.group = "storage", .resource = "flock"}),
              IsOkAndHolds(GroupVersionKind{"storage.k8s.io", "v1", "Sheep"}));
  EXPECT_TRUE(IsNoMatch(
      mapper.KindFor(ctx, {.group = "storage", .version = "v1", .resource = "flock"}).status()));
}

TEST(DefaultRestMapperTest, IsBuiltOfKinds_AsInTheHeader) {
  DefaultRestMapper mapper(std::vector<schema::GroupVersion>{{.group = "apps", .version = "v1"}});
  mapper.AddKinds(appsv1::Kinds());
  mapper.Add({.group = "example.com", .version = "v1", .kind = "Widget"}, Scope::kNamespaced);
  EXPECT_THAT(mapper.KindFor(Context(), {.resource = "widgets"}),
              IsOkAndHolds(GroupVersionKind{"example.com", "v1", "Widget"}));
}

// The example of rest_mapper.h.
absl::StatusOr<std::string> ResourceOfDeployments(const Context& ctx, const RestMapper& mapper) {
  KUBE_ASSIGN_OR_RETURN(RestMapping mapping,
                        mapper.RestMappingFor(ctx, {.group = "apps", .kind = "Deployment"}, {}));
  return mapping.resource.resource;  // "deployments"; mapping.scope is Scope::kNamespaced
}

TEST(RestMapperTest, FindsTheResourceOfAKind_AsInTheHeader) {
  EXPECT_THAT(ResourceOfDeployments(Context(), Everything()),
              IsOkAndHolds(std::string("deployments")));
}

}  // namespace
}  // namespace kube::restmapper
