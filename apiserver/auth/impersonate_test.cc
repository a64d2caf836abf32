#include "apiserver/auth/impersonate.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/rbac_policy.h"
#include "apiserver/request_info.h"
#include "apiserver/user.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"

namespace kube::apiserver::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const User kAdmin = {.name = "admin"};
const RequestInfo kList = {
    .is_resource_request = true, .verb = "list", .version = "v1", .resource = "pods"};

TEST(WantedUser, IsWhomTheHeadersName) {
  const absl::StatusOr<std::optional<User>> nobody = WantedUser({{"accept", "*/*"}});
  ASSERT_THAT(nobody, base::IsOk());
  EXPECT_FALSE(nobody->has_value());
  const absl::StatusOr<std::optional<User>> jane = WantedUser({{"impersonate-user", "jane"},
                                                               {"impersonate-group", "a"},
                                                               {"impersonate-group", "b"},
                                                               {"impersonate-uid", "7"},
                                                               {"impersonate-extra-x", "1"},
                                                               {"impersonate-extra-x", "2"},
                                                               {"impersonate-extra-A%2Fb", "3"},
                                                               {"impersonate-extra-%zz", "4"}});
  ASSERT_THAT(jane, base::IsOk());
  EXPECT_EQ(**jane, (User{.name = "jane",
                          .uid = "7",
                          .groups = {"a", "b"},
                          .extra = {{"x", {"1", "2"}}, {"a/b", {"3"}}, {"%zz", {"4"}}}}));
}

TEST(WantedUser, NeedsAName) {
  const absl::Status wrong =
      WantedUser({{"impersonate-group", "a\"b"}, {"impersonate-extra-x", "1"}}).status();
  EXPECT_TRUE(errors::IsBadRequest(wrong));
  EXPECT_EQ(wrong.message(),
            "requested &user.DefaultInfo{Name:\"\", UID:\"\", Groups:[]string{\"a\\\"b\"}, "
            "Extra:map[string][]string{\"x\":[]string{\"1\"}}} without impersonating a user name");
}

// Everything that was asked for, as "verb group/resource name".
struct Asked {
  std::string denied = {};
  mutable std::vector<std::string> all = {};

  absl::Status operator()(const RequestInfo& info) const {
    all.push_back(absl::StrCat(info.verb, " ", info.group, "/", info.resource,
                               info.subresource.empty() ? "" : "/", info.subresource, " ",
                               info.name));
    return info.verb == denied || denied == "*" ? ForbiddenTo(kAdmin, info) : absl::OkStatus();
  }
};

TEST(Impersonated, IsAllowedByEachPart) {
  Asked asked;
  const User wanted = {.name = "jane", .uid = "7", .groups = {"g"}, .extra = {{"a.io/x", {"1"}}}};
  const absl::StatusOr<User> user = Impersonated(kAdmin, wanted, kList, asked);
  ASSERT_THAT(user, base::IsOk());
  EXPECT_THAT(user->groups, ElementsAre("g", "system:authenticated"));
  EXPECT_THAT(asked.all,
              ElementsAre("impersonate-on:user-info:list /pods ",
                          "impersonate:user-info authentication.k8s.io/users jane",
                          "impersonate:user-info authentication.k8s.io/uids 7",
                          "impersonate:user-info authentication.k8s.io/groups g",
                          "impersonate:user-info authentication.k8s.io/userextras/a.io/x 1"));
}

TEST(Impersonated, IsAllowedTheOldWayToo) {
  Asked asked{.denied = "impersonate-on:user-info:list"};
  ASSERT_THAT(Impersonated(kAdmin, {.name = "jane", .groups = {"g"}}, kList, asked), base::IsOk());
  EXPECT_THAT(asked.all, ElementsAre("impersonate-on:user-info:list /pods ",
                                     "impersonate /users jane", "impersonate /groups g"));
}

TEST(Impersonated, IsToldTheFirstReason) {
  Asked asked{.denied = "*"};
  const absl::Status denied = Impersonated(kAdmin, {.name = "jane"}, kList, asked).status();
  EXPECT_TRUE(errors::IsForbidden(denied));
  EXPECT_THAT(std::string(denied.message()),
              HasSubstr("User \"admin\" cannot impersonate-on:user-info:list resource \"pods\""));
}

TEST(Impersonated, IsNoAdministratorByTheNewWays) {
  Asked asked{.denied = "impersonate"};
  const absl::Status denied =
      Impersonated(kAdmin, {.name = "jane", .groups = {"system:masters"}}, kList, asked).status();
  EXPECT_THAT(std::string(denied.message()),
              HasSubstr("cannot impersonate:user-info resource \"groups\" in API group "
                        "\"authentication.k8s.io\" at the cluster scope: impersonating the "
                        "system:masters group is not allowed"));
}

TEST(Impersonated, OnePermissionIsEnoughForManyGroupsAndValues) {
  Asked asked;
  const User wanted = {.name = "jane",
                       .groups = {"a", "b", "c", "d"},
                       .extra = {{"a.io/x", {"1", "2"}}, {"a.io/y", {"3", "4"}}}};
  ASSERT_THAT(Impersonated(kAdmin, wanted, kList, asked), base::IsOk());
  EXPECT_THAT(asked.all, ElementsAre("impersonate-on:user-info:list /pods ",
                                     "impersonate:user-info authentication.k8s.io/users jane",
                                     "impersonate:user-info authentication.k8s.io/groups *",
                                     "impersonate:user-info authentication.k8s.io/userextras/* *"));
}

TEST(Impersonated, HasValidExtraKeysAndValuesByTheNewWays) {
  struct Row {
    const char* name;
    std::map<std::string, std::vector<std::string>> extra;
    const char* reason;
  };
  const Row rows[] = {
      {"no key", {{"", {"1"}}}, "impersonating the empty string key in extra is not allowed"},
      {"no path", {{"x", {"1"}}}, "impersonating an invalid key in extra is not allowed: "},
      {"no value",
       {{"a.io/x", {""}}},
       "impersonating the empty string value in extra is not allowed"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    Asked asked{.denied = "impersonate"};
    const absl::Status denied =
        Impersonated(kAdmin, {.name = "jane", .extra = row.extra}, kList, asked).status();
    EXPECT_THAT(std::string(denied.message()),
                HasSubstr(absl::StrCat("resource \"userextras\" in API group "
                                       "\"authentication.k8s.io\" at the cluster scope: ",
                                       row.reason)));
  }
}

TEST(Impersonated, HasTheGroupsOfItsKind) {
  struct Row {
    User wanted;
    std::vector<std::string> groups;
  };
  const std::vector<Row> rows = {
      {{.name = "system:serviceaccount:n:s"},
       {"system:serviceaccounts", "system:serviceaccounts:n", "system:authenticated"}},
      {{.name = "system:serviceaccount:n:s", .groups = {"g"}}, {"g", "system:authenticated"}},
      {{.name = "system:serviceaccount:N:s"}, {"system:authenticated"}},
      {{.name = "system:node:n"}, {"system:nodes", "system:authenticated"}},
      {{.name = "system:node:n", .groups = {"g"}}, {"g", "system:authenticated"}},
      {{.name = "system:anonymous"}, {"system:unauthenticated"}},
      {{.name = "jane", .groups = {"system:unauthenticated"}}, {"system:unauthenticated"}},
      {{.name = "jane", .groups = {"system:authenticated"}}, {"system:authenticated"}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.wanted.name);
    Asked asked;
    const absl::StatusOr<User> user = Impersonated(kAdmin, row.wanted, kList, asked);
    ASSERT_THAT(user, base::IsOk());
    EXPECT_EQ(user->groups, row.groups);
  }
}

TEST(DenyRules, TakeAllWaysToImpersonateForOne) {
  const std::vector<DenyRule> rules = {{.verb = "impersonate", .resource = "users"}};
  const auto authorize = [&](const RequestInfo& info) {
    const Decision decision =
        Authorize(kAdmin, info, Anonymous::kHealthOnly, rules, /*policy=*/nullptr);
    return decision.allowed ? absl::OkStatus() : ForbiddenTo(kAdmin, info);
  };
  EXPECT_TRUE(
      errors::IsForbidden(Impersonated(kAdmin, {.name = "jane"}, kList, authorize).status()));
}

TEST(Authorize, NamesTheRuleThatDecided) {
  const std::vector<DenyRule> rules = {
      {.user = "jane", .verb = "list", .resource = "pods", .namespace_name = "n"}};
  const RbacPolicy nothing{RbacObjects()};
  const RequestInfo in_n = {
      .is_resource_request = true, .verb = "list", .namespace_name = "n", .resource = "pods"};
  const RequestInfo healthz = {.path = "/healthz", .verb = "get"};
  const User anonymous = {.name = "system:anonymous", .groups = {"system:unauthenticated"}};
  struct Row {
    const char* name;
    User user;
    RequestInfo info;
    Anonymous anonymous;
    const RbacPolicy* policy;
    bool allowed;
    bool denied;
    const char* rule;
  };
  using enum Anonymous;
  const Row rows[] = {
      {"all may", {.name = "bob"}, in_n, kHealthOnly, nullptr, true, false, ""},
      {"a deny rule",
       {.name = "jane"},
       in_n,
       kHealthOnly,
       nullptr,
       false,
       true,
       R"(deny rule: user "jane", verb "list", resource "pods", namespace "n")"},
      {"a deny rule for a master",
       {.name = "jane", .groups = {"system:masters"}},
       in_n,
       kHealthOnly,
       &nothing,
       false,
       true,
       R"(deny rule: user "jane", verb "list", resource "pods", namespace "n")"},
      {"a master",
       {.name = "bob", .groups = {"system:masters"}},
       in_n,
       kHealthOnly,
       &nothing,
       true,
       false,
       "members of system:masters may do everything"},
      {"roles", {.name = "bob"}, in_n, kHealthOnly, &nothing, false, false, ""},
      {"anonymous", anonymous, in_n, kHealthOnly, nullptr, false, false,
       "anonymous users may only see health and version"},
      {"anonymous health", anonymous, healthz, kHealthOnly, nullptr, true, false, ""},
      {"anonymous health without a role", anonymous, healthz, kHealthOnly, &nothing, false, false,
       ""},
      {"anonymous for all", anonymous, in_n, kAll, &nothing, true, false,
       "anonymous users may do everything"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Decision decision = Authorize(row.user, row.info, row.anonymous, rules, row.policy);
    EXPECT_EQ(decision.allowed, row.allowed);
    EXPECT_EQ(decision.denied, row.denied);
    EXPECT_EQ(decision.rule, row.rule);
    EXPECT_EQ(decision.reason, "");
  }
}

TEST(ForbiddenTo, QuotesAsGoAndIsNoHtml) {
  EXPECT_EQ(ForbiddenTo({.name = "<a&\"b>"}, {.path = "/x", .verb = "get"}, "RBAC: <a>").message(),
            "forbidden: User \"&lt;a&amp;\\\"b&gt;\" cannot get path \"/x\": RBAC: <a>");
}

TEST(Authenticated, AddsTheGroupsOfServiceAccounts) {
  EXPECT_THAT(Authenticated({.name = "jane", .groups = {"g"}}).groups,
              ElementsAre("g", "system:authenticated"));
  EXPECT_THAT(
      Authenticated({.name = "system:serviceaccount:n:s"}).groups,
      ElementsAre("system:serviceaccounts", "system:serviceaccounts:n", "system:authenticated"));
  EXPECT_THAT(Authenticated({.name = "system:serviceaccount:n"}).groups,
              ElementsAre("system:authenticated"));
}

}  // namespace
}  // namespace kube::apiserver::internal
