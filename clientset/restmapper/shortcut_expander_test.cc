#include "clientset/restmapper/shortcut_expander.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "clientset/discovery/discovery_client.h"
#include "clientset/discovery/memory_cache.h"
#include "clientset/discovery/testing/scripted_server.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/restmapper/deferred_discovery_rest_mapper.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::restmapper {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using discovery::ScriptedServer;
using schema::GroupVersionResource;
using testing::ElementsAre;

class Shortcuts : public testing::Test {
 protected:
  ScriptedServer server_{ScriptedServer::Mode::kAggregated};
  const std::shared_ptr<discovery::MemoryCache> cache_ = std::make_shared<discovery::MemoryCache>(
      std::make_shared<discovery::DiscoveryClient>(server_.client()));
  std::vector<std::string> warnings_;
  ShortcutExpander mapper_{std::make_shared<DeferredDiscoveryRestMapper>(cache_), cache_,
                           [this](absl::string_view text) { warnings_.emplace_back(text); }};

  std::string Find(const std::string& group, const std::string& resource) {
    const absl::StatusOr<GroupVersionResource> found =
        mapper_.ResourceFor(Context(), {.group = group, .resource = resource});
    return found.ok() ? found->group_resource().ToString() : "";
  }
};

TEST_F(Shortcuts, ResourceFor_ShortName_ReturnsItsResource) {
  EXPECT_EQ(Find("", "po"), "pods");
  EXPECT_EQ(Find("", "pods"), "pods");
  EXPECT_EQ(Find("", "deploy"), "deployments.apps");
  EXPECT_EQ(Find("apps", "deploy"), "deployments.apps");
  EXPECT_EQ(Find("app", "deploy"), "deployments.apps");
  EXPECT_EQ(Find("batch", "deploy"), "");
  EXPECT_EQ(Find("", "xyz"), "");
  EXPECT_THAT(warnings_, testing::IsEmpty());
  EXPECT_THAT(mapper_.KindFor(Context(), {.resource = "po"}),
              IsOkAndHolds(schema::GroupVersionKind{.version = "v1", .kind = "Pod"}));
  EXPECT_THAT(mapper_.KindsFor(Context(), {.resource = "po"}), IsOk());
  EXPECT_THAT(mapper_.ResourcesFor(Context(), {.resource = "po"}), IsOk());
  EXPECT_THAT(mapper_.ResourceSingularizer(Context(), "po"), IsOkAndHolds(std::string("pod")));
  EXPECT_THAT(mapper_.RestMappingFor(Context(), {.kind = "Pod"}, {}), IsOk());
  EXPECT_THAT(mapper_.RestMappingsFor(Context(), {.kind = "Pod"}, {}), IsOk());
}

TEST_F(Shortcuts, ResourceFor_ShortNameOfTwoGroups_TakesTheFirstAndWarns) {
  EXPECT_EQ(Find("", "no"), "nodes");
  EXPECT_THAT(warnings_, ElementsAre("short name \"no\" could also match lower priority resource "
                                     "nodes.metrics.k8s.io"));
  warnings_.clear();
  EXPECT_EQ(Find("metrics.k8s.io", "no"), "nodes.metrics.k8s.io");
  EXPECT_THAT(warnings_, testing::IsEmpty());
}

TEST_F(Shortcuts, ResourceFor_FullNameThatIsAlsoAShortName_PrefersTheFullName) {
  server_.SetAggregated("/apis", R"({"items":[{"metadata":{"name":"x"},"versions":[
      {"version":"v1","resources":[{"resource":"widgets","scope":"Cluster","shortNames":["pods"],
        "responseKind":{"group":"x","version":"v1","kind":"Widget"}}]}]}]})");
  EXPECT_EQ(Find("", "pods"), "pods");
  EXPECT_EQ(Find("", "pod"), "pods");
  EXPECT_EQ(Find("x", "pods"), "widgets.x");
}

TEST_F(Shortcuts, ResourceFor_DiscoveryFails_PassesTheNameOn) {
  EXPECT_EQ(Find("", "po"), "pods");
  cache_->Invalidate();
  server_.Set("/api", rest::StatusReply(403, "Forbidden", "no"));
  EXPECT_EQ(Find("", "pods"), "pods");
  EXPECT_EQ(Find("", "po"), "");
}

TEST_F(Shortcuts, Reset_InvalidatesTheCache) {
  EXPECT_EQ(Find("", "po"), "pods");
  mapper_.Reset();
  EXPECT_FALSE(cache_->Fresh());
}

}  // namespace
}  // namespace kube::restmapper
