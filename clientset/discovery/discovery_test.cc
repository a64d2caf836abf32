#include "clientset/discovery/discovery.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/log_capture.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/server_resources.h"
#include "clientset/discovery/testing/scripted_server.h"
#include "clientset/rest/client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::discovery {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;

// How the rest of Discovery works is in discovery_client_test.cc.

// The example of Discovery.
absl::StatusOr<std::vector<std::string>> GroupVersions(const Context& ctx,
                                                       const rest::Client& client) {
  const discovery::DiscoveryClient server(client);
  KUBE_ASSIGN_OR_RETURN(const ServerResources all, server.ServerGroupsAndResources(ctx));
  std::vector<std::string> names;  // "v1", "apps/v1" and so on
  for (const ResourceList& list : all.resources) names.push_back(list->group_version);
  return names;
}

// The example of ServerResources.
absl::StatusOr<ServerResources> ListAll(const Context& ctx, const Discovery& discovery) {
  KUBE_ASSIGN_OR_RETURN(const ServerResources all, discovery.ServerGroupsAndResources(ctx));
  if (!all.status().ok()) log::Error(all.status(), "discovery is incomplete");
  return all;
}

TEST(ServerGroupsAndResources, ListTheGroupVersions_AsInTheHeader) {
  ScriptedServer server(ScriptedServer::Mode::kAggregated);
  EXPECT_THAT(GroupVersions(Context(), server.client()),
              IsOkAndHolds(
                  testing::ElementsAre("v1", "apps/v1", "apps/v1beta1", "metrics.k8s.io/v1beta1")));
}

TEST(ServerGroupsAndResources, AreIncompleteWhereSomeFail_AsInTheHeader) {
  const log::LogCapture log;
  ScriptedServer server(ScriptedServer::Mode::kLegacy);
  server.Set("/apis/metrics.k8s.io/v1beta1", rest::StatusReply(503, "ServiceUnavailable", "down"));
  const absl::StatusOr<ServerResources> all = ListAll(Context(), DiscoveryClient(server.client()));
  ASSERT_THAT(all, IsOk());
  EXPECT_EQ(all->resources.size(), 3u);
  EXPECT_THAT(log.Lines(), testing::Contains(testing::HasSubstr("discovery is incomplete")));
}

TEST(IsResourceEnabled, IsResourceEnabled_AsksForOneGroupVersionAndReturnsItsError) {
  ScriptedServer server(ScriptedServer::Mode::kAggregated);
  const DiscoveryClient client(server.client());
  const auto is_enabled = [&client](const char* group, const char* resource) {
    return IsResourceEnabled(Context(), client,
                             {.group = group, .version = "v1", .resource = resource});
  };
  EXPECT_THAT(is_enabled("apps", "deployments"), IsOkAndHolds(true));
  EXPECT_THAT(is_enabled("", "pods"), IsOkAndHolds(true));
  EXPECT_THAT(is_enabled("apps", "widgets"), IsOkAndHolds(false));
  EXPECT_THAT(is_enabled("batch", "jobs"), IsOkAndHolds(false));
  EXPECT_THAT(server.TakePaths(), testing::SizeIs(4));
  server.Set("/apis/apps/v1", rest::StatusReply(403, "Forbidden", "no"));
  EXPECT_THAT(is_enabled("apps", "deployments"), StatusIs(absl::StatusCode::kPermissionDenied));
}

TEST(ServerSupportsVersion, ServerSupportsVersion_VersionNotServed_IsUnimplemented) {
  ScriptedServer server(ScriptedServer::Mode::kAggregated);
  const DiscoveryClient client(server.client());
  EXPECT_THAT(ServerSupportsVersion(Context(), client, {.group = "apps", .version = "v1beta1"}),
              IsOk());
  EXPECT_THAT(ServerSupportsVersion(Context(), client, {.version = "v1"}), IsOk());
  EXPECT_THAT(ServerSupportsVersion(Context(), client, {.group = "apps", .version = "v2"}),
              StatusIs(absl::StatusCode::kUnimplemented,
                       "server does not support API version \"apps/v2\""));
  server.SetAggregated("/api", R"({"items":[]})");
  server.SetAggregated("/apis", R"({"items":[]})");
  EXPECT_THAT(ServerSupportsVersion(Context(), client, {.group = "apps", .version = "v2"}), IsOk());
}

}  // namespace
}  // namespace kube::discovery
