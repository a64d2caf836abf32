// Random roles, bindings, users and requests: what kube-apiserver's authorizer decides and why, and
// which rights its check of escalations finds missing.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "apiserver/auth/escalation.h"
#include "apiserver/auth/rbac_policy.h"
#include "apiserver/auth/testing/rbac_object.h"
#include "apiserver/object.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::apiserver::internal {
namespace {

constexpr char kOracle[] = "@kubernetes_oracles//:rbac_oracle";
constexpr uint64_t kSeed = 2026;
constexpr int kClusters = 120;
constexpr size_t kRequests = 24;
constexpr size_t kWrites = 10;

constexpr absl::string_view kVerbs[] = {"get", "list", "create", "delete", "*"};
constexpr absl::string_view kGroups[] = {"", "apps", "batch", "*"};
constexpr absl::string_view kRuleResources[] = {
    "pods", "pods/log", "deployments", "deployments/scale", "*/scale", "*/log", "pods/*", "*"};
constexpr absl::string_view kResources[] = {"pods", "deployments", "jobs", "*"};
constexpr absl::string_view kSubresources[] = {"", "", "log", "scale", "status"};
constexpr absl::string_view kNames[] = {"a", "b", ""};
constexpr absl::string_view kRulePaths[] = {"/healthz", "/healthz/*", "/api*",
                                            "/logs/**", "*",          "/metrics"};
constexpr absl::string_view kPaths[] = {"/healthz",   "/healthz/ping", "/healthz/", "/api",
                                        "/apis/apps", "/logs",         "/logs/a",   "/metrics"};
constexpr absl::string_view kUsers[] = {"ann", "bob", "system:serviceaccount:n:robot",
                                        "system:serviceaccount:m:robot"};
constexpr absl::string_view kUserGroups[] = {"devs", "ops", "system:authenticated"};
constexpr absl::string_view kNamespaces[] = {"n", "m"};
constexpr absl::string_view kRoles[] = {"r0", "r1", "r2", "r3"};

// Makes the parts of a cluster as JSON.
class ClusterMaker {
 public:
  explicit ClusterMaker(oracle::Dice& dice) : dice_(dice) {}

  std::string Pick(absl::Span<const absl::string_view> all) {
    return std::string(all[dice_.Below(all.size())]);
  }
  bool OneIn(size_t n) { return dice_.Below(n) == 0; }

  // Returns a list of one to three of the texts, or of none.
  std::string Some(absl::Span<const absl::string_view> all) {
    std::vector<std::string> some;
    const size_t count = OneIn(20) ? 0 : 1 + dice_.Below(3);
    for (size_t i = 0; i < count; ++i) some.push_back(absl::StrCat("\"", Pick(all), "\""));
    return absl::StrCat("[", absl::StrJoin(some, ","), "]");
  }

  std::string Rule() {
    std::string rule = absl::StrCat(R"({"verbs":)", Some(kVerbs));
    if (OneIn(4)) return absl::StrCat(rule, R"(,"nonResourceURLs":)", Some(kRulePaths), "}");
    absl::StrAppend(&rule, R"(,"apiGroups":)", Some(kGroups), R"(,"resources":)",
                    Some(kRuleResources));
    if (OneIn(3)) absl::StrAppend(&rule, R"(,"resourceNames":)", Some(kNames));
    return absl::StrCat(rule, "}");
  }

  std::string Rules() {
    std::vector<std::string> rules;
    const size_t count = dice_.Below(4);
    for (size_t i = 0; i < count; ++i) rules.push_back(Rule());
    return absl::StrCat("[", absl::StrJoin(rules, ","), "]");
  }

  std::string Subject() {
    switch (dice_.Below(8)) {
      case 0:
        return R"({"kind":"Robot","name":"ann"})";
      case 1:
      case 2:
        return R"({"kind":"ServiceAccount","name":"robot"})";
      case 3:
        return absl::StrCat(R"({"kind":"ServiceAccount","name":"robot","namespace":")",
                            Pick(kNamespaces), "\"}");
      case 4:
      case 5:
        return absl::StrCat(R"({"kind":"Group","name":")", Pick(kUserGroups), "\"}");
      default:
        return absl::StrCat(R"({"kind":"User","name":")", Pick(kUsers), "\"}");
    }
  }

  // Returns the members of a binding behind its metadata. Some roles do not exist.
  std::string Binding() {
    std::vector<std::string> subjects;
    const size_t count = OneIn(10) ? 0 : 1 + dice_.Below(3);
    for (size_t i = 0; i < count; ++i) subjects.push_back(Subject());
    const std::string kind = OneIn(20) ? "Other" : OneIn(2) ? "Role" : "ClusterRole";
    return absl::StrCat(R"("roleRef":{"kind":")", kind, R"(","name":")",
                        OneIn(8) ? "gone" : Pick(kRoles), R"("},"subjects":[)",
                        absl::StrJoin(subjects, ","), "]");
  }

 private:
  oracle::Dice& dice_;
};

std::string Metadata(absl::string_view name, absl::string_view namespace_name = "") {
  return absl::StrCat(R"({"metadata":{"name":")", name, R"(","namespace":")", namespace_name,
                      R"("},)");
}

// A cluster as JSON, and with our types.
struct Cluster {
  std::string json = {};
  RbacObjects objects = {};
};

void AddObject(absl::string_view kind, const std::string& json, std::vector<std::string>& texts,
               std::vector<ObjectPtr>& objects) {
  texts.push_back(json);
  objects.push_back(RbacObjectPtr(kind, json));
}

Cluster MakeCluster(ClusterMaker& maker) {
  Cluster cluster;
  std::vector<std::string> roles, cluster_roles, bindings, cluster_bindings;
  RbacObjects& objects = cluster.objects;
  for (const absl::string_view name : kRoles) {
    AddObject("ClusterRole", absl::StrCat(Metadata(name), R"("rules":)", maker.Rules(), "}"),
              cluster_roles, objects.cluster_roles);
    for (const absl::string_view space : kNamespaces) {
      AddObject("Role", absl::StrCat(Metadata(name, space), R"("rules":)", maker.Rules(), "}"),
                roles, objects.roles);
    }
  }
  // Sorted by name, as they are tried.
  for (int i = 0; i < 6; ++i) {
    AddObject("ClusterRoleBinding",
              absl::StrCat(Metadata(absl::StrCat("c", i)), maker.Binding(), "}"), cluster_bindings,
              objects.cluster_role_bindings);
    for (const absl::string_view space : kNamespaces) {
      AddObject("RoleBinding",
                absl::StrCat(Metadata(absl::StrCat("b", i), space), maker.Binding(), "}"), bindings,
                objects.role_bindings);
    }
  }
  cluster.json = absl::StrCat(R"("roles":[)", absl::StrJoin(roles, ","), R"(],"clusterRoles":[)",
                              absl::StrJoin(cluster_roles, ","), R"(],"roleBindings":[)",
                              absl::StrJoin(bindings, ","), R"(],"clusterRoleBindings":[)",
                              absl::StrJoin(cluster_bindings, ","), "]");
  return cluster;
}

User MakeUser(ClusterMaker& maker) {
  User user{.name = maker.Pick(kUsers)};
  for (const absl::string_view group : kUserGroups) {
    if (maker.OneIn(2)) user.groups.emplace_back(group);
  }
  return user;
}

std::string UserJson(const User& user) {
  std::vector<std::string> groups;
  for (const std::string& group : user.groups) groups.push_back(absl::StrCat("\"", group, "\""));
  return absl::StrCat(R"("user":{"name":")", user.name, R"(","groups":[)",
                      absl::StrJoin(groups, ","), "]}");
}

RequestInfo MakeRequest(ClusterMaker& maker) {
  if (maker.OneIn(4)) return {.path = maker.Pick(kPaths), .verb = maker.Pick(kVerbs)};
  return {.is_resource_request = true,
          .verb = maker.Pick(kVerbs),
          .group = maker.Pick(kGroups),
          .version = "v1",
          .namespace_name = maker.OneIn(4) ? "" : maker.Pick(kNamespaces),
          .resource = maker.Pick(kResources),
          .name = maker.Pick(kNames),
          .subresource = maker.Pick(kSubresources)};
}

std::string RequestJson(const RequestInfo& info) {
  return absl::StrCat(R"({"verb":")", info.verb, R"(","namespace":")", info.namespace_name,
                      R"(","group":")", info.group, R"(","resource":")", info.resource,
                      R"(","subresource":")", info.subresource, R"(","name":")", info.name,
                      R"(","path":")", info.path, "\"}");
}

TEST(RbacDifferentialTest, RandomRequests_AreDecidedAsByKubeApiserver) {
  oracle::GoCases cases(kOracle);
  oracle::Dice dice(kSeed);
  ClusterMaker maker(dice);
  int allowed = 0;
  int denied = 0;
  for (int i = 0; i < kClusters; ++i) {
    Cluster cluster = MakeCluster(maker);
    const RbacPolicy policy(std::move(cluster.objects));
    const User user = MakeUser(maker);
    std::vector<std::string> questions, answers;
    for (size_t j = 0; j < kRequests; ++j) {
      const RequestInfo info = MakeRequest(maker);
      const RbacAnswer answer = policy.Authorize(user, info);
      ++(answer.allowed ? allowed : denied);
      questions.push_back(RequestJson(info));
      answers.push_back(absl::StrCat(answer.allowed ? "yes " : "no ", answer.reason));
    }
    cases.Add("authorize",
              absl::StrCat("{", cluster.json, ",", UserJson(user), R"(,"requests":[)",
                           absl::StrJoin(questions, ","), "]}"),
              absl::StrJoin(answers, "\n"));
  }
  EXPECT_GT(allowed + denied, 2000) << "seed " << kSeed;
  EXPECT_GT(allowed, 100) << "seed " << kSeed;
  EXPECT_GT(denied, 100) << "seed " << kSeed;
  cases.Check();
}

// Returns "ok", or why the user may not give the rules to a new role.
std::string Escalation(const RbacPolicy& policy, const User& user, absl::string_view namespace_name,
                       const std::string& rules) {
  const bool in_cluster = namespace_name.empty();
  const RequestInfo info = {.is_resource_request = true,
                            .verb = "create",
                            .group = "rbac.authorization.k8s.io",
                            .version = "v1",
                            .namespace_name = std::string(namespace_name),
                            .resource = in_cluster ? "clusterroles" : "roles"};
  const auto allows = [](const RequestInfo&) { return false; };
  const Object role =
      RbacObject(in_cluster ? "ClusterRole" : "Role",
                 absl::StrCat(Metadata("x", namespace_name), R"("rules":)", rules, "}"));
  const absl::Status checked = CheckEscalation(
      {.user = user, .info = info, .policy = policy, .allows = allows}, nullptr, role);
  if (checked.ok()) return "ok";
  // Behind it is upstream's error.
  const std::string head =
      absl::StrCat(info.resource, ".rbac.authorization.k8s.io \"x\" is forbidden: ");
  return std::string(absl::StripPrefix(checked.message(), head));
}

TEST(RbacDifferentialTest, RandomRoles_EscalateAsForKubeApiserver) {
  oracle::GoCases cases(kOracle);
  oracle::Dice dice(kSeed);
  ClusterMaker maker(dice);
  int given = 0;
  int refused = 0;
  for (int i = 0; i < kClusters; ++i) {
    Cluster cluster = MakeCluster(maker);
    const RbacPolicy policy(std::move(cluster.objects));
    const User user = MakeUser(maker);
    std::vector<std::string> questions;
    std::string answers;
    for (size_t j = 0; j < kWrites; ++j) {
      const std::string space = maker.OneIn(4) ? "" : maker.Pick(kNamespaces);
      const std::string rules =
          maker.OneIn(2) ? absl::StrCat("[", maker.Rule(), "]") : maker.Rules();
      const std::string answer = Escalation(policy, user, space, rules);
      ++(answer == "ok" ? given : refused);
      questions.push_back(absl::StrCat(R"({"resource":")", space.empty() ? "clusterroles" : "roles",
                                       R"(","namespace":")", space, R"(","rules":)", rules, "}"));
      absl::StrAppend(&answers, answer, "\n--\n");
    }
    cases.Add("escalate",
              absl::StrCat("{", cluster.json, ",", UserJson(user), R"(,"writes":[)",
                           absl::StrJoin(questions, ","), "]}"),
              answers);
  }
  EXPECT_GT(given + refused, 1000) << "seed " << kSeed;
  EXPECT_GT(given, 100) << "seed " << kSeed;
  EXPECT_GT(refused, 100) << "seed " << kSeed;
  cases.Check();
}

}  // namespace
}  // namespace kube::apiserver::internal
