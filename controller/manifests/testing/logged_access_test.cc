#include "controller/manifests/testing/logged_access.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "apiserver/handler.h"
#include "gtest/gtest.h"

namespace kube::manifests {
namespace {

using apiserver::LoggedRequest;

// Returns a line for each access: "create apps deployments/status in web of blog denied\n".
std::string TextOf(const LoggedRequest& request) {
  std::string text;
  for (const LoggedAccess& each : AccessesOf(request)) {
    absl::StrAppend(&text, each.verb, " ", each.group, " ", RuleResource(each), each.path, " in ",
                    each.namespace_name, " of ", each.name, each.denied ? " denied" : "", "\n");
  }
  return text;
}

LoggedRequest Of(const char* verb, int code) {
  return {.verb = verb,
          .group = "apps",
          .resource = "deployments",
          .namespace_name = "web",
          .name = "blog",
          .code = code,
          .decision = "allow"};
}

TEST(LoggedAccessTest, ARequest_NeedsItsVerb) {
  EXPECT_EQ(TextOf(Of("get", 200)), "get apps deployments in web of blog\n");
  EXPECT_EQ(TextOf(Of("patch", 200)), "patch apps deployments in web of blog\n");
  EXPECT_EQ(TextOf(Of("update", 404)), "update apps deployments in web of blog\n");
}

TEST(LoggedAccessTest, AnUpdateOrApplyThatCreates_NeedsToCreateTooByName) {
  for (const char* verb : {"patch", "update"}) {
    EXPECT_EQ(TextOf(Of(verb, 201)), absl::StrCat(verb, " apps deployments in web of blog\n",
                                                  "create apps deployments in web of blog\n"));
  }
}

TEST(LoggedAccessTest, ACreate_NeedsOnlyItsVerbWithoutAName) {
  EXPECT_EQ(TextOf(Of("create", 201)), "create apps deployments in web of \n");
}

TEST(LoggedAccessTest, ACreateOfASubresource_HasTheNameOfItsObject) {
  LoggedRequest request = Of("create", 201);
  request.subresource = "eviction";
  EXPECT_EQ(TextOf(request), "create apps deployments/eviction in web of blog\n");
}

TEST(LoggedAccessTest, WhatWasForbidden_IsDenied) {
  LoggedRequest request = Of("patch", 403);
  request.denied_verb = "create";
  EXPECT_EQ(TextOf(request),
            "patch apps deployments in web of blog\n"
            "create apps deployments in web of blog denied\n");
  LoggedRequest forbidden = Of("patch", 403);
  forbidden.decision = "forbid";
  EXPECT_EQ(TextOf(forbidden), "patch apps deployments in web of blog denied\n");
}

TEST(LoggedAccessTest, ARequestWithoutAResource_HasItsPath) {
  const LoggedRequest request = {.target = "/healthz/ping?verbose", .verb = "get", .code = 200};
  EXPECT_EQ(TextOf(request), "get  /healthz/ping in  of \n");
}

TEST(LoggedAccessTest, AccessText_SaysWhatTheVerbIsFor) {
  EXPECT_EQ(AccessText({.verb = "patch",
                        .group = "apps",
                        .resource = "deployments",
                        .subresource = "status",
                        .namespace_name = "web"}),
            "patch deployments.apps/status in \"web\"");
  EXPECT_EQ(AccessText({.verb = "list", .resource = "nodes"}), "list nodes");
  EXPECT_EQ(AccessText({.verb = "get", .path = "/healthz"}), "get /healthz");
}

TEST(LoggedAccessTest, ResourceText_HasTheGroupBeforeTheSubresource) {
  EXPECT_EQ(ResourceText("deployments/status", "apps"), "deployments.apps/status");
  EXPECT_EQ(ResourceText("deployments", "apps"), "deployments.apps");
  EXPECT_EQ(ResourceText("pods/log", ""), "pods/log");
}

}  // namespace
}  // namespace kube::manifests
