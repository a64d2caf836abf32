#include "clientset/restmapper/discovery_rest_mapper.h"

#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/restmapper/errors.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/testing/scripted_server.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::restmapper {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using discovery::ScriptedServer;
using schema::GroupVersionKind;
using schema::GroupVersionResource;

std::shared_ptr<RestMapper> MapperOver(ScriptedServer& server) {
  const absl::StatusOr<std::vector<ApiGroupResources>> groups =
      GetApiGroupResources(Context(), discovery::DiscoveryClient(server.client()));
  EXPECT_THAT(groups, IsOk());
  return NewDiscoveryRestMapper(*groups);
}

TEST(DiscoveryRestMapper, Mapper_ServedKindsAndResources_MapsThem) {
  for (const auto mode : {ScriptedServer::Mode::kLegacy, ScriptedServer::Mode::kAggregated}) {
    ScriptedServer server(mode);
    const std::shared_ptr<RestMapper> mapper = MapperOver(server);
    const Context ctx;
    EXPECT_THAT(mapper->RestMappingFor(ctx, {.group = "apps", .kind = "Deployment"}, {}),
                IsOkAndHolds(RestMapping{
                    .resource = {.group = "apps", .version = "v1", .resource = "deployments"},
                    .kind = {.group = "apps", .version = "v1", .kind = "Deployment"},
                    .scope = Scope::kNamespaced}));
    EXPECT_THAT(mapper->RestMappingFor(ctx, {.group = "apps", .kind = "Controller"}, {}),
                IsOkAndHolds(testing::Field(
                    &RestMapping::kind, testing::Field(&GroupVersionKind::version, "v1beta1"))));
    // v1 is preferred to other groups, and singular names are known or guessed.
    EXPECT_THAT(mapper->ResourceFor(ctx, {.resource = "nodes"}),
                IsOkAndHolds(GroupVersionResource{.version = "v1", .resource = "nodes"}));
    EXPECT_THAT(mapper->ResourceFor(ctx, {.resource = "controller"}),
                IsOkAndHolds(GroupVersionResource{
                    .group = "apps", .version = "v1beta1", .resource = "controllers"}));
    EXPECT_THAT(mapper->KindFor(ctx, {.resource = "pods"}),
                IsOkAndHolds(GroupVersionKind{.version = "v1", .kind = "Pod"}));
    EXPECT_THAT(mapper->ResourcesFor(ctx, {.resource = "nodes"}), IsOkAndHolds(testing::SizeIs(2)));
    EXPECT_TRUE(IsNoMatch(mapper->ResourceFor(ctx, {.resource = "pods/status"}).status()));
    EXPECT_THAT(mapper->RestMappingFor(ctx, {.kind = "PodList"}, {}), IsOk());
    EXPECT_THAT(mapper->RestMappingFor(ctx, {.kind = "List"}, {}), IsOk());
    EXPECT_THAT(mapper->RestMappingFor(ctx, {.kind = "pod"}, {}), IsOk());
  }
}

TEST(DiscoveryRestMapper, ResourceFor_PreferredVersionFailed_TakesAnother) {
  ScriptedServer server(ScriptedServer::Mode::kLegacy);
  server.Set("/apis/apps/v1", rest::StatusReply(503, "ServiceUnavailable", "down"));
  const std::shared_ptr<RestMapper> mapper = MapperOver(server);
  // The preferred version is not known.
  EXPECT_THAT(mapper->ResourceFor(Context(), {.group = "apps", .resource = "deployments"}),
              IsOkAndHolds(testing::Field(&GroupVersionResource::version, "v1beta1")));
  EXPECT_THAT(mapper->KindFor(Context(), {.resource = "pods"}), IsOk());
}

TEST(DiscoveryRestMapper, GetApiGroupResources_GroupsForbidden_ReturnsTheError) {
  ScriptedServer server(ScriptedServer::Mode::kLegacy);
  server.Set("/apis", rest::StatusReply(403, "Forbidden", "no"));
  EXPECT_THAT(GetApiGroupResources(Context(), discovery::DiscoveryClient(server.client())),
              base::StatusIs(absl::StatusCode::kPermissionDenied));
}

}  // namespace
}  // namespace kube::restmapper
