#include "apiserver/verbs/escalation_check.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/rbac_policy_cache.h"
#include "apiserver/auth/testing/rbac_object.h"
#include "apiserver/call/call.h"
#include "apiserver/call/core.h"
#include "apiserver/object.h"
#include "apiserver/printers/table_printer.h"
#include "apiserver/request_info.h"
#include "apiserver/storage.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using base::IsOk;
using testing::ElementsAre;

Call CallAbout(absl::string_view group) {
  Call call;
  call.user = {.name = "ann"};
  call.info = {.is_resource_request = true,
               .verb = "create",
               .group = std::string(group),
               .version = "v1",
               .namespace_name = "n",
               .resource = "roles"};
  return call;
}

TEST(EscalationCheck, IsForRolesWhereRolesMatter) {
  Core core(StorageOptions(), printers::PlainTables());
  const Call about_roles = CallAbout("rbac.authorization.k8s.io");
  EXPECT_TRUE(EscalationCheck(core, about_roles) == nullptr) << "roles do not matter";
  core.policies = std::make_unique<RbacPolicyCache>(core.storage);
  EXPECT_TRUE(EscalationCheck(core, about_roles) != nullptr);
  const Call about_others = CallAbout("apps");
  EXPECT_TRUE(EscalationCheck(core, about_others) == nullptr);
}

TEST(EscalationCheck, AsksTheServersAuthorizerAboutTheUserOfTheCall) {
  Core core(StorageOptions(), printers::PlainTables());
  core.policies = std::make_unique<RbacPolicyCache>(core.storage);
  std::vector<std::string> asked;
  bool allowed = false;
  core.authorize = [&](const User& user, const RequestInfo& info) {
    asked.push_back(user.name + " " + info.verb + " " + info.resource);
    Decision decision;
    decision.allowed = allowed;
    return decision;
  };
  const Call call = CallAbout("rbac.authorization.k8s.io");
  const Object role =
      RbacObject("Role", R"({"metadata":{"name":"r","namespace":"n"},)"
                         R"("rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]})");
  const auto check = EscalationCheck(core, call);
  ASSERT_TRUE(check != nullptr);
  EXPECT_TRUE(errors::IsForbidden(check(nullptr, role))) << "nobody has given her anything";
  allowed = true;
  EXPECT_THAT(check(nullptr, role), IsOk());
  EXPECT_THAT(asked, ElementsAre("ann escalate roles", "ann escalate roles"));
}

}  // namespace
}  // namespace kube::apiserver::internal
