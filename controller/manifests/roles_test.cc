#include "controller/manifests/roles.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "api/rbac/v1/types.kube.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/string.h"
#include "controller/cache/required_access.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::manifests {
namespace {

namespace rbacv1 = api::rbac::v1;
using controller::AccessPurpose;
using controller::RequiredAccess;
using testing::ElementsAre;
using testing::IsEmpty;

std::string Joined(const List<String>& texts) {
  return absl::StrJoin(texts, ",", [](std::string* out, const String& text) {
    absl::StrAppend(out, text.empty() ? "core" : text.view());
  });
}

// Returns a rule as "groups resources [names] urls: verbs", each a list.
std::string Line(const rbacv1::PolicyRule& rule) {
  std::string line = absl::StrCat(Joined(rule.api_groups), " ", Joined(rule.resources));
  if (!rule.resource_names.empty()) absl::StrAppend(&line, " [", Joined(rule.resource_names), "]");
  if (!rule.non_resource_urls.empty()) line = Joined(rule.non_resource_urls);
  return absl::StrCat(line, ": ", Joined(rule.verbs));
}

std::vector<std::string> Lines(const std::vector<rbacv1::PolicyRule>& rules) {
  std::vector<std::string> lines;
  for (const rbacv1::PolicyRule& rule : rules) lines.push_back(Line(rule));
  return lines;
}

rbacv1::PolicyRule Rule(List<String> groups, List<String> resources, List<String> verbs) {
  rbacv1::PolicyRule rule;
  rule.api_groups = groups;
  rule.resources = resources;
  rule.verbs = verbs;
  return rule;
}

// behaviour.md: CT-2
TEST(MergeRulesTest, EqualKeys_VerbsThenResourcesThenGroupsAreJoined) {
  const struct {
    const char* name;
    std::vector<rbacv1::PolicyRule> rules;
    std::vector<std::string> merged;
  } kRows[] = {
      {"nothing", {}, {}},
      {"verbs of one resource",
       {Rule({""}, {"pods"}, {"watch", "list"}), Rule({""}, {"pods"}, {"get", "list"})},
       {"core pods: get,list,watch"}},
      {"resources with equal verbs",
       {Rule({"apps"}, {"statefulsets"}, {"get"}), Rule({"apps"}, {"deployments"}, {"get"})},
       {"apps deployments,statefulsets: get"}},
      {"resources whose verbs become equal only by the first step",
       {Rule({"apps"}, {"deployments"}, {"get"}), Rule({"apps"}, {"statefulsets"}, {"get", "list"}),
        Rule({"apps"}, {"deployments"}, {"list"})},
       {"apps deployments,statefulsets: get,list"}},
      {"groups with equal resources and verbs",
       {Rule({"extensions"}, {"ingresses"}, {"get"}),
        Rule({"networking.k8s.io"}, {"ingresses"}, {"get"})},
       {"extensions,networking.k8s.io ingresses: get"}},
      {"a rule of several resources is split first",
       {Rule({""}, {"pods", "nodes"}, {"get"}), Rule({""}, {"nodes"}, {"patch"})},
       {"core nodes: get,patch", "core pods: get"}},
      {"all verbs swallow the others",
       {Rule({""}, {"pods"}, {"get", "*"}), Rule({""}, {"pods"}, {"list"})},
       {"core pods: *"}},
      {"sorted by group, then resource, and a resource before its subresources",
       {Rule({"sites.example.com"}, {"websites/status"}, {"patch"}),
        Rule({"sites.example.com"}, {"websites"}, {"get"}), Rule({""}, {"events"}, {"create"})},
       {"core events: create", "sites.example.com websites: get",
        "sites.example.com websites/status: patch"}},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(Lines(MergeRules(row.rules)), row.merged);
  }
}

TEST(MergeRulesTest, NamesAndPaths_AreKeptApart) {
  rbacv1::PolicyRule named = Rule({""}, {"configmaps"}, {"get"});
  named.resource_names = {"directory"};
  rbacv1::PolicyRule path;
  path.non_resource_urls = {"/metrics"};
  path.verbs = {"get"};
  rbacv1::PolicyRule other_path = path;
  other_path.non_resource_urls = {"/healthz"};
  EXPECT_THAT(Lines(MergeRules({named, Rule({""}, {"configmaps"}, {"create"}), path, other_path})),
              ElementsAre("/healthz,/metrics: get", "core configmaps: create",
                          "core configmaps [directory]: get"));
}

// Returns the roles as "PURPOSE NAMESPACE" and their rules.
std::vector<std::string> RoleLines(const std::vector<RequiredAccess>& access) {
  std::vector<std::string> lines;
  for (const RoleRules& role : RolesOf(access)) {
    lines.push_back(absl::StrCat(static_cast<int>(role.purpose), " ", role.namespace_name));
    for (const std::string& line : Lines(role.rules)) lines.push_back(line);
  }
  return lines;
}

// behaviour.md: CT-3
TEST(RolesOfTest, NamespacesAndPurposes_AreRolesOfTheirOwn) {
  EXPECT_THAT(RoleLines({{.resource = "pods", .verbs = {"get"}, .namespaces = {"b", "a"}},
                         {.resource = "nodes", .verbs = {"get"}},
                         {.group = "coordination.k8s.io",
                          .resource = "leases",
                          .verbs = {"get"},
                          .namespaces = {"a"},
                          .purpose = AccessPurpose::kLeaderElection}}),
              ElementsAre("0 ", "core nodes: get", "0 a", "core pods: get", "0 b", "core pods: get",
                          "1 a", "coordination.k8s.io leases: get"));
}

TEST(RolesOfTest, VerbsThatCannotBeLimitedToNames_AreARuleWithoutThem) {
  EXPECT_THAT(
      RoleLines({{.resource = "configmaps",
                  .verbs = {"create", "get", "patch"},
                  .names = {"directory"},
                  .namespaces = {"web"}}}),
      ElementsAre("0 web", "core configmaps: create", "core configmaps [directory]: get,patch"));
}

TEST(RolesOfTest, AllVerbsOfNames_StayLimitedToThem) {
  EXPECT_THAT(RoleLines({{.resource = "secrets", .verbs = {"*"}, .names = {"ca"}}}),
              ElementsAre("0 ", "core secrets [ca]: *"));
  EXPECT_THAT(
      RoleLines(
          {{.resource = "secrets", .verbs = {"*", "create", "deletecollection"}, .names = {"ca"}}}),
      ElementsAre("0 ", "core secrets: create,deletecollection", "core secrets [ca]: *"));
}

TEST(RolesOfTest, NothingIsNeeded_NoRole) {
  EXPECT_THAT(RoleLines({}), IsEmpty());
  EXPECT_THAT(RoleLines({{.resource = "pods"}}), IsEmpty());
}

TEST(RolesOfTest, Paths_AreInAClusterRole) {
  EXPECT_THAT(RoleLines({{.verbs = {"get"}, .urls = {"/metrics"}}}),
              ElementsAre("0 ", "/metrics: get"));
}

}  // namespace
}  // namespace kube::manifests
