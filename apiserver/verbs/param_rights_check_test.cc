#include "apiserver/verbs/param_rights_check.h"

#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/rbac_policy_cache.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"
#include "apiserver/policies/testing/policy_case.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/request_info.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

Call CallAbout(const Core& core, absl::string_view group) {
  Call call;
  call.user = {.name = "ann"};
  call.resources = core.resources.Get();
  call.info = {.is_resource_request = true, .verb = "create", .group = std::string(group)};
  return call;
}

TEST(ParamRightsCheck, IsForPoliciesWhereRolesMatter) {
  Core core(StorageOptions(), printers::PlainTables());
  const Call about_policies = CallAbout(core, "admissionregistration.k8s.io");
  EXPECT_TRUE(ParamRightsCheck(core, about_policies) == nullptr) << "roles do not matter";
  core.policies = std::make_unique<RbacPolicyCache>(core.storage);
  EXPECT_TRUE(ParamRightsCheck(core, about_policies) != nullptr);
  const Call about_others = CallAbout(core, "rbac.authorization.k8s.io");
  EXPECT_TRUE(ParamRightsCheck(core, about_others) == nullptr);
}

TEST(ParamRightsCheck, AsksTheServersAuthorizerAboutTheUserOfTheCall) {
  Core core(StorageOptions(), printers::PlainTables());
  core.policies = std::make_unique<RbacPolicyCache>(core.storage);
  std::string reader = "ann";
  core.authorize = [&](const User& user, const RequestInfo& info) {
    Decision decision;
    decision.allowed = user.name == reader && info.resource == "configmaps";
    return decision;
  };
  const Call call = CallAbout(core, "admissionregistration.k8s.io");
  const Object policy = ObjectOfJson(
      "admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy",
      R"({"metadata":{"name":"p"},"spec":{"paramKind":{"apiVersion":"v1","kind":"ConfigMap"}}})");
  const auto check = ParamRightsCheck(core, call);
  ASSERT_TRUE(check != nullptr);
  EXPECT_THAT(check(nullptr, policy), IsEmpty());
  reader = "bob";
  EXPECT_THAT(check(nullptr, policy), SizeIs(1));
}

}  // namespace
}  // namespace kube::apiserver::internal
