#include "envtest/fake/action.h"

#include "absl/status/status.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gtest/gtest.h"

namespace kube::fake {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using base::StatusIs;

// Upstream's ActionImpl.Matches.
TEST(ActionTest, Matches_VerbResourceAndSubresource_IgnoringCase) {
  const Action action = {
      .verb = "update", .resource = {"apps", "v1", "deployments"}, .subresource = "status"};
  EXPECT_TRUE(action.Matches("update", "deployments"));
  EXPECT_TRUE(action.Matches("Update", "Deployments/Status"));
  EXPECT_FALSE(action.Matches("update", "deployments/scale"));
  EXPECT_FALSE(action.Matches("get", "deployments"));
  EXPECT_FALSE(action.Matches("*", "deployments"));
  EXPECT_FALSE(action.Matches("update", "deployments/"));
}

TEST(ActionTest, Object_AfterSetObject_IsThatOfTheBody) {
  Action action = {.body = R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"m"}})"};
  EXPECT_EQ(action.Object<corev1::ConfigMap>()->metadata.name, "m");
  EXPECT_THAT(action.SetObject(corev1::ConfigMap{.metadata = {.name = "n"}}), IsOk());
  EXPECT_EQ(action.body, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"n"}})");
}

TEST(ActionTest, Object_BodyIsNotAnObject_IsInvalidArgument) {
  Action action = {.body = "<html>"};
  EXPECT_THAT(action.Object<corev1::ConfigMap>(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(action.SetObject(corev1::ConfigMap()), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(action.body, "<html>");
}

}  // namespace
}  // namespace kube::fake
