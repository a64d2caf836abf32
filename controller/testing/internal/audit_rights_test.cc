// What audits find in the decisions about an operator's requests.
#include <string>
#include <vector>

#include "api/rbac/v1/types.kube.h"
#include "apiserver/handler.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"
#include "controller/testing/audits.h"
#include "controller/testing/internal/logged_requests.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

using api::rbac::v1::PolicyRule;
using apiserver::LoggedRequest;
using internal::Logged;

PolicyRule MapsRule() {
  PolicyRule rule;
  rule.verbs = {"get", "patch"};
  rule.api_groups = {""};
  rule.resources = {"configmaps"};
  return rule;
}

TEST(AuditRights, AForbiddenRequest_MissesARight) {
  LoggedRequest request = Logged("patch", "a");
  request.subresource = "status";
  request.decision = "forbid";
  request.code = 403;
  const std::vector<AuditFinding> findings = AuditRights({request}, {.user = "op"});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, AuditKind::kMissingRight);
  EXPECT_EQ(findings[0].object, "patch configmaps/status");
}

TEST(AuditRights, ARequestThatIsForbiddenToAnother_MissesNoRight) {
  LoggedRequest request = Logged("patch", "a");
  request.decision = "forbid";
  request.user = "ann";
  const std::vector<AuditFinding> findings = AuditRights({request}, {.user = "op"});
  EXPECT_TRUE(findings.empty()) << FindingsText(findings);
}

TEST(AuditRights, ARightThatNoRequestNeeded_IsUnused) {
  const std::vector<AuditFinding> findings =
      AuditRights({Logged("get", "a")}, {.rules = {MapsRule()}});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, AuditKind::kUnusedRight);
  EXPECT_EQ(findings[0].object, "patch configmaps");
}

TEST(AuditRights, RightsThatRequestsNeeded_AreUsed) {
  const std::vector<AuditFinding> findings =
      AuditRights({Logged("get", "a"), Logged("patch", "a")}, {.rules = {MapsRule()}});
  EXPECT_TRUE(findings.empty()) << FindingsText(findings);
}

TEST(AuditRights, RightsThatGoWithAWatch_AreUsed) {
  PolicyRule rule = MapsRule();
  rule.verbs = {"get", "list", "watch"};
  PolicyRule finalizers = MapsRule();
  finalizers.verbs = {"update"};
  finalizers.resources = {"configmaps/finalizers"};
  EXPECT_EQ(AuditRights({Logged("watch", "")}, {.rules = {rule, finalizers}}).size(), 0u);
  EXPECT_EQ(AuditRights({Logged("get", "a")}, {.rules = {rule, finalizers}}).size(), 2u);
}

TEST(AuditRights, AnApplyThatCreates_NeedsTheRightToCreate) {
  PolicyRule rule = MapsRule();
  rule.verbs = {"create"};
  LoggedRequest request = Logged("patch", "a");
  EXPECT_EQ(AuditRights({request}, {.rules = {rule}}).size(), 1u);
  request.code = 201;
  EXPECT_EQ(AuditRights({request}, {.rules = {rule}}).size(), 0u);
}

TEST(AuditRights, AnUpdateThatCreates_NeedsTheRightToCreate) {
  PolicyRule rule = MapsRule();
  rule.verbs = {"create", "update"};
  LoggedRequest request = Logged("update", "a");
  EXPECT_EQ(AuditRights({request}, {.rules = {rule}}).size(), 1u);
  request.code = 201;
  EXPECT_EQ(AuditRights({request}, {.rules = {rule}}).size(), 0u);
}

TEST(AuditRights, AnApplyThatMayNotCreate_MissesTheRightToCreate) {
  LoggedRequest request = Logged("patch", "a");
  request.code = 403;
  request.denied_verb = "create";
  const std::vector<AuditFinding> findings = AuditRights({request}, {});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, AuditKind::kMissingRight);
  EXPECT_EQ(findings[0].object, "create configmaps");
}

TEST(AuditRights, RightsThatNoRequestShows_AreNotUnused) {
  PolicyRule rule = MapsRule();
  rule.api_groups = {"rbac.authorization.k8s.io"};
  rule.resources = {"clusterroles"};
  rule.verbs = {"bind", "escalate"};
  EXPECT_EQ(AuditRights({Logged("get", "a")}, {.rules = {rule}}).size(), 0u);
}

TEST(AuditRights, ARightForOtherNames_IsUnused) {
  PolicyRule rule = MapsRule();
  rule.verbs = {"get"};
  rule.resource_names = {"b"};
  EXPECT_EQ(AuditRights({Logged("get", "a")}, {.rules = {rule}}).size(), 1u);
  EXPECT_EQ(AuditRights({Logged("get", "b")}, {.rules = {rule}}).size(), 0u);
}

TEST(AuditRights, PatternsOfRules_MatchRequests) {
  PolicyRule rule = MapsRule();
  rule.verbs = {"*"};
  rule.api_groups = {"*"};
  rule.resources = {"*/status"};
  LoggedRequest request = Logged("patch", "a");
  EXPECT_EQ(AuditRights({request}, {.rules = {rule}}).size(), 1u);
  request.subresource = "status";
  EXPECT_EQ(AuditRights({request}, {.rules = {rule}}).size(), 0u);
}

TEST(AuditRights, ARightForAPath_IsUsedByRequestsBelowIt) {
  PolicyRule rule;
  rule.verbs = {"get"};
  rule.non_resource_urls = {"/healthz/*"};
  LoggedRequest request;
  request.verb = "get";
  request.target = "/healthz/ping?verbose";
  EXPECT_EQ(AuditRights({request}, {.rules = {rule}}).size(), 0u);
  request.target = "/metrics";
  const std::vector<AuditFinding> findings = AuditRights({request}, {.rules = {rule}});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].object, "get /healthz/*");
}

}  // namespace
}  // namespace kube::controller
