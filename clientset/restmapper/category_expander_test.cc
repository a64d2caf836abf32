#include "clientset/restmapper/category_expander.h"

#include <memory>
#include <optional>
#include <vector>

#include "apimachinery/base/context.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/testing/scripted_server.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::restmapper {
namespace {

using discovery::ScriptedServer;
using schema::GroupResource;
using testing::ElementsAre;
using testing::Optional;

const GroupResource kPods = {.group = "", .resource = "pods"};
const GroupResource kDeployments = {.group = "apps", .resource = "deployments"};
const GroupResource kJobs = {.group = "batch", .resource = "jobs"};

TEST(CategoryExpander, SimpleExpander_KnownCategory_ReturnsItsResources) {
  const SimpleCategoryExpander expander({{"all", {kPods, kJobs}}});
  EXPECT_THAT(expander.Expand(Context(), "all"), Optional(ElementsAre(kPods, kJobs)));
  EXPECT_EQ(expander.Expand(Context(), "none"), std::nullopt);
}

TEST(CategoryExpander, DiscoveryExpander_Category_ReturnsTheResourcesOfTheServer) {
  ScriptedServer server(ScriptedServer::Mode::kLegacy);
  const DiscoveryCategoryExpander expander(
      std::make_shared<discovery::DiscoveryClient>(server.client()));
  EXPECT_THAT(expander.Expand(Context(), "all"), Optional(ElementsAre(kPods, kDeployments)));
  EXPECT_EQ(expander.Expand(Context(), "none"), std::nullopt);
  server.Set("/apis", rest::StatusReply(403, "Forbidden", "no"));
  EXPECT_EQ(expander.Expand(Context(), "all"), std::nullopt);
}

TEST(CategoryExpander, UnionExpander_SeveralExpanders_JoinsWithoutDuplicates) {
  ScriptedServer server(ScriptedServer::Mode::kAggregated);
  const UnionCategoryExpander expander(
      {std::make_shared<SimpleCategoryExpander>(
           SimpleCategoryExpander::Expansions{{"all", {kJobs, kPods}}, {"mine", {}}}),
       std::make_shared<DiscoveryCategoryExpander>(
           std::make_shared<discovery::DiscoveryClient>(server.client()))});
  EXPECT_THAT(expander.Expand(Context(), "all"), Optional(ElementsAre(kJobs, kPods, kDeployments)));
  EXPECT_THAT(expander.Expand(Context(), "mine"), Optional(testing::IsEmpty()));
  EXPECT_EQ(expander.Expand(Context(), "none"), std::nullopt);
}

}  // namespace
}  // namespace kube::restmapper
