#include "controller/testing/internal/operator_setup.h"

#include "apimachinery/base/testing/status_matchers.h"
#include "controller/health/health_server.h"
#include "controller/manager/manager_options.h"
#include "controller/manager/manager_status.h"
#include "envtest/crds.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "webhook/registration.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(OperatorSetupTest, TestedManagerOptions_HaveANameAndNoFixedPort) {
  const ManagerOptions completed = TestedManagerOptions({});
  EXPECT_EQ(completed.name, "operator");
  EXPECT_FALSE(completed.health.has_value());
  EXPECT_FALSE(completed.webhooks.listen);
}

TEST(OperatorSetupTest, TestedManagerOptions_KeepANameAndAFreePort) {
  ManagerOptions options = {.name = "mine"};
  options.health = kube::health::HealthServerOptions{.port = 0};
  const ManagerOptions completed = TestedManagerOptions(options);
  EXPECT_EQ(completed.name, "mine");
  EXPECT_TRUE(completed.health.has_value());
}

TEST(OperatorSetupTest, WhatIsMissing_NamesThePhaseOrTheInformer) {
  ManagerStatus status;
  status.phases.push_back({.name = "caches", .state = "running"});
  status.phases.push_back({.name = "leader", .state = "waiting", .waits_for = "the lease"});
  EXPECT_THAT(WhatIsMissing(status, /*caches=*/false),
              HasSubstr("phase \"leader\" is waiting, it waits for the lease"));
  status.phases.pop_back();
  status.informers.push_back({.resource = "pods/v1", .why_not_synced = "forbidden"});
  EXPECT_THAT(WhatIsMissing(status, /*caches=*/false), IsEmpty());
  EXPECT_THAT(WhatIsMissing(status, /*caches=*/true),
              HasSubstr("informer \"pods/v1\" has not synced: forbidden"));
}

TEST(OperatorSetupTest, DefinitionsOf_WithoutAHost_AreAsTheyWere) {
  envtest::CrdOptions crds;
  crds.converted = {"widgets.example.com"};
  const auto definitions = DefinitionsOf(crds, nullptr, {});
  ASSERT_THAT(definitions, IsOk());
  EXPECT_EQ(definitions->webhooks, nullptr);
  EXPECT_EQ(definitions->converted, crds.converted);
}

TEST(OperatorSetupTest, ConfigurationsOf_WhatIsRegistered_NameItsPath) {
  const auto none = ConfigurationsOf({});
  ASSERT_THAT(none, IsOk());
  EXPECT_TRUE(none->empty());
  webhook::Registration registered;
  registered.kind = webhook::WebhookKind::kValidating;
  registered.path = "/validate--v1-configmap";
  registered.gvk = {.group = "", .version = "v1", .kind = "ConfigMap"};
  registered.gvr = {.group = "", .version = "v1", .resource = "configmaps"};
  registered.options.name = "vconfigmap.kb.io";
  const auto derived = ConfigurationsOf({registered});
  ASSERT_THAT(derived, IsOk());
  EXPECT_THAT(derived->manifest, HasSubstr("/validate--v1-configmap"));
}

}  // namespace
}  // namespace kube::controller::internal
