#include "apiserver/verbs/patch.h"

#include <memory>

#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/rbac_policy_cache.h"
#include "apiserver/call/call.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"
#include "apiserver/verbs/testing/verb_world.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using testing::ElementsAre;

constexpr VerbWorld::Subject kRole = {
    .api_version = "rbac.authorization.k8s.io/v1", .kind = "Role", .name = "r"};

// The check of escalations comes between the reading and the writing of a role.
TEST(ServePatch, ThatMeetsAnotherWrite_IsAppliedToItAndWarnsOnce) {
  VerbWorld world;
  world.core().policies = std::make_unique<RbacPolicyCache>(world.core().storage);
  world.Create(kRole, R"({"metadata":{"name":"r"}})");
  int asked = 0;
  world.core().authorize = [&](const User&, const RequestInfo&) {
    if (++asked == 1) {
      EXPECT_THAT(
          world.core().registry.Update(world.TargetOf(kRole),
                                       [](const StoredObject& current) -> absl::StatusOr<Object> {
                                         Object changed = current.object().Copy();
                                         changed.metadata().labels["theirs"] = "x";
                                         return changed;
                                       }),
          IsOk());
    }
    return Decision();
  };
  Call call = world.CallAbout("patch", kRole, R"({"metadata":{"labels":{"ours":"y"}},"bogus":1})",
                              "application/merge-patch+json");
  call.info.query["fieldValidation"] = {"Warn"};
  const absl::StatusOr<httpserver::Response> response = ServePatch(world.core(), call);
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(asked, 2);
  EXPECT_THAT(call.warnings, ElementsAre("unknown field \"bogus\""));
  const ObjectPtr stored = world.Stored(kRole);
  EXPECT_TRUE(stored->metadata().labels.contains("ours"));
  EXPECT_TRUE(stored->metadata().labels.contains("theirs"));
}

}  // namespace
}  // namespace kube::apiserver::internal
