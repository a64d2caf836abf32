#include "controller/testing/internal/audit_log.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/handler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::StatusIs;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kApply[] =
    R"({"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete",)"
    R"("requestURI":"/apis/apps/v1/namespaces/web/deployments/blog?force=true","verb":"patch",)"
    R"("user":{"username":"system:serviceaccount:op:manager"},"userAgent":"op/v1",)"
    R"("objectRef":{"resource":"deployments","namespace":"web","name":"blog","apiGroup":"apps",)"
    R"("apiVersion":"v1"},"responseStatus":{"code":201},)"
    R"("annotations":{"authorization.k8s.io/decision":"allow",)"
    R"("authorization.k8s.io/reason":"RBAC: allowed"}})";

TEST(ParseAuditLog, AnEvent_IsARequest) {
  const auto requests = ParseAuditLog(absl::StrCat(kApply, "\n"));
  ASSERT_THAT(requests, IsOk());
  ASSERT_EQ(requests->size(), 1u);
  const apiserver::LoggedRequest& request = (*requests)[0];
  EXPECT_EQ(request.target, "/apis/apps/v1/namespaces/web/deployments/blog?force=true");
  EXPECT_EQ(request.verb, "patch");
  EXPECT_EQ(request.group, "apps");
  EXPECT_EQ(request.resource, "deployments");
  EXPECT_EQ(request.namespace_name, "web");
  EXPECT_EQ(request.name, "blog");
  EXPECT_EQ(request.user, "system:serviceaccount:op:manager");
  EXPECT_EQ(request.code, 201);
  EXPECT_EQ(request.decision, "allow");
}

TEST(ParseAuditLog, TheLastLine_MayBeCutOff) {
  EXPECT_THAT(ParseAuditLog(""), IsOkAndHolds(IsEmpty()));
  const auto requests = ParseAuditLog(absl::StrCat(kApply, "\n", "{\"kind\":\"Ev"));
  ASSERT_THAT(requests, IsOk());
  EXPECT_EQ(requests->size(), 1u);
}

TEST(ParseAuditLog, ALineThatIsNotJson_IsAnErrorWithItsNumber) {
  EXPECT_THAT(ParseAuditLog(absl::StrCat(kApply, "\nnothing\n")).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("line 2")));
}

}  // namespace
}  // namespace kube::controller::internal
