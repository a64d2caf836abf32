// What audits find in the objects that are left in the end.
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apiserver/handler.h"
#include "controller/testing/audit_finding.h"
#include "controller/testing/audit_options.h"
#include "controller/testing/audits.h"
#include "controller/testing/internal/logged_requests.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

using internal::Json;
using internal::Logged;

constexpr char kOwned[] =
    R"({"metadata":{"name":"a","namespace":"default","uid":"2","ownerReferences":[
        {"apiVersion":"example.com/v1","kind":"Website","name":"blog","uid":"1",
         "controller":true}]}})";
constexpr char kOwner[] = R"({"metadata":{"name":"blog","namespace":"default","uid":"1"}})";
constexpr char kAlone[] = R"({"metadata":{"name":"a","namespace":"default","uid":"2"}})";
constexpr char kDeleted[] =
    R"({"metadata":{"name":"blog","namespace":"default","uid":"1","finalizers":["example.com/f"],
        "deletionTimestamp":"2020-01-01T00:00:00Z"}})";

AuditedObject Map(absl::string_view json) {
  return {.resource = "configmaps", .object = Json(json)};
}

AuditedObject Website(absl::string_view json) {
  return {.resource = "websites.example.com", .object = Json(json)};
}

absl::Time Deletion() { return absl::FromUnixSeconds(1577836800); }

TEST(AuditState, AnObjectWithoutItsOwner_IsAnOrphan) {
  const std::vector<AuditFinding> findings =
      AuditState({.objects = {Map(kOwned)}, .complete_kinds = {"Website.example.com"}}, {}, {});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, AuditKind::kOrphan);
  EXPECT_EQ(findings[0].object, "configmaps default/a");
}

TEST(AuditState, AnObjectWithItsOwner_IsNoOrphan) {
  const std::vector<AuditFinding> findings = AuditState(
      {.objects = {Map(kOwned), Website(kOwner)}, .complete_kinds = {"Website.example.com"}}, {},
      {});
  EXPECT_TRUE(findings.empty()) << FindingsText(findings);
}

TEST(AuditState, AnObjectWhoseOwnersWereNotListed_IsNoOrphan) {
  const std::vector<AuditFinding> findings = AuditState({.objects = {Map(kOwned)}}, {}, {});
  EXPECT_TRUE(findings.empty()) << FindingsText(findings);
}

TEST(AuditState, ACreatedObjectWithoutAController_MissesItsOwner) {
  const std::vector<AuditFinding> findings =
      AuditState({.objects = {Map(kAlone)}}, {Logged("create", "a")}, {.owned = {"configmaps"}});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, AuditKind::kMissingOwner);
}

TEST(AuditState, AnObjectWithAControllerOrOfSomebodyElse_MissesNoOwner) {
  const AuditOptions options = {.user = "op", .owned = {"configmaps"}};
  EXPECT_TRUE(AuditState({.objects = {Map(kOwned)}}, {Logged("create", "a")}, options).empty());
  apiserver::LoggedRequest other = Logged("create", "a");
  other.user = "ann";
  EXPECT_TRUE(AuditState({.objects = {Map(kAlone)}}, {other}, options).empty());
}

TEST(AuditState, ADeletedObjectThatWaitsForTheOperator_IsStuck) {
  const std::vector<AuditFinding> findings =
      AuditState({.objects = {Website(kDeleted)}, .time = Deletion() + absl::Minutes(2)}, {},
                 {.finalizers = {"example.com/f"}});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, AuditKind::kStuckFinalizer);
}

TEST(AuditState, ADeletedObjectThatWaitsForSomebodyElseOrNotLong_IsNotStuck) {
  EXPECT_TRUE(AuditState({.objects = {Website(kDeleted)}, .time = Deletion() + absl::Minutes(2)},
                         {}, {.finalizers = {"example.com/other"}})
                  .empty());
  EXPECT_TRUE(AuditState({.objects = {Website(kDeleted)}, .time = Deletion() + absl::Seconds(59)},
                         {}, {.finalizers = {"example.com/f"}})
                  .empty());
}

}  // namespace
}  // namespace kube::controller
