#include "apiserver/registry/aggregated_rules.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/types/list.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace rbacv1 = api::rbac::v1;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

rbacv1::ClusterRole Role(absl::string_view json) {
  const auto role = codec::DecodeJson<rbacv1::ClusterRole>(json);
  EXPECT_THAT(role, base::IsOk());
  return role.ok() ? *role : rbacv1::ClusterRole();
}

// The resource of each rule that `role` gets from three roles.
std::optional<std::vector<std::string>> GatheredBy(absl::string_view role) {
  const std::vector<rbacv1::ClusterRole> all = {
      Role(R"({"metadata":{"name":"a","labels":{"x":"1","y":"1"}},)"
           R"("rules":[{"resources":["a1"]},{"resources":["a2"]}]})"),
      Role(R"({"metadata":{"name":"b","labels":{"x":"1"}},)"
           R"("rules":[{"resources":["a2"]},{"resources":["b"]}]})"),
      Role(R"({"metadata":{"name":"c"},"rules":[{"resources":["c"]}]})")};
  std::vector<const rbacv1::ClusterRole*> pointers;
  for (const rbacv1::ClusterRole& each : all) pointers.push_back(&each);
  const std::optional<List<rbacv1::PolicyRule>> rules = AggregatedRules(Role(role), pointers);
  if (!rules.has_value()) return std::nullopt;
  std::vector<std::string> resources;
  for (const rbacv1::PolicyRule& rule : *rules) resources.emplace_back(rule.resources[0]);
  return resources;
}

TEST(AggregatedRules, AreThoseOfTheSelectedRoles) {
  EXPECT_THAT(
      *GatheredBy(R"({"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"x":"1"}}]}})"),
      ElementsAre("a1", "a2", "b"));
  EXPECT_THAT(
      *GatheredBy(R"({"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"z":"1"}}]}})"),
      IsEmpty());
}

TEST(AggregatedRules, ComeSelectorBySelectorAndOnce) {
  EXPECT_THAT(*GatheredBy(R"({"aggregationRule":{"clusterRoleSelectors":[)"
                          R"({"matchExpressions":[{"key":"x","operator":"DoesNotExist"}]},)"
                          R"({"matchLabels":{"y":"1"}},{"matchLabels":{"x":"1"}}]}})"),
              ElementsAre("c", "a1", "a2", "b"));
}

TEST(AggregatedRules, AreNotOfTheRoleItself) {
  EXPECT_THAT(*GatheredBy(R"({"metadata":{"name":"a"},)"
                          R"("aggregationRule":{"clusterRoleSelectors":[{}]}})"),
              ElementsAre("a2", "b", "c"));
}

TEST(AggregatedRules, NeedValidSelectors) {
  EXPECT_FALSE(GatheredBy(R"({"rules":[{"resources":["own"]}]})").has_value());
  EXPECT_FALSE(GatheredBy(R"({"aggregationRule":{"clusterRoleSelectors":[{"matchExpressions":)"
                          R"([{"key":"x","operator":"Like"}]}]}})")
                   .has_value());
}

}  // namespace
}  // namespace kube::apiserver::internal
