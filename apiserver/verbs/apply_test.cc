#include "apiserver/verbs/apply.h"

#include <string>

#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/auth/authorize.h"
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

constexpr char kApply[] = "application/apply-patch+yaml";
constexpr char kOurs[] =
    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m"},"data":{"ours":"x"}})";
constexpr VerbWorld::Subject kMap = {.api_version = "v1", .kind = "ConfigMap", .name = "m"};

api::meta::v1::PatchOptions Options() {
  api::meta::v1::PatchOptions options;
  options.field_manager = "m";
  return options;
}

TEST(ServeApply, OfAnObjectThatSomebodyElseHasJustCreated_ChangesIt) {
  VerbWorld world;
  int asked = 0;
  world.core().authorize = [&](const User&, const RequestInfo& info) {
    EXPECT_EQ(info.verb, "create");
    if (++asked == 1) {
      world.Create(kMap, R"({"metadata":{"name":"m"},"data":{"theirs":"y"}})");
    }
    return Decision();
  };
  Call call = world.CallAbout("patch", kMap, kOurs, kApply);
  const absl::StatusOr<httpserver::Response> response = ServeApply(world.core(), call, Options());
  ASSERT_THAT(response, IsOk());
  EXPECT_EQ(response->status, 200) << "it was there";
  EXPECT_EQ(asked, 1);
  const ObjectPtr stored = world.Stored(kMap);
  const auto& data = stored->object().As<api::core::v1::ConfigMap>()->data;
  EXPECT_TRUE(data.contains("ours"));
  EXPECT_TRUE(data.contains("theirs"));
  EXPECT_TRUE(world.record().changed);
}

TEST(ServeApply, OfAMissingObject_ChecksTheConfigurationBeforeTheRights) {
  VerbWorld world;
  bool asked = false;
  world.core().authorize = [&](const User&, const RequestInfo&) {
    asked = true;
    Decision decision;
    decision.allowed = false;
    return decision;
  };
  Call wrong = world.CallAbout(
      "patch", kMap, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"other"}})",
      kApply);
  EXPECT_TRUE(errors::IsBadRequest(ServeApply(world.core(), wrong, Options()).status()));
  EXPECT_FALSE(asked);
  Call call = world.CallAbout("patch", kMap, kOurs, kApply);
  EXPECT_TRUE(errors::IsForbidden(ServeApply(world.core(), call, Options()).status()));
  EXPECT_TRUE(asked);
  EXPECT_EQ(world.record().denied_verb, "create");
}

}  // namespace
}  // namespace kube::apiserver::internal
