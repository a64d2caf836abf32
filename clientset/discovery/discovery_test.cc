#include "clientset/discovery/discovery.h"

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/testing/scripted_server.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::discovery {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;

// How the rest of Discovery works is in discovery_client_test.cc.

TEST(IsResourceEnabled, AsksForOneGroupVersion) {
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

TEST(ServerSupportsVersion, LooksAtTheGroups) {
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
