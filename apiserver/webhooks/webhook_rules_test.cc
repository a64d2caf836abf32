#include "apiserver/webhooks/webhook_rules.h"

#include <string>
#include <vector>

#include "api/admissionregistration/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apiserver/resources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace admissionv1 = api::admissionregistration::v1;
using testing::IsNull;
using testing::SizeIs;

admissionv1::RuleWithOperations Rule(const std::string& operation, const std::string& group,
                                     const std::string& version, const std::string& resource,
                                     const std::string& scope = "*") {
  admissionv1::RuleWithOperations rule;
  rule.operations = {operation};
  rule.api_groups = {group};
  rule.api_versions = {version};
  rule.resources = {resource};
  rule.scope = scope;
  return rule;
}

TEST(WebhookRules, Match) {
  struct Row {
    std::string name;
    admissionv1::RuleWithOperations rule;
    RuleSubject subject;
    bool matches;
  };
  const RuleSubject pod = {.operation = "CREATE",
                           .group = "",
                           .version = "v1",
                           .resource = "pods",
                           .subresource = "",
                           .namespace_name = "default"};
  RuleSubject status = pod;
  status.operation = "UPDATE";
  status.subresource = "status";
  RuleSubject node = pod;
  node.resource = "nodes";
  node.namespace_name = "";
  RuleSubject space = pod;
  space.resource = "namespaces";
  const std::vector<Row> rows = {
      {"everything", Rule("*", "*", "*", "*/*"), status, true},
      {"all resources are without subresources", Rule("*", "*", "*", "*"), status, false},
      {"all resources", Rule("*", "*", "*", "*"), pod, true},
      {"one", Rule("CREATE", "", "v1", "pods"), pod, true},
      {"another operation", Rule("UPDATE", "", "v1", "pods"), pod, false},
      {"another group", Rule("CREATE", "apps", "v1", "pods"), pod, false},
      {"another version", Rule("CREATE", "", "v1beta1", "pods"), pod, false},
      {"a subresource", Rule("*", "*", "*", "pods/status"), status, true},
      {"all subresources", Rule("*", "*", "*", "pods/*"), status, true},
      {"all subresources include the resource", Rule("*", "*", "*", "pods/*"), pod, true},
      {"a subresource of all", Rule("*", "*", "*", "*/status"), status, true},
      {"another subresource", Rule("*", "*", "*", "*/scale"), status, false},
      {"the resource alone", Rule("*", "*", "*", "pods"), status, false},
      {"namespaced", Rule("*", "*", "*", "*", "Namespaced"), pod, true},
      {"namespaced, but not", Rule("*", "*", "*", "*", "Namespaced"), node, false},
      {"of the cluster", Rule("*", "*", "*", "*", "Cluster"), node, true},
      {"of the cluster, but not", Rule("*", "*", "*", "*", "Cluster"), pod, false},
      {"namespaces are of the cluster", Rule("*", "*", "*", "*", "Cluster"), space, true},
      {"namespaces are not namespaced", Rule("*", "*", "*", "*", "Namespaced"), space, false},
  };
  for (const Row& row : rows)
    EXPECT_EQ(RuleMatches(row.rule, row.subject), row.matches) << row.name;
}

TEST(WebhookRules, SelectEquivalentResources) {
  const Resources resources = Resources::BuiltIn();
  const Resource& events = *resources.Find("", "v1", "events");
  const Resource& new_events = *resources.Find("events.k8s.io", "v1", "events");
  const RuleSubject subject = {.operation = "CREATE", .namespace_name = "default"};
  const List<admissionv1::RuleWithOperations> rules = {
      Rule("CREATE", "events.k8s.io", "v1", "events")};
  EXPECT_EQ(SelectedAs(rules, true, resources, new_events, subject), &new_events);
  EXPECT_EQ(SelectedAs(rules, true, resources, events, subject), &new_events);
  EXPECT_THAT(SelectedAs(rules, false, resources, events, subject), IsNull());
  EXPECT_THAT(SelectedAs(rules, true, resources, *resources.Find("", "v1", "pods"), subject),
              IsNull());
  EXPECT_THAT(Equivalents(resources, events, ""), SizeIs(2));
  const Resource& scaler = *resources.Find("autoscaling", "v1", "horizontalpodautoscalers");
  EXPECT_THAT(Equivalents(resources, scaler, "status"), SizeIs(2));
  EXPECT_THAT(Equivalents(resources, scaler, "none"), SizeIs(0));
}

TEST(WebhookRules, ConfigurationsAreExempt) {
  const Resources resources = Resources::BuiltIn();
  const std::string group = "admissionregistration.k8s.io";
  EXPECT_TRUE(IsExempt(*resources.Find(group, "v1", "mutatingwebhookconfigurations")));
  EXPECT_TRUE(IsExempt(*resources.Find(group, "v1", "validatingwebhookconfigurations")));
  EXPECT_TRUE(IsExempt(*resources.Find(group, "v1", "validatingadmissionpolicies")));
  EXPECT_FALSE(IsExempt(*resources.Find("", "v1", "pods")));
}

}  // namespace
}  // namespace kube::apiserver::internal
