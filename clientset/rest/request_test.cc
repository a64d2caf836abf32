#include "clientset/rest/request.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/schema/group_version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// clientset/rest/differential asks client-go about thousands of such requests and hosts.
namespace kube::rest {
namespace {

using base::IsOkAndHolds;
using base::StatusIs;

TEST(RequestTest, TheFieldsAreThePartsOfThePath_AsInTheHeader) {
  const Request request = {.verb = "GET",
                           .resource = {"apps", "v1", "deployments"},
                           .namespace_name = "prod",
                           .name = "web",
                           .subresource = {"scale"}};
  EXPECT_THAT(UrlOf("https://h", request),
              IsOkAndHolds("https://h/apis/apps/v1/namespaces/prod/deployments/web/scale"));
}

// behaviour.md: REST-19
TEST(RequestTest, Urls) {
  struct Case {
    std::string base;
    Request request;
    std::string url;
  };
  const std::vector<Case> cases = {
      {"https://h:6443", {.resource = {"", "v1", "nodes"}}, "https://h:6443/api/v1/nodes"},
      {"https://h",
       {.resource = {"apps", "v1", "deployments"},
        .namespace_name = "prod",
        .name = "web",
        .subresource = {"scale"}},
       "https://h/apis/apps/v1/namespaces/prod/deployments/web/scale"},
      {"https://h/clusters/a",
       {.resource = {"", "v1", "pods"},
        .namespace_name = "prod",
        .name = "a b?",
        .params = {{"labelSelector", {"a in (b)"}}}},
       "https://h/clusters/a/api/v1/namespaces/prod/pods/a%20b%3F?labelSelector=a+in+%28b%29"},
      {"https://h", {.resource = {"", "v1", ""}}, "https://h/api/v1"},
      {"https://h", {.absolute_path = "/healthz"}, "https://h/healthz"},
      {"https://h/base",
       {.absolute_path = "/a/?x=1", .params = {{"x", {"2"}}}},
       "https://h/base/a/?x=1&x=2"},
      {"https://h",
       {.absolute_path = "/a", .timeout = absl::Seconds(90)},
       "https://h/a?timeout=1m30s"},
      {"https://h", {.absolute_path = "/a", .timeout = absl::InfiniteDuration()}, "https://h/a"},
  };
  for (const Case& c : cases) EXPECT_THAT(UrlOf(c.base, c.request), IsOkAndHolds(c.url));
}

// behaviour.md: REST-15
TEST(RequestTest, WhatCannotBe) {
  struct Case {
    Request request;
    std::string message;
  };
  const std::vector<Case> cases = {
      {{}, "request has neither a resource nor a path"},
      {{.absolute_path = "healthz?token=x"}, "invalid path \"healthz\": must begin with \"/\""},
      {{.absolute_path = "/%zz"}, "invalid path \"/%zz\": invalid URL escape"},
      {{.resource = {"", "", "pods"}}, "resource \"pods\" has no version"},
      {{.resource = {"..", "v1", "pods"}}, "invalid group \"..\": [may not be '..']"},
      {{.resource = {"", "v1", "pods"}, .name = ""}, "resource name may not be empty"},
      {{.resource = {"", "v1", "pods"}, .name = "a/b%"},
       "invalid resource name \"a/b%\": [may not contain '/' may not contain '%']"},
      {{.resource = {"", "v1", "pods"}, .namespace_name = "."},
       "invalid namespace \".\": [may not be '.']"},
      {{.verb = "POST", .resource = {"", "v1", "pods"}, .namespace_name = ""},
       "an empty namespace may not be set during creation"},
      {{.verb = "DELETE", .resource = {"", "v1", "pods"}, .namespace_name = "", .name = "a"},
       "an empty namespace may not be set when a resource name is provided"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(UrlOf("https://h", c.request).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, c.message));
  }
}

TEST(RequestTest, Descriptions) {
  const schema::GroupVersionResource pods = {"", "v1", "pods"};
  const schema::GroupVersionResource deployments = {"apps", "v1", "deployments"};
  EXPECT_EQ(Describe({.resource = pods, .namespace_name = "prod", .name = "web-0"}),
            "get pods \"web-0\" in \"prod\"");
  EXPECT_EQ(Describe({.resource = pods}), "list pods");
  EXPECT_EQ(Describe({.resource = pods, .namespace_name = "prod", .retry = RetryRule::kWatch}),
            "watch pods in \"prod\"");
  EXPECT_EQ(Describe({.verb = "POST", .resource = deployments, .namespace_name = "prod"}),
            "create deployments.apps in \"prod\"");
  EXPECT_EQ(Describe({.verb = "PUT",
                      .resource = deployments,
                      .namespace_name = "prod",
                      .name = "web",
                      .subresource = {"scale"}}),
            "update deployments.apps/scale \"web\" in \"prod\"");
  EXPECT_EQ(Describe({.verb = "DELETE", .resource = pods, .namespace_name = "prod"}),
            "delete pods in \"prod\"");
  EXPECT_EQ(Describe({.absolute_path = "/version?x=1"}), "get /version");
  EXPECT_EQ(Describe({.verb = "POST", .absolute_path = "/x"}), "post /x");
}

// behaviour.md: REST-19
TEST(ServerUrlTest, Hosts) {
  EXPECT_THAT(ServerUrl("10.0.0.1:6443", true), IsOkAndHolds("https://10.0.0.1:6443"));
  EXPECT_THAT(ServerUrl("10.0.0.1:6443", false), IsOkAndHolds("http://10.0.0.1:6443"));
  EXPECT_THAT(ServerUrl("[::1]:80", false), IsOkAndHolds("http://[::1]:80"));
  EXPECT_THAT(ServerUrl("HTTPS://proxy//a/../b c/", false), IsOkAndHolds("https://proxy/b%20c"));
  EXPECT_THAT(ServerUrl("https://h/", false), IsOkAndHolds("https://h"));
}

// behaviour.md: REST-19
TEST(ServerUrlTest, WhatIsNone) {
  for (const auto& [host, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "host must be a URL or a host:port pair"},
           {"h/path", "host must be a URL or a host:port pair, and a path needs a scheme"},
           {"https://u:sesame@h", "host must not contain user information, set username instead"},
           {"https://h?token=sesame", "host must not contain a query or a fragment"},
           {"https://h#sesame", "host must not contain a query or a fragment"},
           {"ftp://h", "host has unsupported protocol scheme \"ftp\", must be http or https"},
           {"https://:80", "host has no host name"},
           {"https://h:port", "invalid port after host"},
           {"https://a b", "invalid character in host name"},
           {"https://[::g]", "invalid address in brackets"},
           {"h\n", "invalid control character in URL"}}) {
    EXPECT_THAT(ServerUrl(host, false).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, message));
  }
}

}  // namespace
}  // namespace kube::rest
