#include "apiserver/auth/rbac_rules.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "apiserver/request_info.h"
#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

namespace rbacv1 = api::rbac::v1;
using rbacv1::PolicyRule;

RequestInfo Asks(absl::string_view verb, absl::string_view group, absl::string_view resource,
                 absl::string_view subresource = "", absl::string_view name = "") {
  return {.is_resource_request = true,
          .verb = std::string(verb),
          .group = std::string(group),
          .resource = std::string(resource),
          .name = std::string(name),
          .subresource = std::string(subresource)};
}

RequestInfo AsksPath(absl::string_view verb, absl::string_view path) {
  return {.path = std::string(path), .verb = std::string(verb)};
}

PolicyRule Of(List<String> verbs, List<String> groups, List<String> resources,
              List<String> names = {}) {
  PolicyRule rule;
  rule.verbs = std::move(verbs);
  rule.api_groups = std::move(groups);
  rule.resources = std::move(resources);
  rule.resource_names = std::move(names);
  return rule;
}

PolicyRule OfPaths(List<String> verbs, List<String> paths) {
  PolicyRule rule;
  rule.verbs = std::move(verbs);
  rule.non_resource_urls = std::move(paths);
  return rule;
}

TEST(RuleAllows, DecidesByAllMembers) {
  struct Row {
    const char* name;
    PolicyRule rule;
    RequestInfo info;
    bool allowed;
  };
  const Row rows[] = {
      {"nothing", {}, Asks("get", "", "pods"), false},
      {"exact", Of({"get"}, {""}, {"pods"}), Asks("get", "", "pods"), true},
      {"another verb", Of({"get"}, {""}, {"pods"}), Asks("list", "", "pods"), false},
      {"another group", Of({"get"}, {"apps"}, {"pods"}), Asks("get", "", "pods"), false},
      {"another resource", Of({"get"}, {""}, {"pods"}), Asks("get", "", "secrets"), false},
      {"second of each", Of({"list", "get"}, {"apps", ""}, {"nodes", "pods"}),
       Asks("get", "", "pods"), true},
      {"stars", Of({"*"}, {"*"}, {"*"}), Asks("get", "apps", "deployments", "scale"), true},
      {"star is no prefix", Of({"g*"}, {""}, {"po*"}), Asks("get", "", "pods"), false},
      {"a resource without its subresources", Of({"get"}, {""}, {"pods"}),
       Asks("get", "", "pods", "log"), false},
      {"a subresource", Of({"get"}, {""}, {"pods/log"}), Asks("get", "", "pods", "log"), true},
      {"a subresource without its resource", Of({"get"}, {""}, {"pods/log"}),
       Asks("get", "", "pods"), false},
      {"a subresource of all", Of({"get"}, {"*"}, {"*/scale"}),
       Asks("get", "apps", "deployments", "scale"), true},
      {"another subresource of all", Of({"get"}, {"*"}, {"*/scale"}),
       Asks("get", "apps", "deployments", "status"), false},
      {"the end of a subresource", Of({"get"}, {""}, {"*/cale"}), Asks("get", "", "pods", "scale"),
       false},
      {"all subresources of one are not expressible", Of({"get"}, {""}, {"pods/*"}),
       Asks("get", "", "pods", "log"), false},
      {"a subresource with a slash", Of({"impersonate"}, {"a"}, {"userextras/acme.com/project"}),
       Asks("impersonate", "a", "userextras", "acme.com/project"), true},
      {"a name", Of({"get"}, {""}, {"pods"}, {"a", "b"}), Asks("get", "", "pods", "", "b"), true},
      {"another name", Of({"get"}, {""}, {"pods"}, {"a"}), Asks("get", "", "pods", "", "b"), false},
      {"no name", Of({"list"}, {""}, {"pods"}, {"a"}), Asks("list", "", "pods"), false},
      {"star is no name", Of({"get"}, {""}, {"pods"}, {"*"}), Asks("get", "", "pods", "", "b"),
       false},
      {"a path", OfPaths({"get"}, {"/healthz"}), AsksPath("get", "/healthz"), true},
      {"below a path", OfPaths({"get"}, {"/healthz"}), AsksPath("get", "/healthz/etcd"), false},
      {"a prefix", OfPaths({"get"}, {"/healthz/*"}), AsksPath("get", "/healthz/etcd"), true},
      {"not the prefix itself", OfPaths({"get"}, {"/healthz/*"}), AsksPath("get", "/healthz"),
       false},
      {"stars at the end are one", OfPaths({"get"}, {"/api**"}), AsksPath("get", "/apis"), true},
      {"all paths", OfPaths({"*"}, {"*"}), AsksPath("post", "/x"), true},
      {"a path's verb", OfPaths({"get"}, {"*"}), AsksPath("post", "/x"), false},
      {"resources are not paths", Of({"*"}, {"*"}, {"*"}), AsksPath("get", "/x"), false},
      {"paths are not resources", OfPaths({"*"}, {"*"}), Asks("get", "", "pods"), false},
  };
  for (const Row& row : rows) EXPECT_EQ(RuleAllows(row.rule, row.info), row.allowed) << row.name;
}

TEST(UncoveredRules, AreThoseThatNoSingleRuleCovers) {
  struct Row {
    const char* name;
    std::vector<PolicyRule> held;
    PolicyRule wanted;
    const char* missing;
  };
  const Row rows[] = {
      {"the same", {Of({"get"}, {""}, {"pods"})}, Of({"get"}, {""}, {"pods"}), ""},
      {"of two rules",
       {Of({"get"}, {""}, {"pods"}), Of({"list"}, {""}, {"pods"})},
       Of({"get", "list"}, {""}, {"pods"}),
       ""},
      {"stars", {Of({"*"}, {"*"}, {"*"})}, Of({"*", "get"}, {"*"}, {"*", "a/b"}, {"n"}), ""},
      {"a star is more than all verbs",
       {Of({"get", "list"}, {""}, {"pods"})},
       Of({"*"}, {""}, {"pods"}),
       R"({APIGroups:[""], Resources:["pods"], Verbs:["*"]})"},
      {"verbs of a resource are one line",
       {},
       Of({"list", "get"}, {"", "b"}, {"pods"}),
       R"({APIGroups:[""], Resources:["pods"], Verbs:["list" "get"]})"
       "\n"
       R"({APIGroups:["b"], Resources:["pods"], Verbs:["list" "get"]})"},
      {"subresources of all cover one",
       {Of({"get"}, {"*"}, {"*/scale"})},
       Of({"get"}, {"apps"}, {"deployments/scale", "*/scale", "deployments/status", "deployments"}),
       R"({APIGroups:["apps"], Resources:["deployments"], Verbs:["get"]})"
       "\n"
       R"({APIGroups:["apps"], Resources:["deployments/status"], Verbs:["get"]})"},
      {"names need names",
       {Of({"get"}, {""}, {"pods"}, {"a"})},
       Of({"get"}, {""}, {"pods"}, {"a", "b"}),
       R"({APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]})"},
      {"names do not cover all",
       {Of({"get"}, {""}, {"pods"}, {"a"})},
       Of({"get"}, {""}, {"pods"}),
       R"({APIGroups:[""], Resources:["pods"], Verbs:["get"]})"},
      {"all cover names", {Of({"get"}, {""}, {"pods"})}, Of({"get"}, {""}, {"pods"}, {"a"}), ""},
      {"paths", {OfPaths({"get"}, {"/a/*"})}, OfPaths({"get"}, {"/a/b", "/a/*"}), ""},
      {"other paths",
       {OfPaths({"get"}, {"/a/*"})},
       OfPaths({"get", "put"}, {"/a/b", "*"}),
       R"({NonResourceURLs:["*"], Verbs:["get"]})"
       "\n"
       R"({NonResourceURLs:["*"], Verbs:["put"]})"
       "\n"
       R"({NonResourceURLs:["/a/b"], Verbs:["put"]})"},
  };
  for (const Row& row : rows) {
    std::vector<const PolicyRule*> held;
    for (const PolicyRule& rule : row.held) held.push_back(&rule);
    EXPECT_EQ(MissingRulesText(UncoveredRules(held, {row.wanted})), row.missing) << row.name;
  }
}

TEST(CompactText, HasTheMembersThatAreSet) {
  EXPECT_EQ(CompactText({}), "{}");
  EXPECT_EQ(CompactText(Of({"get", "list"}, {"", "apps"}, {"a\"b"}, {"n"})),
            R"({APIGroups:["" "apps"], Resources:["a\"b"], ResourceNames:["n"], )"
            R"(Verbs:["get" "list"]})");
}

}  // namespace
}  // namespace kube::apiserver::internal
