#include "controller/testing/internal/logged_object.h"

#include <string>
#include <vector>

#include "apimachinery/unstructured/value.h"
#include "apiserver/handler.h"
#include "controller/testing/audit_options.h"
#include "controller/testing/internal/logged_requests.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

using apiserver::LoggedRequest;

TEST(LoggedObject, Requests_AreTheOperatorsByUserAndProgram) {
  LoggedRequest request = Logged("get", "a");
  request.user = "op";
  request.user_agent = "website/1.0";
  EXPECT_TRUE(IsOperators(request, {}));
  EXPECT_TRUE(IsOperators(request, {.user = "op", .user_agent = "website"}));
  EXPECT_FALSE(IsOperators(request, {.user = "ann"}));
  EXPECT_FALSE(IsOperators(request, {.user_agent = "kubectl"}));
}

TEST(LoggedObject, TheText_NamesTheObject) {
  LoggedRequest request = Logged("get", "a");
  EXPECT_EQ(ObjectText(request), "configmaps default/a");
  request.resource = "deployments";
  request.group = "apps";
  EXPECT_EQ(ObjectText(request), "deployments.apps default/a");
  request.namespace_name = "";
  EXPECT_EQ(ObjectText(request), "deployments.apps a");
  EXPECT_TRUE(NamesObject(request));
  request.name = "";
  EXPECT_FALSE(NamesObject(request));
  request.object_name = "b";
  EXPECT_EQ(ObjectText(request), "deployments.apps b");
}

TEST(LoggedObject, ADryRun_IsNoUpdate) {
  LoggedRequest request = Logged("update", "a");
  EXPECT_TRUE(IsSuccessfulUpdate(request));
  request.target = "/api/v1/namespaces/default/configmaps/a?dryRun=All";
  EXPECT_FALSE(IsSuccessfulUpdate(request));
}

TEST(LoggedObject, TheContent_HasNothingThatEachWriteChanges) {
  const unstructured::Value a =
      Json(R"({"metadata":{"name":"a","resourceVersion":"1"},"spec":{"x":1},"status":{"y":1}})");
  const unstructured::Value b =
      Json(R"({"metadata":{"name":"a","resourceVersion":"2"},"spec":{"x":1},"status":{"y":2}})");
  EXPECT_EQ(ContentText(a, /*status=*/false), ContentText(b, /*status=*/false));
  EXPECT_NE(ContentText(a, /*status=*/true), ContentText(b, /*status=*/true));
}

TEST(LoggedObject, TheController_IsTheOwnerThatSaysSo) {
  const unstructured::Value object = Json(
      R"({"metadata":{"finalizers":["f"],"ownerReferences":[{"uid":"1"},
          {"uid":"2","controller":true}]}})");
  ASSERT_NE(ControllerOf(object), nullptr);
  EXPECT_EQ((*ControllerOf(object))["uid"].text(), "2");
  EXPECT_EQ(Finalizers(object), std::vector<std::string>({"f"}));
  EXPECT_EQ(ControllerOf(Json("{}")), nullptr);
}

TEST(LoggedObject, AnEvent_IsAboutItsObject) {
  LoggedRequest request = Logged("create", "e");
  request.resource = "events";
  EXPECT_EQ(EventText(request), "");
  SetObject(request,
            R"({"involvedObject":{"kind":"Website","namespace":"default","name":"blog"}})");
  EXPECT_EQ(EventText(request), "events Website default/blog");
  SetObject(request, R"({"regarding":{"kind":"Node","name":"n"}})");
  EXPECT_EQ(EventText(request), "events Node n");
}

}  // namespace
}  // namespace kube::controller::internal
