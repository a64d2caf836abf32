#include "apiserver/auth/rbac_policy.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/rbac/v1/types.kube.h"
#include "apiserver/auth/testing/rbac_object.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

using ::testing::IsNull;
using ::testing::NotNull;
using ::testing::SizeIs;

constexpr absl::string_view kReader =
    R"({"metadata":{"name":"reader","namespace":"n"},)"
    R"("rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"]}]})";
constexpr absl::string_view kNodes =
    R"({"metadata":{"name":"nodes"},)"
    R"("rules":[{"verbs":["get"],"apiGroups":[""],"resources":["nodes","pods"]},)"
    R"({"verbs":["get"],"nonResourceURLs":["/metrics"]}]})";

// Two roles, and bindings of each kind of subject.
RbacObjects Sample() {
  RbacObjects objects;
  objects.roles = {RbacObjectPtr("Role", kReader)};
  objects.cluster_roles = {RbacObjectPtr("ClusterRole", kNodes)};
  objects.cluster_role_bindings = {
      RbacObjectPtr("ClusterRoleBinding",
                    R"({"metadata":{"name":"a"},"roleRef":{"kind":"ClusterRole","name":"nodes"},)"
                    R"("subjects":[{"kind":"User","name":"ann"},{"kind":"Group","name":"ops"},)"
                    R"({"kind":"ServiceAccount","name":"op","namespace":"n"},)"
                    R"({"kind":"ServiceAccount","name":"homeless"}]})"),
      RbacObjectPtr("ClusterRoleBinding",
                    R"({"metadata":{"name":"b"},"roleRef":{"kind":"ClusterRole","name":"gone"},)"
                    R"("subjects":[{"kind":"User","name":"bob"}]})"),
  };
  objects.role_bindings = {
      RbacObjectPtr("RoleBinding",
                    R"({"metadata":{"name":"c","namespace":"n"},)"
                    R"("roleRef":{"kind":"Role","name":"reader"},)"
                    R"("subjects":[{"kind":"User","name":"x\"y"},{"kind":"Group","name":"ops"},)"
                    R"({"kind":"ServiceAccount","name":"local"}]})"),
      RbacObjectPtr("RoleBinding", R"({"metadata":{"name":"d","namespace":"n"},)"
                                   R"("roleRef":{"kind":"Role","name":"gone"},)"
                                   R"("subjects":[{"kind":"User","name":"bob"}]})"),
      RbacObjectPtr("RoleBinding", R"({"metadata":{"name":"e","namespace":"m"},)"
                                   R"("roleRef":{"kind":"ClusterRole","name":"nodes"},)"
                                   R"("subjects":[{"kind":"User","name":"bob"},)"
                                   R"({"kind":"ServiceAccount","name":"op","namespace":"n"}]})"),
  };
  return objects;
}

RequestInfo GetPod(absl::string_view namespace_name) {
  return {.is_resource_request = true,
          .verb = "get",
          .namespace_name = std::string(namespace_name),
          .resource = "pods"};
}

TEST(RbacPolicy, DecidesByBindings) {
  const RequestInfo node = {.is_resource_request = true, .verb = "get", .resource = "nodes"};
  const RequestInfo metrics = {.path = "/metrics", .verb = "get"};
  struct Row {
    const char* name;
    User user;
    RequestInfo info;
    bool allowed;
    const char* reason;
  };
  const Row rows[] = {
      {"nobody", {.name = "nobody"}, GetPod("n"), false, ""},
      {"a user",
       {.name = "ann"},
       node,
       true,
       R"(RBAC: allowed by ClusterRoleBinding "a" of ClusterRole "nodes" to User "ann")"},
      {"a path",
       {.name = "ann"},
       metrics,
       true,
       R"(RBAC: allowed by ClusterRoleBinding "a" of ClusterRole "nodes" to User "ann")"},
      {"a group",
       {.name = "zoe", .groups = {"devs", "ops"}},
       node,
       true,
       R"(RBAC: allowed by ClusterRoleBinding "a" of ClusterRole "nodes" to Group "ops")"},
      {"a group is no user", {.name = "ops"}, node, false, ""},
      {"the first subject counts",
       {.name = "ann", .groups = {"ops"}},
       node,
       true,
       R"(RBAC: allowed by ClusterRoleBinding "a" of ClusterRole "nodes" to User "ann")"},
      {"a service account",
       {.name = "system:serviceaccount:n:op"},
       node,
       true,
       R"(RBAC: allowed by ClusterRoleBinding "a" of ClusterRole "nodes" to ServiceAccount "op/n")"},
      {"a service account without a namespace",
       {.name = "system:serviceaccount::homeless"},
       node,
       false,
       ""},
      {"the cluster's bindings hold in each namespace",
       {.name = "ann"},
       GetPod("x"),
       true,
       R"(RBAC: allowed by ClusterRoleBinding "a" of ClusterRole "nodes" to User "ann")"},
      {"a role",
       {.name = "x\"y"},
       GetPod("n"),
       true,
       R"(RBAC: allowed by RoleBinding "c/n" of Role "reader" to User "x\"y")"},
      {"a service account of the binding's namespace",
       {.name = "system:serviceaccount:n:local"},
       GetPod("n"),
       true,
       R"(RBAC: allowed by RoleBinding "c/n" of Role "reader" to ServiceAccount "local/n")"},
      {"another namespace", {.name = "x\"y"}, GetPod("m"), false, ""},
      {"a role holds in its namespace only", {.name = "x\"y"}, GetPod(""), false, ""},
      {"a cluster role in one namespace",
       {.name = "bob"},
       GetPod("m"),
       true,
       R"(RBAC: allowed by RoleBinding "e/m" of ClusterRole "nodes" to User "bob")"},
      {"a cluster role that does not exist",
       {.name = "bob"},
       GetPod(""),
       false,
       R"(RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found)"},
      {"two roles that do not exist",
       {.name = "bob"},
       GetPod("n"),
       false,
       R"(RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, )"
       R"(role.rbac.authorization.k8s.io "gone" not found])"},
  };
  const RbacPolicy policy(Sample());
  for (const Row& row : rows) {
    const RbacAnswer answer = policy.Authorize(row.user, row.info);
    EXPECT_EQ(answer.allowed, row.allowed) << row.name;
    EXPECT_EQ(answer.reason, row.reason) << row.name;
  }
}

TEST(RbacPolicy, ListsTheRulesOfAUser) {
  const RbacPolicy policy(Sample());
  EXPECT_THAT(policy.RulesOf({.name = "ann"}, "").rules, SizeIs(2));
  EXPECT_THAT(policy.RulesOf({.name = "zoe", .groups = {"ops"}}, "n").rules, SizeIs(3));
  const RbacPolicy::Rules bob = policy.RulesOf({.name = "bob"}, "n");
  EXPECT_THAT(bob.rules, SizeIs(0));
  ASSERT_THAT(bob.unresolved, SizeIs(2));
  EXPECT_EQ(bob.unresolved[1]->name, "gone");
}

TEST(RbacPolicy, FindsRolesOfBindings) {
  const auto reference = [](absl::string_view kind, absl::string_view name) {
    api::rbac::v1::RoleRef role;
    role.kind = kind;
    role.name = name;
    return role;
  };
  const RbacPolicy policy(Sample());
  EXPECT_THAT(policy.FindRole(reference("Role", "reader"), "n"), NotNull());
  EXPECT_THAT(policy.FindRole(reference("Role", "reader"), "m"), IsNull());
  EXPECT_THAT(policy.FindRole(reference("Role", "nodes"), ""), IsNull());
  EXPECT_THAT(policy.FindRole(reference("ClusterRole", "nodes"), "n"), NotNull());
  EXPECT_THAT(policy.FindRole(reference("Rule", "nodes"), "n"), IsNull());
}

TEST(AggregateText, IsThatOfGo) {
  EXPECT_EQ(AggregateText({}), "");
  EXPECT_EQ(AggregateText({"a"}), "a");
  EXPECT_EQ(AggregateText({"a", "a"}), "a");
  EXPECT_EQ(AggregateText({"a", "b", "a"}), "[a, b]");
}

}  // namespace
}  // namespace kube::apiserver::internal
