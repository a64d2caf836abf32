#include "controller/testing/internal/world_audits.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/handler.h"
#include "apiserver/user.h"
#include "clientset/rest/client.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"
#include "controller/testing/audits.h"
#include "controller/testing/internal/logged_requests.h"
#include "controller/testing/internal/world_settlement.h"
#include "envtest/in_process_transport.h"
#include "envtest/service_account.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(WorldAuditsTest, CompareEnds_OfEqualEnds_FindsNothing) {
  EXPECT_THAT(CompareEnds("a\nb", "a\nb", {}), IsEmpty());
}

TEST(WorldAuditsTest, CompareEnds_OfOtherEnds_ShowsBoth) {
  const std::vector<AuditFinding> found = CompareEnds("a\nb", "a\nc", {});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].kind, AuditKind::kOrderMatters);
  EXPECT_THAT(found[0].message, HasSubstr("  b\n  c"));
}

TEST(WorldAuditsTest, CompareEnds_OfEndsThatMayDiffer_FindsNothing) {
  const AuditOptions of_kind = {.ignore = {{.kind = AuditKind::kOrderMatters}}};
  EXPECT_THAT(CompareEnds("a", "b", of_kind), IsEmpty());
  const AuditOptions of_all = {.ignore = {AuditAllowance()}};
  EXPECT_THAT(CompareEnds("a", "b", of_all), IsEmpty());
  const AuditOptions of_others = {.ignore = {{.kind = AuditKind::kHotLoop}}};
  EXPECT_THAT(CompareEnds("a", "b", of_others), SizeIs(1));
}

TEST(WorldAuditsTest, RemoveAllowed_LeavesTheObjectsThatMustBeEqual) {
  AuditedState state;
  for (const char* name : {"a", "b"}) {
    const std::string object =
        absl::StrCat(R"({"metadata":{"namespace":"default","name":")", name, "\"}}");
    state.objects.push_back({.resource = "configmaps", .object = Json(object)});
  }
  const AuditOptions audits = {
      .ignore = {{.kind = AuditKind::kOrderMatters, .object = "configmaps default/a"}}};
  RemoveAllowed(audits, state);
  ASSERT_THAT(state.objects, SizeIs(1));
  EXPECT_EQ(state.objects[0].object["metadata"]["name"].text().value_or(""), "b");
}

// Returns the kinds of the findings: "NotConverged ".
std::string KindsOf(const Settlement& settlement, const AuditOptions& audits) {
  std::string kinds;
  for (const AuditFinding& each : FindingsOf(settlement, {}, 0, audits)) {
    absl::StrAppend(&kinds, AuditKindName(each.kind), " ");
  }
  return kinds;
}

TEST(WorldAuditsTest, ASettlementThatIsNotGood_IsAFindingUnlessItIsAllowed) {
  const struct {
    Settled settled;
    AuditKind kind;
    const char* found;
    const char* found_if_allowed;
  } kRows[] = {
      {Settled::kNotYet, AuditKind::kNotConverged, "NotConverged ", ""},
      {Settled::kTooBusy, AuditKind::kHotLoop, "HotLoop ", ""},
      {Settled::kNeverEnds, AuditKind::kReconcileNeverEnds, "ReconcileNeverEnds ",
       "ReconcileNeverEnds "},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.found);
    const Settlement settlement = {.settled = row.settled, .message = "it changes"};
    EXPECT_EQ(KindsOf(settlement, {}), row.found);
    EXPECT_EQ(KindsOf(settlement, {.ignore = {{.kind = AuditKind::kOrphan}}}), row.found);
    EXPECT_EQ(KindsOf(settlement, {.ignore = {{.kind = row.kind}}}), row.found_if_allowed);
  }
}

TEST(WorldAuditsTest, CreationsThatFailed_CountOnlyWithoutFaults) {
  apiserver::LoggedRequest failed = Logged("create", "a");
  failed.code = 409;
  failed.changed = false;
  const std::vector<apiserver::LoggedRequest> log = {failed, failed, failed};
  const AuditOptions audits = {.one_per_owner = {"configmaps"}};
  EXPECT_THAT(AuditLog(log, 3, audits), IsEmpty());
  ASSERT_THAT(AuditLog(log, 0, audits), SizeIs(1));
  EXPECT_EQ(AuditLog(log, 0, audits)[0].kind, AuditKind::kCreatedTwice);
}

TEST(WorldAuditsTest, ASecondObjectOfAnOwner_CountsDuringFaults) {
  std::vector<apiserver::LoggedRequest> log = {Logged("create", "a"), Logged("create", "b")};
  for (apiserver::LoggedRequest& each : log) {
    SetObject(each, R"({"metadata":{"ownerReferences":[{"uid":"1","controller":true}]}})");
  }
  const AuditOptions audits = {.one_per_owner = {"configmaps"}};
  ASSERT_THAT(AuditLog(log, 2, audits), SizeIs(1));
  EXPECT_EQ(AuditLog(log, 2, audits)[0].kind, AuditKind::kCreatedTwice);
}

TEST(WorldAuditsTest, AStuckRun_NeverEnds_AndHasTheReportOfTheRuntime) {
  const AuditFinding found = FindingOfStuckRun(absl::AbortedError("deadlock: all are blocked"));
  EXPECT_EQ(found.kind, AuditKind::kReconcileNeverEnds);
  EXPECT_THAT(found.message, HasSubstr("deadlock"));
}

constexpr char kAccount[] = R"(
apiVersion: v1
kind: ServiceAccount
metadata: {name: op, namespace: default}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reads}
rules:
- {apiGroups: [""], resources: [pods], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: others}
rules:
- {apiGroups: [""], resources: [nodes], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: writes, namespace: default}
rules:
- {apiGroups: [""], resources: [configmaps], verbs: [patch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reads}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reads}
subjects: [{kind: ServiceAccount, name: op, namespace: default}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: writes, namespace: default}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: writes}
subjects: [{kind: ServiceAccount, name: op, namespace: default}]
)";

TEST(WorldAuditsTest, RulesOf_AnAccount_AreThoseOfItsBindings) {
  apiserver::ApiHandler server({.authorization = apiserver::Authorization::kRbac});
  const auto admin = envtest::InProcessConfig(server);
  ASSERT_THAT(envtest::ServiceAccountConfig(Context(), admin, {.manifest = kAccount}), IsOk());
  const auto rules = RulesOf(*rest::MakeClient(admin), "system:serviceaccount:default:op");
  ASSERT_THAT(rules, IsOk());
  ASSERT_THAT(*rules, SizeIs(2));
  EXPECT_EQ((*rules)[0].resources[0], "pods");
  EXPECT_EQ((*rules)[1].resources[0], "configmaps");
}

}  // namespace
}  // namespace kube::controller::internal
