#include "apiserver/policies/policy_match.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/object.h"
#include "apiserver/policies/testing/policy_case.h"
#include "apiserver/resources.h"
#include "apiserver/storage.h"
#include "apiserver/webhooks/webhook_rules.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;
using base::IsOk;

admissionv1::NamedRuleWithOperations Rule(const std::string& operation, const std::string& group,
                                          const std::string& resource,
                                          const std::string& name = "") {
  admissionv1::NamedRuleWithOperations rule;
  rule.operations = {operation};
  rule.api_groups = {group};
  rule.api_versions = {"v1"};
  rule.resources = {resource};
  if (!name.empty()) rule.resource_names = {name};
  return rule;
}

// What the server stores has selectors.
admissionv1::MatchResources Defaulted(admissionv1::MatchResources match) {
  if (!match.namespace_selector.has_value()) match.namespace_selector.emplace();
  if (!match.object_selector.has_value()) match.object_selector.emplace();
  return match;
}

class MatchTest : public testing::Test {
 protected:
  MatchTest() : resources_(Resources::BuiltIn()) {}

  void SetUp() override {
    EXPECT_THAT(
        storage_.Create("/namespaces", "default",
                        ObjectOfJson("v1", "Namespace",
                                     R"({"metadata":{"name":"default","labels":{"n":"1"}}})")),
        IsOk());
  }

  // Returns whether the creation of a config map with the label o=1 is selected.
  bool Selects(const admissionv1::MatchResources& match, absl::string_view name = "m") {
    ConfigMapCreation creation(resources_, R"({"metadata":{"name":"m","labels":{"o":"1"}}})");
    const absl::StatusOr<const Resource*> as =
        MatchedAs(MakePolicyMatch(Defaulted(match)), creation.question(), name, storage_);
    EXPECT_THAT(as, IsOk());
    return as.ok() && *as != nullptr;
  }

  const Resources resources_;
  Storage storage_;
};

TEST_F(MatchTest, NoRulesSelectAll) { EXPECT_TRUE(Selects({})); }

TEST_F(MatchTest, RulesMayHaveNames) {
  admissionv1::MatchResources match;
  match.resource_rules = {Rule("CREATE", "", "configmaps", "m")};
  EXPECT_TRUE(Selects(match));
  EXPECT_FALSE(Selects(match, "other"));
  match.resource_rules = {Rule("DELETE", "", "configmaps")};
  EXPECT_FALSE(Selects(match));
}

TEST_F(MatchTest, ExclusionsDecide) {
  admissionv1::MatchResources match;
  match.resource_rules = {Rule("*", "*", "*")};
  match.exclude_resource_rules = {Rule("CREATE", "", "configmaps", "m")};
  EXPECT_FALSE(Selects(match));
  EXPECT_TRUE(Selects(match, "other"));
}

TEST_F(MatchTest, SelectorsSelectNamespacesAndObjects) {
  admissionv1::MatchResources match;
  match.namespace_selector.emplace().match_labels["n"] = "1";
  match.object_selector.emplace().match_labels["o"] = "1";
  EXPECT_TRUE(Selects(match));
  match.object_selector->match_labels["o"] = "2";
  EXPECT_FALSE(Selects(match));
  match.object_selector.reset();
  match.namespace_selector->match_labels["n"] = "2";
  EXPECT_FALSE(Selects(match));
}

TEST_F(MatchTest, ErrorsOfSelectorsMatterForWhatIsSelectedOtherwise) {
  admissionv1::MatchResources match;
  match.object_selector.emplace().match_expressions.emplace_back().operator_ = "Unknown";
  match.resource_rules = {Rule("DELETE", "", "configmaps")};
  EXPECT_FALSE(Selects(match));
  match.resource_rules = {Rule("CREATE", "", "configmaps")};
  ConfigMapCreation creation(resources_, R"({"metadata":{"name":"m"}})");
  EXPECT_FALSE(
      MatchedAs(MakePolicyMatch(Defaulted(match)), creation.question(), "m", storage_).ok());
}

TEST_F(MatchTest, MayMatchLooksAtNoNames) {
  admissionv1::MatchResources match;
  match.resource_rules = {Rule("CREATE", "", "configmaps", "m")};
  const Resource& maps = *resources_.Find("", "v1", "configmaps");
  RuleSubject subject = {.operation = "CREATE", .namespace_name = "default"};
  EXPECT_TRUE(MayMatch(MakePolicyMatch(match), resources_, maps, subject));
  subject.operation = "UPDATE";
  EXPECT_FALSE(MayMatch(MakePolicyMatch(match), resources_, maps, subject));
}

// Events are served in two groups.
TEST_F(MatchTest, EquivalentsAreTheSameObjectsInAnotherGroup) {
  admissionv1::MatchResources match;
  match.resource_rules = {Rule("CREATE", "events.k8s.io", "events")};
  const Resource& events = *resources_.Find("", "v1", "events");
  const RuleSubject subject = {.operation = "CREATE", .namespace_name = "default"};
  match.match_policy = "Exact";
  EXPECT_FALSE(MayMatch(MakePolicyMatch(match), resources_, events, subject));
  match.match_policy = "Equivalent";
  EXPECT_TRUE(MayMatch(MakePolicyMatch(match), resources_, events, subject));
}

}  // namespace
}  // namespace kube::apiserver::internal
