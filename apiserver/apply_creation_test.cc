// Applies to objects that do not exist, by users who may patch and who may not create.
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apiserver/handler.h"
#include "apiserver/testing/fake_exchange.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "net/httpserver/exchange.h"

namespace kube::apiserver {
namespace {

using testing::HasSubstr;

HandlerOptions WithUsers() {
  HandlerOptions options;
  options.cluster_objects = false;
  options.tokens["all"] = {.name = "all", .uid = "", .groups = {}};
  options.tokens["patcher"] = {.name = "patcher", .uid = "", .groups = {}};
  options.deny = {{.user = "patcher", .verb = "create", .group = "", .resource = "configmaps"}};
  return options;
}

// Applies a configuration of the ConfigMap "a".
std::shared_ptr<FakeExchange> Apply(ApiHandler& server, absl::string_view token,
                                    absl::string_view configuration) {
  httpserver::Request request{
      .method = "PATCH",
      .target = "/api/v1/namespaces/default/configmaps/a?fieldManager=m&fieldValidation=Strict"};
  request.headers.Set("authorization", absl::StrCat("Bearer ", token));
  request.headers.Set("content-type", "application/apply-patch+yaml");
  request.body = std::string(configuration);
  auto exchange = std::make_shared<FakeExchange>(std::move(request));
  server.Handle(exchange);
  return exchange;
}

constexpr absl::string_view kGood =
    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"1"}})";

TEST(ApplyCreation, WithoutTheRightToCreate_IsForbiddenOnceTheConfigurationIsRight) {
  const struct {
    std::string name;
    absl::string_view configuration;
    int code;
    std::string message;
  } rows[] = {
      {"a good configuration", kGood, 403,
       R"(configmaps \"a\" is forbidden: User \"patcher\" cannot create resource \"configmaps\")"},
      {"an unknown field",
       R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"size":1})", 500,
       ".size: field not declared in schema"},
      {"another version", R"({"apiVersion":"v2","kind":"ConfigMap","metadata":{"name":"a"}})", 400,
       "invalid object type"},
      {"a uid", R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","uid":"u"}})", 409,
       "uid mismatch"},
      {"another name", R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"}})", 400,
       "does not match the name on the URL"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    ApiHandler server(WithUsers());
    const auto refused = Apply(server, "patcher", row.configuration);
    EXPECT_EQ(refused->status(), row.code);
    EXPECT_THAT(refused->body(), HasSubstr(row.message));
  }
}

TEST(ApplyCreation, WithoutTheRightToCreate_IsLoggedAsAllowedWithADeniedVerb) {
  ApiHandler server(WithUsers());
  Apply(server, "patcher", kGood);
  EXPECT_EQ(server.Requests().back().decision, "allow");
  EXPECT_EQ(server.Requests().back().denied_verb, "create");
  Apply(server, "all", kGood);
  EXPECT_EQ(server.Requests().back().denied_verb, "");
}

TEST(ApplyCreation, OfAnObjectThatExists_NeedsNoRightToCreate) {
  ApiHandler server(WithUsers());
  EXPECT_EQ(Apply(server, "patcher", kGood)->status(), 403);
  EXPECT_EQ(Apply(server, "all", kGood)->status(), 201);
  EXPECT_EQ(Apply(server, "patcher", kGood)->status(), 200);
}

}  // namespace
}  // namespace kube::apiserver
