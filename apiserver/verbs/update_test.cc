#include "apiserver/verbs/update.h"

#include "absl/status/status.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/call/call.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"
#include "apiserver/verbs/testing/verb_world.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

// Its updates create what is missing.
constexpr VerbWorld::Subject kLease = {
    .api_version = "coordination.k8s.io/v1", .kind = "Lease", .name = "l"};

TEST(ServeUpdate, OfAMissingObjectWithAUid_CreatesNothing) {
  VerbWorld world;
  bool asked = false;
  world.core().authorize = [&](const User&, const RequestInfo&) {
    asked = true;
    return Decision();
  };
  Call call = world.CallAbout("update", kLease, R"({"metadata":{"name":"l","uid":"u"}})");
  const absl::Status refused = ServeUpdate(world.core(), call).status();
  EXPECT_TRUE(errors::IsConflict(refused)) << refused;
  EXPECT_FALSE(asked);
}

TEST(ServeUpdate, OfAnObjectThatSomebodyElseHasJustCreated_LeavesItAlone) {
  VerbWorld world;
  world.core().authorize = [&](const User&, const RequestInfo&) {
    world.Create(kLease, R"({"metadata":{"name":"l","labels":{"theirs":"x"}}})");
    return Decision();
  };
  Call call = world.CallAbout("update", kLease, R"({"metadata":{"name":"l"}})");
  const absl::Status refused = ServeUpdate(world.core(), call).status();
  EXPECT_TRUE(errors::IsAlreadyExists(refused)) << refused;
  EXPECT_TRUE(world.Stored(kLease)->metadata().labels.contains("theirs"));
}

}  // namespace
}  // namespace kube::apiserver::internal
