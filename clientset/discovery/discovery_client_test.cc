#include "clientset/discovery/discovery_client.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/version/info.kube.h"
#include "clientset/discovery/discovery.h"
#include "clientset/discovery/server_resources.h"
#include "clientset/discovery/testing/scripted_server.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/rest/config.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::discovery {
namespace {

namespace metav1 = api::meta::v1;
using base::IsOk;
using base::StatusIs;
using rest::JsonReply;
using rest::StatusReply;
using testing::ElementsAre;
using Mode = ScriptedServer::Mode;

std::vector<std::string> Names(const ServerResources& all) {
  std::vector<std::string> names;
  for (const ResourceList& list : all.resources) {
    for (const metav1::APIResource& resource : list->resources) {
      names.push_back(list->group_version + " " + resource.name);
    }
  }
  return names;
}

class EveryMode : public testing::TestWithParam<Mode> {};

INSTANTIATE_TEST_SUITE_P(, EveryMode, testing::Values(Mode::kLegacy, Mode::kAggregated),
                         [](const testing::TestParamInfo<Mode>& mode) {
                           return mode.param == Mode::kLegacy ? "Legacy" : "Aggregated";
                         });

TEST_P(EveryMode, ServerGroups_ReturnsGroupsAndPreferredVersions) {
  ScriptedServer server(GetParam());
  const absl::StatusOr<GroupList> groups = DiscoveryClient(server.client()).ServerGroups(Context());
  ASSERT_THAT(groups, IsOk());
  ASSERT_EQ((*groups)->groups.size(), 3);
  EXPECT_EQ((*groups)->groups[0].name, "");
  EXPECT_EQ((*groups)->groups[0].preferred_version.group_version, "v1");
  EXPECT_EQ((*groups)->groups[1].name, "apps");
  EXPECT_EQ((*groups)->groups[1].versions.size(), 2);
  EXPECT_EQ((*groups)->groups[1].preferred_version.version, "v1");
  EXPECT_THAT(server.TakePaths(), ElementsAre("/api", "/apis"));
}

TEST_P(EveryMode, ServerGroupsAndResources_ReturnsAllInTheOrderOfGroups) {
  ScriptedServer server(GetParam());
  const absl::StatusOr<ServerResources> all =
      DiscoveryClient(server.client()).ServerGroupsAndResources(Context());
  ASSERT_THAT(all, IsOk());
  EXPECT_THAT(all->status(), IsOk());
  EXPECT_THAT(Names(*all), testing::UnorderedElementsAre(
                               "v1 pods", "v1 pods/status", "v1 nodes", "apps/v1 deployments",
                               "apps/v1beta1 deployments", "apps/v1beta1 controllers",
                               "metrics.k8s.io/v1beta1 nodes"));
  ASSERT_EQ(all->resources.size(), 4);
  EXPECT_EQ(all->resources[1]->group_version, "apps/v1");
  EXPECT_EQ(all->resources[3]->group_version, "metrics.k8s.io/v1beta1");
  const size_t asked = GetParam() == Mode::kLegacy ? 6 : 2;
  EXPECT_EQ(server.TakePaths().size(), asked);
}

TEST_P(EveryMode, ServerPreferredResources_ReturnsOneVersionOfEach) {
  ScriptedServer server(GetParam());
  const DiscoveryClient client(server.client());
  const absl::StatusOr<ServerResources> all = client.ServerPreferredResources(Context());
  ASSERT_THAT(all, IsOk());
  EXPECT_THAT(Names(*all), ElementsAre("v1 pods", "v1 nodes", "apps/v1 deployments",
                                       "apps/v1beta1 controllers", "metrics.k8s.io/v1beta1 nodes"));
  const absl::StatusOr<ServerResources> namespaced =
      client.ServerPreferredNamespacedResources(Context());
  ASSERT_THAT(namespaced, IsOk());
  EXPECT_THAT(Names(*namespaced),
              ElementsAre("v1 pods", "apps/v1 deployments", "apps/v1beta1 controllers"));
}

// behaviour.md: DISC-1, DISC-2
TEST(DiscoveryClient, EachMode_SendsTheHeadersAndTimeoutOfUpstream) {
  struct Case {
    const char* name;
    DiscoveryClientOptions options;
    const char* accept;
    const char* timeout;
  };
  const Case cases[] = {
      {"Default",
       {},
       "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g="
       "apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
       "32s"},
      {"Legacy", {.legacy = true}, "application/json", "32s"},
      {"NoPeer",
       {.timeout = absl::ZeroDuration(), .no_peer = true},
       "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList;profile=nopeer,"
       "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g="
       "apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json",
       ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    ScriptedServer server(Mode::kLegacy);
    const DiscoveryClient client(server.client(), c.options);
    ASSERT_THAT(client.ServerGroups(Context()), IsOk());
    for (const rest::RecordedRequest& request : server.transport().requests()) {
      EXPECT_EQ(request.Header("accept"), c.accept);
      EXPECT_EQ(request.Param("timeout"), c.timeout);
    }
    ASSERT_THAT(client.ServerResourcesForGroupVersion(Context(), "apps/v1"), IsOk());
    EXPECT_EQ(server.transport().requests().back().Header("accept"), "application/json, */*");
  }
}

// behaviour.md: DISC-1, DISC-3
TEST(DiscoveryClient, ServerGroupsAndResources_GroupVersionFails_ReturnsTheOthers) {
  ScriptedServer server(Mode::kLegacy);
  server.Set("/apis/metrics.k8s.io/v1beta1", StatusReply(503, "ServiceUnavailable", "down"));
  const absl::StatusOr<ServerResources> all =
      DiscoveryClient(server.client()).ServerGroupsAndResources(Context());
  ASSERT_THAT(all, IsOk());
  EXPECT_EQ(all->groups->groups.size(), 3);
  EXPECT_EQ(all->resources.size(), 3);
  const schema::GroupVersion metrics = {.group = "metrics.k8s.io", .version = "v1beta1"};
  ASSERT_EQ(all->failed.count(metrics), 1);
  EXPECT_TRUE(errors::IsServiceUnavailable(all->failed.at(metrics)));
  EXPECT_THAT(all->status(), StatusIs(absl::StatusCode::kUnavailable,
                                      testing::HasSubstr("metrics.k8s.io/v1beta1: ")));
  // Everything is tried twice.
  EXPECT_EQ(server.TakePaths().size(), 12);
}

// behaviour.md: DISC-1
TEST(DiscoveryClient, ServerGroupsAndResources_FirstTryFails_TakesTheSecond) {
  ScriptedServer server(Mode::kLegacy);
  server.SetOnce("/apis/apps/v1", StatusReply(404, "NotFound", "not yet"));
  const absl::StatusOr<ServerResources> all =
      DiscoveryClient(server.client()).ServerGroupsAndResources(Context());
  ASSERT_THAT(all, IsOk());
  EXPECT_THAT(all->status(), IsOk());
  EXPECT_EQ(all->resources.size(), 4);
}

TEST(DiscoveryClient, ServerGroupsAndResources_StaleVersion_HasFailed) {
  ScriptedServer server(Mode::kAggregated);
  server.SetAggregated("/apis", R"({"items":[{"metadata":{"name":"apps"},"versions":[
      {"version":"v1","freshness":"Stale"},
      {"version":"v1beta1","freshness":"Current"}]}]})");
  const absl::StatusOr<ServerResources> all =
      DiscoveryClient(server.client()).ServerGroupsAndResources(Context());
  ASSERT_THAT(all, IsOk());
  EXPECT_EQ(all->groups->groups[1].preferred_version.version, "v1beta1");
  const schema::GroupVersion apps = {.group = "apps", .version = "v1"};
  ASSERT_EQ(all->failed.size(), 1);
  EXPECT_TRUE(IsStaleGroupVersion(all->failed.at(apps)));
}

TEST(DiscoveryClient, MaybeResources_OneDocumentWithoutThem_ReturnsOnlyGroups) {
  ScriptedServer server(Mode::kAggregated);
  server.Set("/api", JsonReply(R"({"versions":["v1"]})"));
  const absl::StatusOr<GroupsAndMaybeResources> all =
      DiscoveryClient(server.client()).MaybeResources(Context());
  ASSERT_THAT(all, IsOk());
  EXPECT_FALSE(all->resources.has_value());
  EXPECT_EQ(all->groups->groups.size(), 3);
}

TEST(DiscoveryClient, ServerGroupsAndResources_OneDocumentWithoutThem_AsksForEachGroupVersion) {
  ScriptedServer server(Mode::kAggregated);
  server.Set("/api", JsonReply(R"({"versions":["v1"]})"));
  const absl::StatusOr<ServerResources> all =
      DiscoveryClient(server.client()).ServerGroupsAndResources(Context());
  ASSERT_THAT(all, IsOk());
  EXPECT_TRUE(all->failed.empty());
  EXPECT_THAT(server.TakePaths(),
              ElementsAre("/api", "/api/v1", "/apis", "/apis/apps/v1", "/apis/apps/v1beta1",
                          "/apis/metrics.k8s.io/v1beta1"));
}

// behaviour.md: DISC-3
TEST(DiscoveryClient, ServerGroupsAndResources_NoCoreGroup_ReturnsTheOthers) {
  ScriptedServer server(Mode::kAggregated);
  server.Set("/api", StatusReply(404, "NotFound", "none"));
  const absl::StatusOr<ServerResources> all =
      DiscoveryClient(server.client()).ServerGroupsAndResources(Context());
  ASSERT_THAT(all, IsOk());
  EXPECT_EQ(all->groups->groups.size(), 2);
  EXPECT_EQ(all->resources.size(), 3);
}

// behaviour.md: DISC-3
TEST(DiscoveryClient, EachCall_ForbiddenDocument_ReturnsTheError) {
  for (const absl::string_view path : {"/api", "/apis"}) {
    SCOPED_TRACE(std::string(path));
    ScriptedServer server(Mode::kAggregated);
    server.Set(path, StatusReply(403, "Forbidden", "no"));
    const DiscoveryClient client(server.client());
    EXPECT_TRUE(errors::IsForbidden(client.ServerGroups(Context()).status()));
    EXPECT_TRUE(errors::IsForbidden(client.ServerGroupsAndResources(Context()).status()));
    EXPECT_TRUE(errors::IsForbidden(client.ServerPreferredResources(Context()).status()));
  }
}

TEST(DiscoveryClient, ServerResources_CoreNotFound_IsEmptyAndOthersAreErrors) {
  ScriptedServer server(Mode::kLegacy);
  server.Set("/api/v1", StatusReply(404, "NotFound", "none"));
  const DiscoveryClient client(server.client());
  const absl::StatusOr<ResourceList> core = client.ServerResourcesForGroupVersion(Context(), "v1");
  ASSERT_THAT(core, IsOk());
  EXPECT_EQ((*core)->group_version, "v1");
  EXPECT_TRUE((*core)->resources.empty());
  EXPECT_TRUE(
      errors::IsNotFound(client.ServerResourcesForGroupVersion(Context(), "a/v1").status()));
  EXPECT_THAT(client.ServerResourcesForGroupVersion(Context(), ""),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(DiscoveryClient, EachCall_UnreadableDocument_NamesItsPath) {
  ScriptedServer server(Mode::kAggregated);
  server.Set("/version", JsonReply("<html>"));
  server.SetAggregated("/apis", "[]");
  const DiscoveryClient client(server.client());
  EXPECT_THAT(client.ServerVersion(Context()),
              StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("get /version: ")));
  EXPECT_THAT(client.ServerGroups(Context()),
              StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("get /apis: ")));
}

TEST(DiscoveryClient, ServerGroupsAndResources_ContextEnds_ReturnsItsError) {
  ScriptedServer server(Mode::kLegacy);
  server.Set("/apis/apps/v1", {.hang = true});
  const Context ctx = WithTimeout(Context(), absl::Milliseconds(50));
  EXPECT_THAT(DiscoveryClient(server.client()).ServerGroupsAndResources(ctx),
              StatusIs(absl::StatusCode::kDeadlineExceeded));
}

// The example of DiscoveryClient.
absl::StatusOr<version::Info> VersionOf(const Context& ctx,
                                        const kubernetes::Clientset& clientset) {
  const discovery::DiscoveryClient server(clientset.client());
  KUBE_ASSIGN_OR_RETURN(const version::Info version, server.ServerVersion(ctx));
  return version;
}

TEST(DiscoveryClient, KnowsTheServersVersion_AsInTheHeader) {
  ScriptedServer server(Mode::kAggregated);
  const absl::StatusOr<version::Info> info =
      VersionOf(Context(), kubernetes::Clientset(server.client()));
  ASSERT_THAT(info, IsOk());
  EXPECT_EQ(info->git_version, "v1.36.2");
}

// behaviour.md: DISC-1
TEST(MakeDiscoveryClient, Make_ConfigWithATimeout_ReplacesTheDefault) {
  const absl::StatusOr<DiscoveryClient> plain = MakeDiscoveryClient({.host = "http://localhost"});
  ASSERT_THAT(plain, IsOk());
  EXPECT_EQ(plain->options().timeout, absl::Seconds(32));
  const absl::StatusOr<DiscoveryClient> own =
      MakeDiscoveryClient({.host = "http://localhost", .qps = 5, .timeout = absl::Seconds(5)});
  ASSERT_THAT(own, IsOk());
  EXPECT_EQ(own->options().timeout, absl::ZeroDuration());
  EXPECT_THAT(MakeDiscoveryClient({}), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::discovery
