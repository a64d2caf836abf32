#include "controller/manifests/testing/rule_use.h"

#include <string>
#include <vector>

#include "apiserver/handler.h"
#include "controller/cache/required_access.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::manifests {
namespace {

using apiserver::LoggedRequest;
using controller::RequiredAccess;
using testing::ElementsAre;
using testing::IsEmpty;

RuleUse Compare(const std::vector<RequiredAccess>& access,
                const std::vector<LoggedRequest>& requests) {
  return CompareWithRequests(access, requests, "op");
}

LoggedRequest Patch(const char* name) {
  return {.verb = "patch",
          .group = "apps",
          .resource = "deployments",
          .namespace_name = "web",
          .name = name,
          .user = "op",
          .content_type = "application/apply-patch+yaml",
          .code = 200};
}

TEST(RuleUseTest, RequestsAndRightsAgree_NothingIsSaid) {
  const RuleUse use = Compare(
      {{.group = "apps", .resource = "deployments", .verbs = {"patch"}, .namespaces = {"web"}}},
      {Patch("a"), Patch("b")});
  EXPECT_THAT(use.not_declared, IsEmpty());
  EXPECT_THAT(use.not_used, IsEmpty());
}

TEST(RuleUseTest, ARequestThatNoRightAllows_IsNamedOnce) {
  const RequiredAccess kRows[] = {
      {.resource = "deployments", .verbs = {"patch"}},
      {.group = "apps", .resource = "deployments/status", .verbs = {"patch"}},
      {.group = "apps", .resource = "deployments", .verbs = {"get"}},
      {.group = "apps", .resource = "deployments", .verbs = {"patch"}, .namespaces = {"prod"}},
      {.group = "apps", .resource = "deployments", .verbs = {"patch"}, .names = {"b"}},
  };
  for (const RequiredAccess& row : kRows) {
    EXPECT_THAT(Compare({row}, {Patch("a"), Patch("a")}).not_declared,
                ElementsAre("patch deployments.apps in \"web\""));
  }
}

TEST(RuleUseTest, AnApplyThatCreates_NeedsToCreate) {
  LoggedRequest created = Patch("a");
  created.code = 201;
  EXPECT_THAT(Compare({{.group = "apps", .resource = "deployments", .verbs = {"patch"}}}, {created})
                  .not_declared,
              ElementsAre("create deployments.apps in \"web\""));
  // Names do not limit it.
  EXPECT_THAT(Compare({{.group = "apps",
                        .resource = "deployments",
                        .verbs = {"create", "patch"},
                        .names = {"a"}}},
                      {created})
                  .not_declared,
              IsEmpty());
}

TEST(RuleUseTest, AnUpdateThatCreates_NeedsToCreate) {
  LoggedRequest created = Patch("a");
  created.verb = "update";
  created.content_type = "application/json";
  created.code = 201;
  const RequiredAccess update = {.group = "apps", .resource = "deployments", .verbs = {"update"}};
  EXPECT_THAT(Compare({update}, {created}).not_declared,
              ElementsAre("create deployments.apps in \"web\""));
  RequiredAccess both = update;
  both.verbs = {"create", "update"};
  const RuleUse use = Compare({both}, {created});
  EXPECT_THAT(use.not_declared, IsEmpty());
  EXPECT_THAT(use.not_used, IsEmpty());
}

TEST(RuleUseTest, AllVerbsOfNames_DoNotIncludeToCreate) {
  const RequiredAccess all = {
      .group = "apps", .resource = "deployments", .verbs = {"*"}, .names = {"a"}};
  EXPECT_THAT(Compare({all}, {Patch("a")}).not_declared, IsEmpty());
  EXPECT_THAT(Compare({all}, {Patch("b")}).not_declared,
              ElementsAre("patch deployments.apps in \"web\""));
  LoggedRequest create = Patch("a");
  create.verb = "create";
  EXPECT_THAT(Compare({all}, {create}).not_declared,
              ElementsAre("create deployments.apps in \"web\""));
  RequiredAccess both = all;
  both.verbs = {"*", "create"};
  EXPECT_THAT(Compare({both}, {create}).not_declared, IsEmpty());
}

TEST(RuleUseTest, VerbsThatNobodyUses_AreNamed) {
  const RuleUse use =
      Compare({{.group = "apps", .resource = "deployments", .verbs = {"delete", "patch"}},
               {.group = "apps", .resource = "deployments/status", .verbs = {"patch"}}},
              {Patch("a")});
  EXPECT_THAT(use.not_used,
              ElementsAre("delete deployments.apps", "patch deployments.apps/status"));
}

TEST(RuleUseTest, WhatNeedNotBeUsed_IsNotNamed) {
  const RuleUse use = Compare({{.resource = "pods", .verbs = {"get", "list"}},
                               {.resource = "pods/finalizers", .verbs = {"update"}},
                               {.verbs = {"get"}, .urls = {"/metrics"}}},
                              {{.verb = "list", .resource = "pods", .user = "op", .code = 200}});
  EXPECT_THAT(use.not_used, IsEmpty());
}

TEST(RuleUseTest, RequestsOfOthersAndOfNoResource_AreIgnored) {
  LoggedRequest of_admin = Patch("a");
  of_admin.user = "admin";
  const LoggedRequest version = {.verb = "get", .user = "op", .code = 200};
  EXPECT_THAT(Compare({}, {of_admin, version}).not_declared, IsEmpty());
}

}  // namespace
}  // namespace kube::manifests
